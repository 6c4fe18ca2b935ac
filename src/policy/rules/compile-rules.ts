import { modes, nearestName, type Mode, type RuleRef } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { exampleFails } from "./check-examples.ts";
import { parseRule, resolveName } from "./parse-rule.ts";
import type { PathAnchors } from "../match/path-pattern.ts";
import { readMatchers, widestMatchers, type Reading } from "./read-matchers.ts";
import type { CompileOptions, Matcher, Rule, RuleProblem, RuleSource, RuleSpec } from "./rule.ts";
import { makeRuleSet, type RuleSet } from "./rule-set.ts";

export interface CompiledRules {
  readonly rules: RuleSet;
  readonly problems: readonly RuleProblem[];
}

/**
 * Compiles rules of every place into one set. A rule that cannot be read is reported and never takes
 * another with it: in an allow list it grants nothing, in a deny or ask list it holds in the widest way it
 * can have been meant (a misspelt tool as the nearest one, an unreadable pattern as a question about
 * everything of its kind).
 */
export function compileRules(
  sources: readonly RuleSource[],
  options: CompileOptions = {},
): CompiledRules {
  const problems: RuleProblem[] = [];
  const rules: Rule[] = [];
  for (const source of sources) {
    source.rules.forEach((raw, index) => {
      const place = placeOf(source, index);
      const spec = asSpec(raw);
      for (const text of spec === undefined ? [shown(raw)] : spec.rule.split("\n")) {
        const report: Report = (severity, message, hint) => {
          problems.push({
            severity,
            rule: text,
            list: source.list,
            ...place,
            message,
            ...(hint === undefined ? {} : { hint }),
          });
        };
        const rule = compileRule({ source, place, text, raw, spec, options }, report);
        if (rule !== undefined) rules.push(rule);
      }
    });
  }
  return { rules: makeRuleSet(rules), problems };
}

type Report = (severity: RuleProblem["severity"], message: string, hint?: string) => void;

interface RawRule {
  readonly source: RuleSource;
  readonly place: Pick<RuleRef, "scope" | "file" | "line">;
  readonly text: string;
  readonly raw: unknown;
  readonly spec: RuleSpec | undefined;
  readonly options: CompileOptions;
}

function compileRule(rule: RawRule, report: Report): Rule | undefined {
  const { source, place, text, spec } = rule;
  const { list } = source;
  const reading = readRule(rule, report);
  const conditions = readConditions(rule, report);
  let isBad = reading.error !== undefined || !conditions.isSound;
  if (!isBad && spec !== undefined) {
    const failure = exampleFails(
      spec,
      { list, matchers: reading.matchers, anchors: anchorsOf(rule) },
      rule.options,
    );
    if (failure !== undefined) {
      report("error", failure, "Change the rule or the example.");
      isBad = true;
    }
  }
  if (isBad && list === "allow") return undefined;
  if (reading.matchers.length === 0) return undefined;
  return {
    // A deny rule with a guessed meaning asks instead: the user it protects can then clarify it.
    ref: { rule: text.trim(), list: reading.isGuess ? "ask" : list, ...place },
    denyMessage: spec?.denyMessage,
    modes: conditions.modes,
    subagent: conditions.subagent,
    expires: conditions.expires,
    needsTrust: list === "allow" && (source.scope === "project" || source.scope === "local"),
    isGuess: reading.isGuess,
    matchers: reading.matchers,
    except: conditions.except,
  };
}

function readRule(rule: RawRule, report: Report): Reading & { readonly isGuess: boolean } {
  const { source, text, spec, options } = rule;
  const { list } = source;
  const isAllow = list === "allow";
  if (spec === undefined) {
    const error = "A rule is a text, or an object with a text in `rule`.";
    report("error", error, taken(isAllow, "it asks about every call"));
    return { matchers: widestMatchers(undefined), error, isGuess: true };
  }
  const parsed = parseRule(text);
  if ("problem" in parsed) {
    const resolved = parsed.tool === undefined ? undefined : resolveName(parsed.tool, options);
    const tool = resolved?.isKnown === true ? resolved.name : resolved?.nearest;
    const about = tool === undefined ? "every call" : `every use of ${tool}`;
    report("error", parsed.problem, taken(isAllow, `it asks about ${about}`));
    return { matchers: widestMatchers(tool), error: parsed.problem, isGuess: true };
  }
  const resolved = resolveName(parsed.tool, options);
  const settings = { list, anchors: anchorsOf(rule), isCeiling: options.isCeiling };
  if (!resolved.isKnown) {
    const error = `No tool is called ${parsed.tool}.`;
    const { nearest } = resolved;
    if (nearest !== undefined) {
      const correct = parsed.spec === undefined ? nearest : `${nearest}(${parsed.spec})`;
      report(
        "error",
        error,
        `${taken(isAllow, `it holds as ${correct}`)} Did you mean ${correct}?`,
      );
      const meant = readMatchers({ tool: nearest, spec: parsed.spec }, settings);
      const literal = readMatchers({ tool: parsed.tool, spec: parsed.spec }, settings);
      return {
        matchers: [...meant.matchers, ...literal.matchers],
        error,
        isGuess: meant.error !== undefined,
      };
    }
    // A tool that is not there yet may come later; the rule waits for it.
    if (options.known !== undefined)
      report("warning", error, "The rule waits for a tool of that name.");
  }
  const reading = readMatchers({ tool: resolved.name, spec: parsed.spec }, settings);
  if (reading.error !== undefined) {
    const hint = [taken(isAllow, "it asks about whatever it may have meant"), reading.hint];
    report("error", reading.error, hint.filter((each) => each !== undefined).join(" "));
  } else if (reading.warning !== undefined) {
    report("warning", reading.warning);
  }
  return { ...reading, isGuess: reading.error !== undefined };
}

function taken(isAllow: boolean, how: string): string {
  return isAllow ? "It grants nothing." : `Until it is corrected, ${how}.`;
}

interface Conditions {
  readonly modes: ReadonlySet<Mode> | undefined;
  readonly subagent: string | undefined;
  readonly expires: number | undefined;
  readonly except: readonly Matcher[];
  /** All of them could be read. A deny rule leaves out the ones that could not and holds more widely. */
  readonly isSound: boolean;
}

const unconditional = { modes: undefined, subagent: undefined, expires: undefined, except: [] };

const specKeys = [
  "rule",
  "denyMessage",
  "modes",
  "subagent",
  "expires",
  "match",
  "notMatch",
  "except",
] as const;

function readConditions(rule: RawRule, report: Report): Conditions {
  const { raw, spec, source } = rule;
  let isSound = true;
  const fail = (message: string, hint?: string): void => {
    report("error", message, hint);
    isSound = false;
  };
  if (spec === undefined || !isRecord(raw)) {
    return { ...unconditional, isSound };
  }
  for (const key of Object.keys(raw)) {
    if (specKeys.some((each) => each === key)) continue;
    const nearest = nearestName(key, specKeys);
    fail(
      `A rule has no key ${JSON.stringify(key)}.`,
      nearest === undefined ? undefined : `Did you mean ${JSON.stringify(nearest)}?`,
    );
  }
  for (const key of ["denyMessage", "subagent", "expires"] as const) {
    if (raw[key] !== undefined && typeof raw[key] !== "string") fail(`\`${key}\` must be a text.`);
  }
  for (const key of ["modes", "match", "notMatch", "except"] as const) {
    const list = raw[key];
    if (list !== undefined && !isTexts(list)) fail(`\`${key}\` must be a list of texts.`);
  }
  const wanted = isTexts(raw["modes"]) ? raw["modes"] : undefined;
  const known = wanted?.filter(isMode);
  if (wanted !== undefined && known?.length !== wanted.length) {
    fail("`modes` contains an unknown mode.", `The modes are ${modes.join(", ")}.`);
  }
  const expires = typeof raw["expires"] === "string" ? Date.parse(raw["expires"]) : undefined;
  if (expires !== undefined && Number.isNaN(expires)) {
    fail("`expires` is not a date.", "Write it as 2026-01-31 or 2026-01-31T12:00:00Z.");
  }
  if (!isSound) return { ...unconditional, isSound };
  const except = source.list === "ask" && isTexts(raw["except"]) ? raw["except"] : [];
  return {
    modes: known === undefined ? undefined : new Set(known),
    subagent: typeof raw["subagent"] === "string" ? raw["subagent"] : undefined,
    expires,
    except: except.flatMap((text) => readExcept(text, rule)),
    isSound,
  };
}

/** An exception is an allow rule of its own: one that cannot be read excepts nothing. */
function readExcept(text: string, rule: RawRule): readonly Matcher[] {
  const parsed = parseRule(text);
  if ("problem" in parsed) return [];
  const { name } = resolveName(parsed.tool, rule.options);
  const settings = { list: "allow", anchors: anchorsOf(rule) } as const;
  const reading = readMatchers({ tool: name, spec: parsed.spec }, settings);
  return reading.error === undefined ? reading.matchers : [];
}

function anchorsOf(rule: RawRule): PathAnchors {
  const { source, options } = rule;
  return {
    base: source.base,
    cwd: source.cwd,
    home: source.home,
    roots: options.roots ?? [],
    ignoreCase: options.ignoreCase ?? false,
    links: options.links,
  };
}

function placeOf(source: RuleSource, index: number): Pick<RuleRef, "scope" | "file" | "line"> {
  const line = source.lines?.[index];
  return {
    scope: source.scope,
    ...(source.file === undefined ? {} : { file: source.file }),
    ...(line === undefined ? {} : { line }),
  };
}

function asSpec(raw: unknown): RuleSpec | undefined {
  if (typeof raw === "string") return { rule: raw };
  return isSpec(raw) ? raw : undefined;
}

function isSpec(raw: unknown): raw is RuleSpec {
  return isRecord(raw) && typeof raw["rule"] === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isMode(text: string): text is Mode {
  return modes.some((mode) => mode === text);
}

function shown(raw: unknown): string {
  return JSON.stringify(raw) ?? String(raw);
}
