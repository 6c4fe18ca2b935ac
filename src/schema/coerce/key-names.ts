import type { Coercion } from "./context.ts";
import { deepEqual } from "../../text/index.ts";
import {
  pointer,
  propertiesOf,
  requiredOf,
  takesAnyKey,
  type SchemaNode,
} from "../validate/schema-node.ts";

/**
 * Renames keys to their declared names if a model used an alias or another case style. Never overwrites a declared key,
 * and leaves a key unchanged that could mean two properties.
 */
export function renameKeys(
  coercion: Coercion,
  node: SchemaNode,
  { value, path }: { value: Readonly<Record<string, unknown>>; path: string },
): Readonly<Record<string, unknown>> {
  const properties = propertiesOf(node);
  const strays = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  if (strays.length === 0) return value;
  // If every key is content, only a missing required key proves that another name was meant for it.
  const isOpen = takesAnyKey(node);
  const names = (isOpen ? requiredOf(node) : Object.keys(properties)).filter((name) =>
    Object.hasOwn(properties, name),
  );
  const moves = new Map<string, string>();
  for (const key of strays) {
    const target = meantName(key, names, coercion.aliases);
    if (target === undefined) continue;
    if (Object.hasOwn(value, target) && !deepEqual(value[target], value[key])) continue;
    moves.set(key, target);
  }
  for (const [key, target] of moves) {
    const rivals = [...moves].filter(([, other]) => other === target);
    const isClear = rivals.every(([rival]) => deepEqual(value[rival], value[key]));
    if (!isClear) for (const [rival] of rivals) moves.delete(rival);
  }
  if (moves.size === 0) return value;
  const renamed: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const target = moves.get(key);
    renamed.push([target ?? key, member]);
    if (target === undefined) continue;
    coercion.repairs.push({
      path: pointer(path, target),
      kind: "key-name",
      message: `${key} was taken as ${target}.`,
    });
  }
  return Object.fromEntries(renamed);
}

/**
 * Folds a name to ignore case and separators; a name of one character keeps its case, which distinguishes `-a` from
 * `-A`.
 */
export function foldName(name: string): string {
  const bare = name.replaceAll(/[\s_.-]+/gu, "");
  return bare.length > 1 ? bare.toLowerCase() : bare;
}

function meantName(
  key: string,
  names: readonly string[],
  aliases: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const spellings = (name: string) => [name, ...(aliases.get(name) ?? [])];
  const exact = names.filter((name) => aliases.get(name)?.includes(key) === true);
  const folded = foldName(key);
  const found =
    exact.length > 0 || folded === ""
      ? exact
      : names.filter((name) => spellings(name).some((other) => foldName(other) === folded));
  return found.length === 1 ? found[0] : undefined;
}
