import type { SettingsProblem } from "../../workspace/index.ts";
import type { ToolSelection } from "./options.ts";

/** Tools whose faults are kept; a program may register tools without end. */
const maxTools = 100;

/** Faults of tools a toolkit was given, one for each tool and kind: what is ignored is not ignored in silence. */
export class ToolProblems {
  readonly #found = new Map<string, SettingsProblem>();

  get all(): readonly SettingsProblem[] {
    return [...this.#found.values()];
  }

  /** Reports that a tool suggested what cannot be saved as a rule; the suggestion is replaced or left out. */
  suggested(tool: string, why: string): void {
    this.#add(`suggestRule ${tool}`, {
      severity: "warning",
      message: `suggestRule of ${tool} is ignored: ${why}`,
      hint: "Return a rule as in Bash(npm test) or Edit(src/**), or undefined.",
    });
  }

  /** Reports extra tools that `include` leaves out. */
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
