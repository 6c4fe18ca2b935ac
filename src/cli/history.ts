import type { Kit } from "../index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { openKit } from "./open-kit.ts";
import { kitOptions, kitOptionsHelp } from "./options.ts";
import { parseWords } from "./parse-words.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const help = `Usage: haft history              the calls that changed files, newest first
       haft undo [N | CALL]      take back the last call, the last N, or the call with this id
       haft redo                 do again what the last undo took back

Undo puts back content, mode and existence exactly, and refuses where a file is no longer what the call left.

      --force PATH      put this one back even so; what is there now is lost; may be repeated
${kitOptionsHelp}`;

/** `haft history`: what was changed and can be taken back. */
export async function history(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await withKit(words, { terminal, most: 0 }, async (kit, { json }) => {
    const entries = await kit.history();
    if (json) {
      terminal.out(`${JSON.stringify(entries, null, 2)}\n`);
      return exitCodes.ok;
    }
    if (entries.length === 0) terminal.err("No call has changed anything here.\n");
    for (const entry of entries) terminal.out(`${describe(entry, kit.workspace)}\n`);
    return exitCodes.ok;
  });
}

/** `haft undo`: puts back what a call changed. */
export async function undo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await withKit(words, { terminal, most: 1 }, async (kit, { rest, force, json }) => {
    const [what = "1"] = rest;
    const target = /^\d+$/u.test(what) ? { last: Number(what) } : { call: what };
    const undone = await kit.undo(target, force === undefined ? {} : { force });
    return report(undone, { kit, did: "Put back", json, terminal });
  });
}

/** `haft redo`: does again what undo took back. */
export async function redo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await withKit(words, { terminal, most: 0 }, async (kit, { force, json }) => {
    const done = await kit.redo(force === undefined ? {} : { force });
    return report(done, { kit, did: "Done again", json, terminal });
  });
}

function describe(entry: Awaited<ReturnType<Kit["history"]>>[number], workspace: string): string {
  const when = new Date(entry.at).toISOString().slice(0, 19).replace("T", " ");
  const changes = entry.changes
    .map(({ path, change }) => `${change} ${shownPath(path, workspace)}`)
    .join(", ");
  const state = entry.state === "done" ? "" : `  (${entry.state})`;
  const level = entry.level === "full" ? "" : `  (undo: ${entry.level})`;
  return `${entry.callId}  ${when} UTC  ${entry.tool}  ${changes}${state}${level}`;
}

function shownPath(path: string, workspace: string): string {
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

interface Given {
  readonly json: boolean;
  readonly rest: readonly string[];
  readonly force: readonly string[] | undefined;
}

async function withKit(
  words: readonly string[],
  { terminal, most }: { readonly terminal: Terminal; readonly most: number },
  act: (kit: Kit, given: Given) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, {
    ...kitOptions,
    force: { type: "string", multiple: true },
  });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [tooMuch] = rest.slice(most);
  if (tooMuch !== undefined) {
    throw new UsageError(
      `${JSON.stringify(tooMuch)} is one word too many.`,
      "haft history --help says what each takes.",
    );
  }
  const kit = await openKit(values, terminal);
  try {
    return await act(kit, { json: values.json === true, rest, force: values.force });
  } finally {
    await kit.dispose();
  }
}

interface Reporting {
  readonly kit: Kit;
  readonly did: string;
  readonly json: boolean;
  readonly terminal: Terminal;
}

function report(
  result: Awaited<ReturnType<Kit["undo"]>>,
  { kit, did, json, terminal }: Reporting,
): ExitCode {
  const left = [...result.kept, ...result.skipped];
  if (json) terminal.out(`${JSON.stringify(result, null, 2)}\n`);
  else {
    for (const { path, change } of result.changes) {
      terminal.out(`${did}: ${shownPath(path, kit.workspace)} (${change})\n`);
    }
    for (const { path, because } of left) {
      terminal.err(`Left alone: ${shownPath(path, kit.workspace)}: ${because}\n`);
    }
  }
  return left.length === 0 ? exitCodes.ok : exitCodes.failed;
}
