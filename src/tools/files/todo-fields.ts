import { z } from "zod";
import type { Todo } from "../../core/index.ts";

/** Maximum characters of a title, and of a description. */
const maxTitleChars = 500;
const maxDescriptionChars = 20_000;
const maxDependencies = 100;

/** Schema of the fields of a todo, shared by the tools that set them. */
export const todoTitle = z.string().trim().min(1).max(maxTitleChars).describe("What to do.");
export const todoDescription = z.string().max(maxDescriptionChars).describe("Details.");
export const todoDependencies = z
  .array(z.string())
  .max(maxDependencies)
  .describe("Tasks that come first.");
export const todoOwner = z.string().max(maxTitleChars).describe("Who does it.");

/** Aliases of the keys, as other tools call them. */
export const todoAliases: Readonly<Record<string, readonly string[]>> = {
  title: ["subject", "content", "name"],
  depends_on: ["dependsOn", "blocked_by", "blockedBy", "dependencies"],
};

/** Describes what a todo waits for; undefined if nothing is open. `byId` has the tasks of its session. */
export function openDependencies(
  { id, dependsOn }: Todo,
  byId: ReadonlyMap<string, { readonly status: string }>,
): string | undefined {
  const open = dependsOn.flatMap((each) => {
    const status = byId.get(each)?.status;
    return status === undefined || closed.has(status) ? [] : [`${each} (${status})`];
  });
  return open.length === 0 ? undefined : `${id} depends on ${open.join(", ")}.`;
}

const closed: ReadonlySet<string> = new Set(["done", "cancelled", "ended"]);
