import { createToolkit, type Kit } from "../index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { kitOptions, kitOptionsHelp, parseWords, toolkitOptions } from "./options.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const help = `Usage: haft history              the calls that changed files, newest first
       haft undo [N | CALL]      take back the last call, the last N, or the call with this id
       haft redo                 do again what the last undo took back

Undo puts back content, mode and existence exactly, and refuses where a file is no longer what the call left.

${kitOptionsHelp}`;

/** `haft history`: what was changed and can be taken back. */
export async function history(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await withKit(words, terminal, async (kit, { json }) => {
    const entries = await kit.history();
    if (json) {
      terminal.out(`${JSON.stringify(entries, null, 2)}\n`);
      return exitCodes.ok;
    }
    if (entries.length === 0) terminal.err("No call has changed anything here.\n");
    for (const { callId, tool, at, paths, state } of entries) {
      const when = new Date(at).toISOString().slice(0, 19).replace("T", " ");
      terminal.out(
        `${callId}  ${when}  ${tool}  ${paths.join(" ")}${state === "done" ? "" : `  (${state})`}\n`,
      );
    }
    return exitCodes.ok;
  });
}

/** `haft undo`: puts back what a call changed. */
export async function undo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await withKit(words, terminal, async (kit, { rest }) => {
    const [what = "1"] = rest;
    const target = /^\d+$/u.test(what) ? { last: Number(what) } : { call: what };
    return report(await kit.undo(target), "Put back", terminal);
  });
}

/** `haft redo`: does again what undo took back. */
export async function redo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await withKit(words, terminal, async (kit) =>
    report(await kit.redo(), "Done again", terminal),
  );
}

interface Given {
  readonly json: boolean;
  readonly rest: readonly string[];
}

async function withKit(
  words: readonly string[],
  terminal: Terminal,
  act: (kit: Kit, given: Given) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  if (rest.length > 1)
    throw new UsageError(`Too many words: ${rest.join(" ")}.`, "haft history --help.");
  const kit = await createToolkit(toolkitOptions(values, terminal));
  try {
    return await act(kit, { json: values.json === true, rest });
  } finally {
    await kit.dispose();
  }
}

function report(
  { paths, refused }: Awaited<ReturnType<Kit["undo"]>>,
  did: string,
  terminal: Terminal,
): ExitCode {
  for (const path of paths) terminal.out(`${did}: ${path}\n`);
  for (const { path, reason } of refused) terminal.err(`Left alone: ${path}: ${reason}\n`);
  if (paths.length === 0 && refused.length === 0) terminal.err("There is nothing to take back.\n");
  return refused.length === 0 && paths.length > 0 ? exitCodes.ok : exitCodes.failed;
}
