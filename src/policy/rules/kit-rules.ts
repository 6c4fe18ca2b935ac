import { escapeGlob } from "../match/glob.ts";
import type { RuleSource } from "./rule.ts";

/** Directories against which the paths of rules are read. */
type Anchors = Pick<RuleSource, "base" | "cwd" | "home">;

/** Denies tools access to haft's own files, in every mode; artifacts can be read. */
export function ownRules({
  dataDirectory,
  anchors,
}: {
  readonly dataDirectory: string;
  readonly anchors: Anchors;
}): readonly RuleSource[] {
  const folder = `/${dataDirectory.split("/").map(escapeGlob).join("/")}`;
  const own = [
    "journal/**",
    "mcp/**",
    "mcp-tasks/**",
    "undo/**",
    "events.db*",
    "sessions.db*",
    ".events.db-*",
    ".sessions.db-*",
    "trust.json",
    "tasks/**",
    "agents/**",
    "shell/**",
    "overlay/**",
  ].map((name) => `Read(${folder}/${name})`);
  const rules = [`Edit(${folder}/**)`, ...own].map((rule) => ({
    rule,
    denyMessage: `${dataDirectory} is where undo, logs and trust are kept; no tool reaches it.`,
  }));
  return [{ scope: "built-in", list: "deny", rules, ...anchors }];
}

/** Rules of the options, before all settings. */
export function optionRules(
  {
    rules,
  }: { readonly rules?: Partial<Readonly<Record<RuleSource["list"], RuleSource["rules"]>>> },
  { anchors }: { readonly anchors: Anchors },
): RuleSource[] {
  const lists = ["deny", "ask", "allow"] as const;
  return lists.flatMap((list) => {
    const given = rules?.[list];
    return given === undefined ? [] : [{ scope: "option", list, rules: given, ...anchors }];
  });
}
