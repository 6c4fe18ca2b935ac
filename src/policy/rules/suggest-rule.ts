import { parentPath, pathBelow } from "../../text/index.ts";
import { type Decision, type Effect, type ReadEffect, type WriteEffect } from "../../core/index.ts";
import { compileRules } from "./compile-rules.ts";
import { escapeGlob } from "../match/glob.ts";
import type { DecideRequest } from "../decide/request.ts";
import { makeRuleSet } from "./rule-set.ts";
import { starts } from "../match/allowed-runs.ts";
import { runsWhatItIsFed, suggestCommand } from "./suggest-command.ts";

/** The most characters one suggested rule may have, and how many one call may need. */
const maxRuleLength = 200;
const maxRules = 5;

/**
 * The rules, one a line, that would answer this call and its like if they were saved: offered only where
 * they have been tried on the call and leave nothing to ask.
 */
export function suggestRule(
  request: DecideRequest,
  unanswered: readonly Effect[],
  judge: (request: DecideRequest) => Decision,
): string | undefined {
  if (hasFedWords(request)) return undefined;
  const candidates = [
    () => (isFed(request) ? undefined : request.suggested),
    () => rulesFor(unanswered, request, ownCommand),
    // A path outside is named by a path rule where the words of the command do not say it.
    () => rulesFor(unanswered, request, () => undefined),
  ];
  for (const make of candidates) {
    const text = make();
    if (text !== undefined && isShort(text) && answers(text, request, judge)) return text;
  }
  return undefined;
}

/** Whether a launcher adds words to a program that nobody has seen: a rule for it would allow any words. */
function hasFedWords({ effects }: DecideRequest): boolean {
  const runs = effects.filter((effect) => effect.kind === "execute");
  return runs.some(
    (run) =>
      run.argv.some((word) => typeof word !== "string") &&
      runs.some((launcher) => starts(launcher, run)),
  );
}

/** Whether a program runs code that stands in no word of the command. */
function isFed({ effects }: DecideRequest): boolean {
  return effects.some((effect) => effect.kind === "execute" && runsWhatItIsFed(effect));
}

/** Why a text, a rule a line, cannot be read as rules; undefined where it can. */
export function ruleTextProblem(text: string): string | undefined {
  const anchors = { base: "/", cwd: "/", home: "/" };
  const sources = [
    { scope: "session", list: "allow", rules: text.split("\n"), ...anchors },
  ] as const;
  const [problem] = compileRules(sources).problems;
  return problem?.message;
}

/** Whether saving the rule leaves nothing to ask about this call. */
export function answers(
  rule: string,
  request: DecideRequest,
  judge: (request: DecideRequest) => Decision,
): boolean {
  const base = request.boundary.roots[0] ?? "/";
  const { rules, problems } = compileRules([
    {
      scope: "session",
      list: "allow",
      rules: [rule],
      base,
      cwd: base,
      home: request.boundary.home ?? "/",
    },
  ]);
  if (problems.length > 0 || rules.rules.length === 0) return false;
  const extended = makeRuleSet([...request.rules.rules, ...rules.rules]);
  return judge({ ...request, rules: extended, suggested: undefined }).kind === "allow";
}

function isShort(text: string): boolean {
  const lines = text.split("\n");
  return lines.length <= maxRules && lines.every((line) => line.length <= maxRuleLength);
}

type OwnCommand = typeof ownCommand | (() => undefined);

function rulesFor(
  unanswered: readonly Effect[],
  request: DecideRequest,
  own: OwnCommand,
): string | undefined {
  const lines = new Set<string>();
  for (const effect of gathered(unanswered)) {
    const line = ruleFor(effect, request, own);
    if (line === undefined) return undefined;
    if (line !== "") lines.add(line);
  }
  return lines.size === 0 ? undefined : [...lines].join("\n");
}

/** The rule for one effect; "" where the rule for its program answers it. */
function ruleFor(effect: Effect, request: DecideRequest, own: OwnCommand): string | undefined {
  switch (effect.kind) {
    case "interact":
      return undefined;
    case "read":
      return own(effect.by, request) ?? pathRuleFor("Read", effect, request);
    case "write":
      return own(effect.by, request) ?? pathRuleFor("Edit", effect, request);
    case "execute":
      return suggestCommand(effect);
    case "connect":
      // As a pattern a star would name more hosts than this one.
      if (effect.host.includes("*")) return undefined;
      return own(effect.by, request) ?? `WebFetch(domain:${effect.host})`;
    case "delegate":
      return /[()*\n]/u.test(effect.agent) ? undefined : `Agent(${effect.agent})`;
    case "unknown": {
      if (effect.origin === request.tool.name) return request.tool.name;
      if (request.tool.name.startsWith(`${effect.origin}__`)) return request.tool.name;
      const hasProgram = request.effects.some((each) => each.kind === "execute");
      return hasProgram && !effect.origin.startsWith("mcp__") ? "" : undefined;
    }
  }
}

function ownCommand(by: WriteEffect["by"], request: DecideRequest): string | undefined {
  if (by === undefined) return undefined;
  for (const effect of request.effects) {
    if (effect.kind !== "execute") continue;
    if (effect.span.start === by.start && effect.span.end === by.end) return suggestCommand(effect);
  }
  return undefined;
}

function pathRuleFor(
  name: "Read" | "Edit",
  effect: ReadEffect | WriteEffect,
  { boundary }: DecideRequest,
): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f\u2028\u2029]|\/ | (?:\/|$)/u.test(effect.path)) return undefined;
  const [workspace] = boundary.roots;
  const below = workspace === undefined ? undefined : pathBelow(workspace, effect.path);
  const isTree = effect.scope === "tree";
  // The whole workspace, a top-level folder or a whole home is never offered in one click.
  if (
    isTree &&
    (below === "" || parentPath(effect.path) === "/" || effect.path === boundary.home)
  ) {
    return undefined;
  }
  const escaped = (below ?? effect.path.slice(1)).split("/").map(escapeGlob).join("/");
  return `${name}(${below === undefined ? "//" : "/"}${escaped}${isTree ? "/**" : ""})`;
}

/** Four or more files of one folder become the folder. */
function gathered(effects: readonly Effect[]): readonly Effect[] {
  const folders = new Map<string, number>();
  for (const effect of effects) {
    const folder = folderKey(effect);
    if (folder !== undefined) folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  return effects.map((effect) => {
    const count = folders.get(folderKey(effect) ?? "") ?? 0;
    if (count < 4 || (effect.kind !== "read" && effect.kind !== "write")) return effect;
    return { ...effect, path: parentPath(effect.path), scope: "tree" };
  });
}

function folderKey(effect: Effect): string | undefined {
  if (effect.kind !== "read" && effect.kind !== "write") return undefined;
  if (effect.scope !== "file" || effect.by !== undefined) return undefined;
  return `${effect.kind} ${parentPath(effect.path)}`;
}
