import { parentPath, pathBelow } from "../../text/index.ts";
import {
  type ConnectEffect,
  type Decision,
  type Effect,
  type ReadEffect,
  type WriteEffect,
} from "../../core/index.ts";
import { compileRules } from "./compile-rules.ts";
import { escapeGlob } from "../match/glob.ts";
import type { DecideRequest } from "../decide/request.ts";
import { makeRuleSet } from "./rule-set.ts";
import { starts } from "../match/allowed-runs.ts";
import type { CompileOptions } from "./rule.ts";
import { runsWhatItIsFed, suggestCommand } from "./suggest-command.ts";

/** Maximum characters of one suggested rule, and maximum number of rules for one call. */
const maxRuleLength = 200;
const maxRules = 5;

/**
 * Returns the rules, one per line, that would cover this call and similar ones if saved. They are offered only if a
 * trial on the call leaves nothing to ask.
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
    // A path rule names a path outside the workspace where the command itself does not contain it.
    () => rulesFor(unanswered, request, () => undefined),
  ];
  for (const make of candidates) {
    const text = make();
    if (text !== undefined && isShort(text) && answers(text, request, judge)) return text;
  }
  return undefined;
}

/** Whether a launcher adds unknown arguments to a program: a rule for it would allow any arguments. */
function hasFedWords({ effects }: DecideRequest): boolean {
  const runs = effects.filter((effect) => effect.kind === "execute");
  return runs.some(
    (run) =>
      run.argv.some((word) => typeof word !== "string") &&
      runs.some((launcher) => starts(launcher, run)),
  );
}

/** Whether a program runs code that is not part of the command. */
function isFed({ effects }: DecideRequest): boolean {
  return effects.some((effect) => effect.kind === "execute" && runsWhatItIsFed(effect));
}

/** Returns why a text with one rule per line cannot be parsed as rules; undefined where it can. */
export function ruleTextProblem(
  text: string,
  options: Pick<CompileOptions, "isCeiling"> = {},
): string | undefined {
  const anchors = { base: "/", cwd: "/", home: "/" };
  const sources = [
    { scope: "session", list: "allow", rules: text.split("\n"), ...anchors },
  ] as const;
  const [problem] = compileRules(sources, options).problems;
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

/** Returns the rule for one effect; "" where the rule for its program covers it. */
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
      // In a pattern, a star would match more hosts than this one.
      if (effect.host.includes("*")) return undefined;
      return own(effect.by, request) ?? `WebFetch(domain:${hostOf(effect)}${portOf(effect)})`;
    case "delegate":
      if (effect.target === "session") return request.tool.name;
      return /[()*\n]/u.test(effect.agent) ? undefined : `Agent(${effect.agent})`;
    case "unknown": {
      if (effect.origin === request.tool.name) return request.tool.name;
      if (request.tool.name.startsWith(`${effect.origin}__`)) return request.tool.name;
      const hasProgram = request.effects.some((each) => each.kind === "execute");
      return hasProgram && !effect.origin.startsWith("mcp__") ? "" : undefined;
    }
  }
}

/**
 * Port as a rule names it, unless it is one of the web. A rule without one would cover every port of this machine, where
 * other services listen.
 */
function portOf({ port }: ConnectEffect): string {
  return port === undefined || port === 80 || port === 443 ? "" : `:${port}`;
}

/** Host as a rule names it, so that a port can follow. */
function hostOf({ host }: ConnectEffect): string {
  return host.includes(":") ? `[${host}]` : host;
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
  // Never suggest the whole workspace, a top-level directory or a whole home directory.
  if (
    isTree &&
    (below === "" || parentPath(effect.path) === "/" || effect.path === boundary.home)
  ) {
    return undefined;
  }
  const escaped = (below ?? effect.path.slice(1)).split("/").map(escapeGlob).join("/");
  return `${name}(${below === undefined ? "//" : "/"}${escaped}${isTree ? "/**" : ""})`;
}

/** Replaces four or more files of one directory by the directory. */
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
