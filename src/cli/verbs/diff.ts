import { ToolError, type Kit } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { describeEntry, shownPath } from "../print/history-entry.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, recordOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import { namedFromWorkspace, printDiff } from "../print/print-diff.ts";
import type { Terminal } from "../terminal.ts";

const help = `Usage: haft diff [CALL]      show what a call changed; default: the last one in the history

haft history lists the calls. A file that is not text, or whose content was not stored, is named without its lines. A
file that is not in UTF-8 is named with its encoding; its lines appear in a terminal but not in a pipe, because they
cannot be part of a patch.

${recordOptionsHelp()}`;

/** `haft diff`: shows what one call changed in files. */
export async function diff(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  refuseMore(rest, 1, "haft diff takes one call id.");
  const [callId] = rest;
  const kit = await openKit(values, terminal);
  try {
    const entry = await entryOf(kit, callId);
    const differences = await kit.diff(entry.callId);
    if (values.json === true) {
      terminal.out(`${JSON.stringify({ ...entry, differences }, null, 2)}\n`);
      return exitCodes.ok;
    }
    terminal.err(`${terminal.style("dim", describeEntry(entry, kit.workspace.path))}\n`);
    for (const difference of differences) {
      const { diff: text, path, change, encoding } = difference;
      // A pipe gets the format of git apply and patch, unless colors are forced for a human reader.
      const isRead = terminal.isOutputShown || terminal.style("dim", "", "out") !== "";
      const isShown = text !== undefined && (isRead || encoding === undefined);
      if (!isShown || encoding !== undefined) {
        const inEncoding = encoding === undefined ? "" : `, in ${encoding}`;
        terminal.out(`  ${shownPath(path, kit.workspace.path)}: ${change}${inEncoding}\n`);
      }
      if (!isShown) continue;
      const named = namedFromWorkspace(text, path, kit.workspace.path);
      terminal.out(isRead ? printDiff(named, terminal, "out") : named);
    }
    return exitCodes.ok;
  } finally {
    await kit.dispose();
  }
}

async function entryOf(kit: Kit, callId: string | undefined) {
  const history = await kit.history();
  const entry = callId === undefined ? history[0] : history.find((each) => each.callId === callId);
  if (entry !== undefined) return entry;
  throw new ToolError(
    "NOT_FOUND",
    callId === undefined
      ? "No call has changed anything here."
      : `No call ${callId} is in the history.`,
    { hint: "haft history lists the calls that changed files." },
  );
}
