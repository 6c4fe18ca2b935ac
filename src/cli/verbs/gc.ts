import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";

const help = `Usage: haft gc [--dry-run]

Deletes artifacts that are old or beyond their quota, what the journal stores beyond its own, and old events. What may
be in use stays. This happens by itself as well; the limits are in the settings, under limits.artifacts.

      --dry-run         say what would go, and leave it
${kitOptionsHelp}`;

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
  refuseMore(rest, 0, "haft gc takes none.");
  const kit = await openKit(values, terminal);
  try {
    const dryRun = values["dry-run"] === true;
    const { artifacts, journal, undo, events } = await kit.collectGarbage({ dryRun });
    if (values.json === true) {
      terminal.out(`${JSON.stringify({ dryRun, artifacts, journal, undo, events }, null, 2)}\n`);
      return exitCodes.ok;
    }
    const did = dryRun ? "Would delete" : "Deleted";
    terminal.out(
      `${did} ${counted(artifacts.files, "long answer")} (${artifacts.bytes} bytes), and of the journal ${counted(journal.calls, "call")} and ${counted(journal.blobs, "content")} (${journal.bytes} bytes), and the records by which tools undo ${counted(undo.calls, "call")} (${undo.bytes} bytes), and ${counted(events.events, "event")} (${events.bytes} bytes).\n`,
    );
    return exitCodes.ok;
  } finally {
    await kit.dispose();
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
