import type { SettingsProblem } from "../../workspace/index.ts";
import type { ToolSelection } from "./options.ts";

/** Maximum number of tools whose problems are stored; a program may register any number of tools. */
const maxTools = 100;

/** Problems of tools a toolkit was given, one for each tool and kind, so that nothing is ignored silently. */
export class ToolProblems {
  readonly #found = new Map<string, SettingsProblem>();

  get all(): readonly SettingsProblem[] {
    return [...this.#found.values()];
  }

  /** Reports that a tool suggested an invalid rule; the suggestion is replaced or omitted. */
  suggested(tool: string, why: string): void {
    this.#add(`suggestRule ${tool}`, {
      severity: "warning",
      message: `suggestRule of ${tool} is ignored: ${why}`,
      hint: "Return a rule as in Bash(npm test) or Edit(src/**), or undefined.",
    });
  }

  /** Reports extra tools that `include` does not list. */
  selected({ include, exclude = [], extra = [] }: ToolSelection): void {
    if (include === undefined) return;
    for (const { name } of extra) {
      if (include.includes(name) || exclude.includes(name)) continue;
      this.#add(`include ${name}`, {
        severity: "warning",
        message: `tools.include leaves out ${name}, which is among tools.extra.`,
        hint: `Add ${JSON.stringify(name)} to tools.include to offer it, or to tools.exclude.`,
      });
    }
  }

  #add(key: string, problem: SettingsProblem): void {
    if (this.#found.size < maxTools && !this.#found.has(key)) this.#found.set(key, problem);
  }
}
