import { resolve } from "node:path";
import { ToolError, type Kit } from "../../index.ts";
import { describeEntry, shownPath } from "../print/history-entry.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import { printConflicts } from "../print/print-conflicts.ts";
import type { Terminal } from "../terminal.ts";
import { visibleText } from "../print/visible-text.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft history              list the calls that changed files, newest first
       haft undo [N | CALL]      undo the last call, the last N, or the call with this id
       haft undo --to CALL       undo every call after this one
       haft redo                 redo the last undo (every call it undid)

Undo restores content, mode and existence exactly. If a file is no longer as the call left it, undo changes nothing and
shows the file before the call, after the call, and now. haft diff shows what a call changed.

      --to CALL         undo: keep this call and undo every later one
      --force PATH      undo and redo: restore this path anyway; its present content is lost; may be repeated
${kitOptionsHelp}`;

/** `haft history`: lists the calls that changed something and can be undone. */
export async function history(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const line = { verb: "history", most: 0 };
  return await withKit(words, { terminal, ...line }, async (kit, { json }) => {
    const entries = await kit.history();
    if (json) {
      terminal.out(`${JSON.stringify(entries, null, 2)}\n`);
      return exitCodes.ok;
    }
    if (entries.length === 0) terminal.err("No call has changed anything here.\n");
    for (const entry of entries) terminal.out(`${describeEntry(entry, kit.workspace.path)}\n`);
    return exitCodes.ok;
  });
}

/** `haft undo`: undoes the changes of a call. */
export async function undo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const line = { verb: "undo", most: 1, takes: ["force", "to"] } as const;
  return await withKit(words, { terminal, ...line }, async (kit, given) => {
    const target = targetOf(given);
    const { force, json } = given;
    return await reported({ kit, verb: "undo", did: "Restored", json, terminal }, async () =>
      kit.undo(target, force === undefined ? {} : { force }),
    );
  });
}

/** `haft redo`: redoes the last undo. */
export async function redo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const line = { verb: "redo", most: 0, takes: ["force"] } as const;
  return await withKit(words, { terminal, ...line }, async (kit, { force, json }) => {
    return await reported({ kit, verb: "redo", did: "Redone", json, terminal }, async () =>
      kit.redo(force === undefined ? {} : { force }),
    );
  });
}

function targetOf({ rest, to }: Given) {
  const [what] = rest;
  if (to === undefined) {
    if (what === undefined) return { last: 1 };
    if (!/^\d+$/u.test(what)) return { call: what };
    const last = Number(what);
    if (Number.isSafeInteger(last) && last > 0) return { last };
    if (last === 0) throw new UsageError("How many calls? 0 undoes nothing.");
    throw new UsageError(`${what} is too large a number.`, "haft history lists the calls.");
  }
  if (what === undefined) return { to };
  throw new UsageError(`--to names the call that stays; ${JSON.stringify(what)} is too much.`);
}

interface Given {
  readonly json: boolean;
  readonly to: string | undefined;
  readonly rest: readonly string[];
  readonly force: readonly string[] | undefined;
}

interface Line {
  readonly terminal: Terminal;
  readonly verb: string;
  /** Maximum number of arguments. */
  readonly most: number;
  /** Options of the verb in addition to the common ones. */
  readonly takes?: readonly ("force" | "to")[];
}

async function withKit(
  words: readonly string[],
  { terminal, verb, most, takes = [] }: Line,
  act: (kit: Kit, given: Given) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, {
    ...kitOptions,
    force: { type: "string", multiple: true },
    to: { type: "string" },
  });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  for (const name of ["force", "to"] as const) {
    if (values[name] === undefined || takes.includes(name)) continue;
    throw new UsageError(
      `There is no option --${name} here.`,
      `haft ${verb} --help says what it takes.`,
    );
  }
  refuseMore(rest, most, `haft ${verb} --help says what it takes.`);
  const kit = await openKit(values, terminal);
  try {
    const force =
      values.force === undefined ? undefined : await forced(values.force, kit, terminal);
    return await act(kit, { json: values.json === true, rest, to: values.to, force });
  } finally {
    await kit.dispose();
  }
}

/**
 * Resolves paths typed relative to the current directory, or to the workspace as they are shown. Throws for a path that
 * no call changed.
 */
async function forced(
  paths: readonly string[],
  kit: Kit,
  { cwd }: Terminal,
): Promise<readonly string[]> {
  const calls = await kit.history();
  const changed = new Set(
    calls.flatMap(({ changes, skipped }) => [...changes, ...skipped].map(({ path }) => path)),
  );
  return paths.flatMap((path) => {
    const named = [resolve(cwd, path), resolve(kit.workspace.path, path)];
    if (named.some((each) => changed.has(each))) return named;
    throw new UsageError(
      `--force ${path}: no call in the history changed it.`,
      "--force names a path that was changed since, among those the call changed; haft history lists them.",
    );
  });
}

/** Maximum number of uncaptured paths listed one by one. */
const maxSkipped = 10;

interface Reporting {
  readonly kit: Kit;
  readonly verb: string;
  readonly did: string;
  readonly json: boolean;
  readonly terminal: Terminal;
}

async function reported(
  reporting: Reporting,
  work: () => ReturnType<Kit["undo"]>,
): Promise<ExitCode> {
  try {
    return report(await work(), reporting);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const { json, terminal, verb, kit } = reporting;
    if (json) {
      terminal.out(`${JSON.stringify({ error: error.toJSON() }, null, 2)}\n`);
      return exitCodes.failed;
    }
    terminal.err(`haft: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
    if (error.code === "NOT_FOUND") terminal.err("haft history lists the calls.\n");
    printConflicts(error, { verb, workspace: kit.workspace.path, terminal });
    return exitCodes.failed;
  }
}

function report(
  result: Awaited<ReturnType<Kit["undo"]>>,
  { kit, did, json, terminal }: Reporting,
): ExitCode {
  const left = [...result.kept, ...result.skipped];
  if (json) terminal.out(`${JSON.stringify(result, null, 2)}\n`);
  else {
    for (const { path, change } of result.changes) {
      terminal.out(`${did}: ${shownPath(path, kit.workspace.path)} (${change})\n`);
    }
    for (const { path, note } of result.byHooks ?? []) {
      terminal.out(`${shownPath(path, kit.workspace.path)}: ${visibleText(note)}\n`);
    }
    for (const { callId, message } of result.messages ?? []) {
      terminal.out(`${callId}: ${visibleText(message)}\n`);
    }
    const skipped = result.skipped.slice(0, maxSkipped);
    const changed = new Set(result.changes.map(({ path }) => path));
    for (const { path, because } of [...result.kept, ...skipped]) {
      const head = changed.has(path) ? "Note" : "Unchanged";
      terminal.err(`${head}: ${shownPath(path, kit.workspace.path)}: ${because}\n`);
    }
    const more = result.skipped.length - skipped.length;
    if (more > 0)
      terminal.err(`Unchanged: ${more} more that were not stored; --json lists them.\n`);
  }
  return left.length === 0 ? exitCodes.ok : exitCodes.failed;
}
