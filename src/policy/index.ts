export { classOf, type Boundary, type EffectClass } from "./boundary.ts";
export { ceilingsBelow } from "./ceiling.ts";
export { compileRules, type CompiledRules } from "./compile-rules.ts";
export { decide, denialCode, judge, outsideWorkspaceRule, ruleCovers } from "./decide.ts";
export { explainDecision } from "./explain-decision.ts";
export { commonNames, families, ruleAliases, type Family, type FamilyEntry } from "./families.ts";
export { escapeGlob } from "./glob.ts";
export { isHidden } from "./is-hidden.ts";
export { builtInLayer, modeLayers, type LayerRule, type ModeLayer } from "./layers.ts";
export { protectedBy, protectedPart } from "./protected-paths.ts";
export type { Ceiling, DecideRequest, Policy, Taint } from "./request.ts";
export type { CompileOptions, Rule, RuleList, RuleProblem, RuleSource, RuleSpec } from "./rule.ts";
export { noRules, type PolicyTool, type RuleSet } from "./rule-set.ts";
export {
  askedWrite,
  deniedPlaces,
  deniedWrite,
  openedPlaces,
  opensProtected,
  placesOpenedByAny,
  refusesQuestions,
  writtenPaths,
  type NamedPlaces,
  type WrittenBy,
} from "./written-paths.ts";
export type { NamedPlace } from "./path-pattern.ts";
export { ruleTextProblem } from "./suggest-rule.ts";
