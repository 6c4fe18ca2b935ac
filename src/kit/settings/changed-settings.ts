import type { RuleSource } from "../../policy/index.ts";
import { pathBelow, visibleText } from "../../text/index.ts";
import type { LoadedSettings, SettingDifference } from "../../workspace/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";

/** Maximum number of changes listed; the rest are counted. */
const maxListed = 20;

/** Maximum characters shown of one value. */
const shownChars = 200;

/** Changes of settings, one line each, with what becomes of them after a yes. */
export function describeDifferences(
  differences: readonly SettingDifference[],
  place: Place,
): readonly string[] {
  const lines = differences.slice(0, maxListed).map((each) => lineOf(each, place));
  const left = differences.length - lines.length;
  return left === 0 ? lines : [...lines, `(${left} more)`];
}

function lineOf(difference: SettingDifference, place: Place): string {
  const { key, file, line } = difference;
  const at = `${shownPath(file, place)}${line === undefined ? "" : `:${line}`}`;
  const when = difference.needsTrust
    ? "; counts once the workspace is trusted again, with haft trust add"
    : countsNow(difference, place)
      ? ""
      : "; counts from the next start on";
  return visibleText(`${key}: ${valuesIn(difference)} (${at}${when})`);
}

function shownPath(file: string, { workspace, anchors }: Place): string {
  const below = pathBelow(workspace, file);
  if (below !== undefined) return below;
  const own = pathBelow(anchors.home, file);
  return own === undefined ? file : `~/${own}`;
}

/** Settings whose values may be secrets, such as keys of services. */
const hidden = /(?:^|\.)(?:env|headers|oauth)\b/u;

function valuesIn({ key, before, after }: SettingDifference): string {
  const shown = (value: unknown): string => (hidden.test(key) ? "…" : textOf(value));
  if (before === undefined) return `${shown(after)} added`;
  if (after === undefined) return `${shown(before)} removed`;
  return `${shown(before)} → ${shown(after)}`;
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
}

/** Settings that are rules, and an error, which means that every call is asked about. */
const rules =
  /^(?:permissions\.(?:deny|ask|allow)|(?:bash\.)?(?:dangerousCommandWhitelist|confirmDangerousCommands)|tools\..*\.autoExecute|\(error\))$/u;

/** Whether a changed setting can apply to a kit that is open: rules, and tools that are switched off. */
function countsNow({ key, after }: SettingDifference, { settings }: Place): boolean {
  if (rules.test(key)) return true;
  const isTool = key === "enableToolCalls" || /^tools\..*\.enabled$/u.test(key);
  if (!isTool) return false;
  // A tool that was off when the kit was opened is not registered, so it comes with the next start.
  const name = key.slice("tools.".length, -".enabled".length);
  const wasOn =
    key === "enableToolCalls"
      ? settings.enableToolCalls
      : settings.enabledTools.get(name) !== false;
  return wasOn || after === false;
}

/**
 * Rules of changed settings. Of files that changed since the workspace was trusted, only the allow rules count that
 * counted before.
 */
export function rulesInForce(
  next: LoadedSettings,
  before: readonly RuleSource[],
  { settings, anchors }: Place,
): readonly RuleSource[] {
  const trusted = new Set(
    before.filter(({ list }) => list === "allow").flatMap((source) => keysOf(source)),
  );
  const untrusted = new Set(
    next.layers.filter(({ mayWiden }) => !mayWiden).map(({ file }) => file),
  );
  const sources = next.sources.map((source): RuleSource => {
    if (source.list !== "allow" || source.scope === "option" || !untrusted.has(source.file)) {
      return source;
    }
    const kept = keysOf(source).flatMap((key, index) => (trusted.has(key) ? [index] : []));
    return {
      ...source,
      rules: kept.map((index) => source.rules[index]),
      ...(source.lines === undefined ? {} : { lines: kept.map((index) => source.lines?.[index]) }),
    };
  });
  const off = Array.from(next.enabledTools).flatMap(([name, isOn]) =>
    isOn || settings.enabledTools.get(name) === false ? [] : [name],
  );
  const denied = next.enableToolCalls || !settings.enableToolCalls ? off : ["*"];
  if (denied.length === 0) return sources;
  return [{ scope: "option", list: "deny", rules: denied, ...anchors }, ...sources];
}

function keysOf({ scope, file, rules: all }: RuleSource): readonly string[] {
  return all.map((rule) => JSON.stringify([scope, file, rule]));
}

/** Whether this program made the change itself, at the user's word, so that it counts already. */
export function isSavedHere(
  { key, scope, before, after }: SettingDifference,
  saved: RuleBook["savedHere"],
  { store }: Place,
): boolean {
  const isRemoved = after === undefined;
  return saved.some((each) => {
    if (each.scope === "session" || each.scope !== scope || each.isRemoved !== isRemoved) {
      return false;
    }
    if (key !== `permissions.${each.list}`) return false;
    const texts = store?.spelled({ rule: each.rule, list: each.list, scope: each.scope }) ?? [];
    return texts.includes(String(isRemoved ? before : after));
  });
}
