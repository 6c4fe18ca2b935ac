import { isNotFound, joinPath } from "../text/index.ts";
import { isContentHash } from "./capture/file-state.ts";
import type { JournalState } from "./journal-state.ts";
import type { CallRecord } from "./records.ts";
import { damagedName } from "./log/set-aside.ts";

/** Result of checking a journal. */
export interface JournalReport {
  /** Number of calls with a record. */
  readonly calls: number;
  /** Damage and its consequences, one sentence each. */
  readonly damage: readonly string[];
  /** Paths of files that were set aside. */
  readonly setAside: readonly string[];
  /** Reason why calls do not wait for other programs that change the same paths; undefined if they do. */
  readonly turnsOff: string | undefined;
}

/** Maximum number of names listed; the rest are counted. */
const maxNamed = 5;
/** Maximum time for reading contents. */
const maxReadMs = 5000;

export async function examineJournal(state: JournalState): Promise<JournalReport> {
  const { log, index } = state.files;
  const calls = await state.records.calls();
  const lines = Array.from(index.damage.lines, ([segment, { offset, count }]) => {
    const what = count === 1 ? "a line" : `${count} lines`;
    return `${what} of log/${segment} from byte ${offset} on cannot be read.`;
  });
  const ragged = Array.from(
    log.ragged,
    ([segment, bytes]) =>
      `log/${segment} ends within a line: its last ${bytes} bytes are incomplete.`,
  );
  const unreadable = Array.from(log.unreadable, ([segment, because]) => {
    return `log/${segment} cannot be read: ${because.replace(/\.$/u, "")}.`;
  });
  const notes = Array.from(index.damage.notes, ([name, count]) => {
    return `calls/${name} has ${count} damaged ${count === 1 ? "note" : "notes"}; nothing depends on them while the log is whole.`;
  });
  return {
    calls: calls.length,
    damage: [
      ...unreadable,
      ...lines,
      ...ragged,
      ...notes,
      ...lostCalls(calls),
      ...(await lostContents(state, calls)),
    ],
    setAside: await setAsideIn(state),
    turnsOff: state.turns.whyOff(),
  };
}

function lostCalls(calls: readonly CallRecord[]): readonly string[] {
  const damaged = calls.filter((record) => record.damaged !== undefined);
  if (damaged.length === 0) return [];
  const what = damaged.length === 1 ? "A call is" : `${damaged.length} calls are`;
  return [`${what} known in part, or cannot be undone: ${listed(damaged.map(named))}.`];
}

/** Before-images that are missing or damaged. */
async function lostContents(
  { blobs, clock }: JournalState,
  calls: readonly CallRecord[],
): Promise<readonly string[]> {
  const until = clock.now() + maxReadMs;
  const known = new Map<string, boolean>();
  const lost: string[] = [];
  for (const record of calls.toReversed()) {
    const paths: string[] = [];
    for (const { path, before } of record.paths) {
      if (record.state === "undone" || before.kind !== "file" || !isContentHash(before.hash))
        continue;
      if (clock.now() > until)
        return [...lost, "There is more, which was not looked at: it would take too long."];
      const isKept = known.get(before.hash) ?? (await isReadable(before.hash, blobs));
      known.set(before.hash, isKept);
      if (!isKept) paths.push(path);
    }
    if (paths.length > 0) {
      lost.push(
        `${named(record)} cannot be undone whole: the copy of ${listed(paths)} is damaged or lost.`,
      );
    }
  }
  return lost;
}

async function isReadable(hash: string, blobs: JournalState["blobs"]): Promise<boolean> {
  try {
    return (await blobs.get(hash)) !== undefined;
  } catch {
    return false;
  }
}

async function setAsideIn({ fs, directory }: JournalState): Promise<readonly string[]> {
  const folder = joinPath(directory, damagedName);
  const paths: string[] = [];
  try {
    for await (const { name } of fs.list(folder)) paths.push(joinPath(folder, name));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return paths.toSorted();
}

function named({ tool, callId, at }: CallRecord): string {
  const when = Number.isSafeInteger(at) && at < 8.64e15 ? new Date(at).toISOString() : "";
  return `${tool} (${callId}${when === "" ? "" : `, ${when.slice(0, 19)}Z`})`;
}

function listed(some: readonly string[]): string {
  const more = some.length - maxNamed;
  return `${some.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
