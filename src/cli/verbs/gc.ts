import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, recordOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";

const help = `Usage: haft gc [--dry-run]

Deletes artifacts that are old or beyond their quota, content that the journal stores beyond its quota, and old events.
Content that may be in use is kept. haft also does this by itself; the limits are settings under limits.artifacts,
limits.undo and limits.events.

      --dry-run         report what would be deleted; delete nothing
${recordOptionsHelp()}`;

/** `haft gc`: deletes what is stored for this workspace beyond its quota. */
export async function gc(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, {
    ...kitOptions,
    "dry-run": { type: "boolean" },
  });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  refuseMore(rest, 0, "haft gc takes no arguments.");
  const kit = await openKit(values, terminal);
  try {
    const dryRun = values["dry-run"] === true;
    const { artifacts, journal, undo, events } = await kit.storage.collect({ dryRun });
    if (values.json === true) {
      terminal.out(`${JSON.stringify({ dryRun, artifacts, journal, undo, events }, null, 2)}\n`);
      return exitCodes.ok;
    }
    const did = dryRun ? "Would delete" : "Deleted";
    terminal.out(
      `${did} ${counted(artifacts.files, "artifact")} (${artifacts.bytes} bytes), ${counted(journal.calls, "call")} and ${counted(journal.blobs, "content")} of the journal (${journal.bytes} bytes), ${counted(undo.calls, "undo record")} of tools (${undo.bytes} bytes) and ${counted(events.events, "event")} (${events.bytes} bytes).\n`,
    );
    return exitCodes.ok;
  } finally {
    await kit.dispose();
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
