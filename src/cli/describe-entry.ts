import type { Kit } from "../index.ts";

type Entry = Awaited<ReturnType<Kit["history"]>>[number];

/** Paths named of one call; the others are counted. */
const maxNamed = 10;

/** A call that changed something, in one line. */
export function describeEntry(entry: Entry, workspace: string): string {
  const when = new Date(entry.at).toISOString().slice(0, 19).replace("T", " ");
  const named = entry.changes
    .slice(0, maxNamed)
    .map(({ path, change }) => `${change} ${shownPath(path, workspace)}`);
  const more = entry.changes.length - named.length;
  const own = entry.byItsTool === true ? ["what its tool takes back itself"] : [];
  const changes = [...named, ...own, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
  const words = [states[entry.state], levels[entry.level]].filter((word) => word !== "");
  const state = words.length === 0 ? "" : `  (${words.join("; ")})`;
  return `${entry.callId}  ${when} UTC  ${entry.tool}  ${changes}${state}`;
}

const states = {
  done: "",
  open: "under way, or cut short",
  undone: "taken back",
} as const satisfies Record<Entry["state"], string>;

const levels = {
  full: "",
  partial: "only part of it can be taken back",
  none: "cannot be taken back",
} as const satisfies Record<Entry["level"], string>;

export function shownPath(path: string, workspace: string): string {
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}
