import { escapeGlob, type RuleSource } from "../../policy/index.ts";
import type { ToolkitOptions } from "../options/options.ts";
import type { Place } from "../workspace-context.ts";

/** Denies tools access to haft's own files, in every mode; artifacts can be read. */
export function ownRules({ dataDirectory, anchors }: Place): readonly RuleSource[] {
  const folder = `/${dataDirectory.split("/").map(escapeGlob).join("/")}`;
  const own = [
    "journal/**",
    "mcp/**",
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
  { rules }: ToolkitOptions,
  { anchors }: { readonly anchors: Pick<RuleSource, "base" | "cwd" | "home"> },
): RuleSource[] {
  const lists = ["deny", "ask", "allow"] as const;
  return lists.flatMap((list) => {
    const given = rules?.[list];
    return given === undefined ? [] : [{ scope: "option", list, rules: given, ...anchors }];
  });
}
