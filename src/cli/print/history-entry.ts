import type { Kit } from "../../index.ts";
import { visibleText } from "./visible-text.ts";

type Entry = Awaited<ReturnType<Kit["history"]>>[number];

/** Maximum number of paths listed for one call; the others are counted. */
const maxNamed = 10;

/** Describes a call that changed something, in one line. */
export function describeEntry(entry: Entry, workspace: string): string {
  const when = new Date(entry.at).toISOString().slice(0, 19).replace("T", " ");
  const named = entry.changes.slice(0, maxNamed).map(({ path, change, hooks }) => {
    const [hook] = hooks ?? [];
    const also = hook === undefined ? "" : ` (also while the hook \`${visibleText(hook)}\` ran)`;
    return `${change} ${shownPath(path, workspace)}${also}`;
  });
  const more = entry.changes.length - named.length;
  const own = entry.byItsTool === true ? ["undone by its tool"] : [];
  const changes = [...named, ...own, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
  const level = `${levels[entry.level]}${notKept(entry, workspace)}`;
  const state = entry.isRunning === true ? "still running" : states[entry.state];
  const damaged = entry.damaged === undefined ? "" : visibleText(entry.damaged);
  const words = [`${state}${notBrought(entry, workspace)}`, level, damaged].filter(
    (word) => word !== "",
  );
  const said = words.length === 0 ? "" : `  (${words.join("; ")})`;
  return `${entry.callId}  ${when} UTC  ${entry.tool}  ${changes}${said}`;
}

const states = {
  done: "",
  open: "interrupted",
  undone: "undone",
} as const satisfies Record<Entry["state"], string>;

const levels = {
  full: "",
  partial: "only part of it can be undone",
  none: "cannot be undone",
} as const satisfies Record<Entry["level"], string>;

/** Describes the paths that the latest undo or redo could not restore. */
function notBrought({ state, left: [first, ...more] = [] }: Entry, workspace: string): string {
  if (first === undefined) return "";
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const what = state === "done" ? "redone except for" : " except for";
  return `${what} ${shownPath(first.path, workspace)}${others}: ${visibleText(first.because)}`;
}

/** Counts the paths that were not captured, and names the first. */
function notKept({ skipped: [first, ...more] }: Entry, workspace: string): string {
  if (first === undefined) return "";
  const others = more.length === 0 ? " is" : ` and ${more.length} more are`;
  return `: ${shownPath(first.path, workspace)}${others} not stored`;
}

export function shownPath(path: string, workspace: string): string {
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}
