export { describeEffect } from "./decide/describe.ts";
export { classOf, placesBeyond, type Boundary, type EffectClass } from "./decide/boundary.ts";
export { ceilingsBelow } from "./decide/ceiling.ts";
export {
  compileCeiling,
  entryProblem,
  type CeilingRules,
  type EntryProblem,
} from "./rules/ceiling-entries.ts";
export { compileRules, type CompiledRules } from "./rules/compile-rules.ts";
export {
  decide,
  denialCode,
  isFixed,
  judge,
  outsideWorkspaceRule,
  ruleCovers,
} from "./decide/decide.ts";
export { explainDecision } from "./decide/explain-decision.ts";
export {
  commonNames,
  families,
  ruleAliases,
  type Family,
  type FamilyEntry,
} from "./rules/tool-families.ts";
export { escapeGlob } from "./match/glob.ts";
export { isHidden } from "./decide/is-offered.ts";
export { builtInLayer, modeLayers, type LayerRule, type ModeLayer } from "./rules/layers.ts";
export { protectedBy, protectedPart } from "./decide/protection-rules.ts";
export type { Ceiling, DecideRequest, Policy, Taint } from "./decide/request.ts";
export type {
  CompileOptions,
  Rule,
  RuleList,
  RuleProblem,
  RuleSource,
  RuleSpec,
} from "./rules/rule.ts";
export { intersectGrants } from "./decide/grant.ts";
export { noRules, type PolicyTool, type RuleSet } from "./rules/rule-set.ts";
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
} from "./match/rule-paths.ts";
export type { NamedPlace } from "./match/path-pattern.ts";
export { namedTools } from "./rules/read-matchers.ts";
export { ruleTextProblem } from "./rules/suggest-rule.ts";
export { modeState, type ModeState } from "./rules/mode-state.ts";
export { optionRules, ownRules } from "./rules/kit-rules.ts";
