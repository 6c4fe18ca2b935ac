import { ToolError, type StoreAreaName } from "../../core/index.ts";
import { joinPath } from "../../text/index.ts";

/**
 * Entries of an area that are next to its directory, because data directories had them there before areas existed. An
 * entry that ends in `*` stands for every name that begins so.
 */
const beside: Readonly<Record<StoreAreaName, readonly string[]>> = {
  journal: ["undo"],
  trust: ["trust.json"],
  settings: ["saved-rules.json", "mcp", "sandbox.json", "overlay.json", "doctor"],
  tasks: ["shell", "mcp-tasks"],
  // The name that this directory had in earlier versions.
  artifacts: ["artef*"],
  sessions: ["sessions.db*", "events.db*", "agents"],
};

/** Path of a name of an area in a data directory. */
export function storedPath(directory: string, area: StoreAreaName, name: string): string {
  const [first = ""] = name.split("/");
  const isBeside = beside[area].some((entry) => fits(entry, first));
  return joinPath(directory, isBeside ? name : `${area}/${name}`);
}

/** Entries of an area directly in a data directory, as far as names of entries are given. */
export function besideEntries(area: StoreAreaName, entries: readonly string[]): readonly string[] {
  return entries.filter((entry) => beside[area].some((each) => fits(each, entry)));
}

/** Area and name of a path below a data directory; undefined for the directory itself and what belongs to no area. */
export function storedName(
  below: string,
): { readonly area: StoreAreaName; readonly name: string } | undefined {
  const [first = "", ...rest] = below.split("/");
  for (const [area, entries] of Object.entries(beside)) {
    if (!isArea(area)) continue;
    if (first === area) return { area, name: rest.join("/") };
    if (entries.some((entry) => fits(entry, first))) return { area, name: below };
  }
  return undefined;
}

function isArea(name: string): name is StoreAreaName {
  return Object.hasOwn(beside, name);
}

function fits(entry: string, name: string): boolean {
  return entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry;
}

/** Refuses a name that leaves its area or is invalid. */
export function checkStoredName(name: string): string {
  const parts = name.split("/");
  const isName = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (isName && !name.includes("\0")) return name;
  throw new ToolError("INVALID_INPUT", `${JSON.stringify(name)} is not a name in a store.`, {
    hint: "Use components separated by single slashes, without . and ..",
  });
}
