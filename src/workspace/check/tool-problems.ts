import type { SettingsProblem } from "../settings/loaded-settings.ts";

/** Names of the tools of a toolkit, as its options select them. */
export interface SelectedNames {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly extra?: readonly { readonly name: string }[];
}

/** Maximum number of problems that are stored; a program may register any number of tools. */
const maxTools = 100;

/** Hint for a toolkit that stores no sessions. */
export const unstoredHint = 'Set the option sessions to "file" or "memory", or pass messages.';

/** Problems of what a toolkit was given, one for each tool and kind, so that nothing is ignored silently. */
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
  selected({ include, exclude = [], extra = [] }: SelectedNames): void {
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

  /** Reports a run that names a session as if it were stored. */
  unstored(sessionId: string): void {
    this.#add("unstored", {
      severity: "warning",
      message: `A run of ${sessionId} continued nothing, because this toolkit stores no sessions.`,
      hint: unstoredHint,
    });
  }

  /** Reports why tools in files are not offered. */
  addAll(problems: readonly SettingsProblem[]): void {
    for (const problem of problems) this.#add(problem.message, problem);
  }

  #add(key: string, problem: SettingsProblem): void {
    if (this.#found.size < maxTools && !this.#found.has(key)) this.#found.set(key, problem);
  }
}
