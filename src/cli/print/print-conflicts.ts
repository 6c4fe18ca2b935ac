import type { ToolError } from "../../index.ts";
import { shellQuoted } from "./describe-effect.ts";
import { shownPath } from "./history-entry.ts";
import { namedFromWorkspace, printDiff } from "./print-diff.ts";
import type { Terminal } from "../terminal.ts";

/** Prints the three states of each path that changed after the call, and how to restore it anyway. */
export function printConflicts(
  error: ToolError,
  {
    verb,
    workspace,
    terminal,
  }: {
    readonly verb: string;
    readonly workspace: string;
    readonly terminal: Terminal;
  },
): void {
  const conflicts = conflictsIn(error);
  for (const conflict of conflicts) {
    const { path, before, after, now, changedSince, wouldChange, laterCalls } = conflict;
    terminal.err(`\n${terminal.style("bold", shownPath(path, workspace))}\n`);
    terminal.err(
      `  before the call: ${before}\n  after it:        ${after}\n  now:             ${now}\n`,
    );
    if (laterCalls.length > 0) terminal.err(`  changed since by ${laterCalls.join(", ")}\n`);
    const shown = (diff: string): string =>
      printDiff(namedFromWorkspace(diff, path, workspace), terminal);
    if (changedSince !== undefined) {
      terminal.err(`Changed since:\n${shown(changedSince)}`);
    }
    if (wouldChange !== undefined && wouldChange !== changedSince) {
      terminal.err(`${verb} would change:\n${shown(wouldChange)}`);
    }
  }
  if (conflicts.length === 0) return;
  const forces = conflicts.map(({ path }) => `--force ${shellQuoted(shownPath(path, workspace))}`);
  terminal.err(`\nTo ${verb} anyway and lose the present content: ${forces.join(" ")}\n`);
}

interface Conflict {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly now: string;
  readonly changedSince?: string;
  readonly wouldChange?: string;
  readonly laterCalls: readonly string[];
}

function conflictsIn({ data }: ToolError): readonly Conflict[] {
  const conflicts = data?.["conflicts"];
  return Array.isArray(conflicts) ? conflicts.filter(isConflict) : [];
}

function isConflict(value: unknown): value is Conflict {
  return (
    typeof value === "object" &&
    value !== null &&
    ["path", "before", "after", "now"].every(
      (key) => typeof Reflect.get(value, key) === "string",
    ) &&
    Array.isArray(Reflect.get(value, "laterCalls"))
  );
}
