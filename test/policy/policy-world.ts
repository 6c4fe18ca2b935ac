import type {
  Effect,
  ExecuteEffect,
  Mode,
  ReadEffect,
  UnknownEffect,
  Word,
  WriteEffect,
} from "../../src/core/index.ts";
import {
  compileRules,
  decide,
  type Boundary,
  type CompileOptions,
  type DecideRequest,
  type PolicyTool,
  type RuleList,
  type RuleSource,
} from "../../src/policy/index.ts";

/** A workspace at /ws of a person whose home is /home/ada, as the policy tests know it. */
export const workspace = "/ws";
export const home = "/home/ada";

export const boundary: Boundary = { roots: [workspace], restrictToWorkspace: false, home };

export const anyTool: PolicyTool = {
  name: "AnyTool",
  touches: ["interact", "read", "connect", "delegate", "write", "execute", "unknown"],
};

export function source(
  list: RuleList,
  rules: readonly unknown[],
  more: Partial<RuleSource> = {},
): RuleSource {
  return { scope: "user", list, rules, base: workspace, cwd: workspace, home, ...more };
}

export type RuleLists = Partial<Record<RuleList, readonly unknown[]>>;

export function rulesOf(
  lists: RuleLists,
  options: CompileOptions & { readonly scope?: RuleSource["scope"] } = {},
): ReturnType<typeof compileRules> {
  const { scope = "user", ...rest } = options;
  const sources = (["deny", "ask", "allow"] as const).flatMap((list) =>
    lists[list] === undefined ? [] : [source(list, lists[list], { scope })],
  );
  return compileRules(sources, { roots: [workspace], ...rest });
}

/** A request of nothing special, to be made special by `more`. */
export function requestOf(
  effects: readonly Effect[],
  more: Partial<DecideRequest> & { readonly lists?: RuleLists } = {},
): DecideRequest {
  const { lists = {}, ...rest } = more;
  return {
    tool: anyTool,
    input: {},
    effects,
    rules: rulesOf(lists).rules,
    mode: "default",
    boundary,
    trusted: true,
    ...rest,
  };
}

export function verdict(
  effects: readonly Effect[],
  more: Partial<DecideRequest> & { readonly lists?: RuleLists } = {},
): "allow" | "ask" | "deny" {
  return decide(requestOf(effects, more)).kind;
}

export const allModes: readonly Mode[] = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
];

export function readOf(path: string, scope: "file" | "tree" = "file"): ReadEffect {
  return { kind: "read", path, scope };
}

export function writeOf(
  path: string,
  change: "create" | "modify" | "delete" | "any" = "modify",
  scope: "file" | "tree" = "file",
): WriteEffect {
  return { kind: "write", path, scope, change };
}

/** A command from words parted by spaces; `$x` is dynamic, `A=b` in front an assignment, `sudo|env|…:` a launcher. */
export function runOf(text: string, more: Partial<ExecuteEffect> = {}): ExecuteEffect {
  const words = text.split(" ").filter((word) => word !== "");
  const assigns: { name: string; value: Word }[] = [];
  while (/^[A-Za-z_]\w*=/u.test(words[0] ?? "")) {
    const [name = "", value = ""] = (words.shift() ?? "").split("=");
    assigns.push({ name, value: wordOf(value) });
  }
  return {
    kind: "execute",
    argv: words.map(wordOf),
    assigns,
    via: [],
    consequences: "open",
    span: { start: 0, end: text.length },
    ...more,
  };
}

function wordOf(word: string): Word {
  return word.includes("$") ? { dynamic: `${word} is expanded by the shell` } : word;
}

export function unknownOf(origin: string): UnknownEffect {
  return { kind: "unknown", because: `${origin} can run arbitrary code.`, origin };
}
