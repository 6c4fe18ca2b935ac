import type { Repair } from "../../core/index.ts";
import type { Coercion } from "./context.ts";
import { accepts } from "../validate/check-schema.ts";
import { deepEqual, isRecord } from "../../text/index.ts";
import { describeValue } from "../validate/describe.ts";
import { soleContainer } from "../validate/input-shape.ts";
import { renameKeys } from "./key-names.ts";
import { listReadings, scalarReadings, type Reading } from "./interpretations.ts";
import {
  below,
  branchesOf,
  itemOf,
  pointer,
  propertiesOf,
  requiredOf,
  typesOf,
  type SchemaNode,
} from "../validate/schema-node.ts";

export interface CoercionPlace {
  readonly value: unknown;
  readonly path: string;
  /** Whether a single value may be wrapped in a list here. */
  readonly mayWrap: boolean;
}

/**
 * Converts a value to fit its schema if there is exactly one way to do so, and lists each change. An ambiguous value is
 * left unchanged for the validator to refuse. Does not modify its argument.
 */
export function coerce(coercion: Coercion, node: SchemaNode, place: CoercionPlace): unknown {
  const { value } = place;
  if (coercion.keysOnly) return coerceWithin(coercion, soleContainer(node), place);
  if (accepts(node, value)) return coerceWithin(coercion, soleContainer(node), place);
  const branches = branchesOf(node);
  if (branches.length > 0) return coerceUnion(coercion, branches, place);
  const types = typesOf(node);
  if (isRecord(value) && types?.includes("object") === true) {
    return coerceWithin(coercion, node, place);
  }
  if (Array.isArray(value) && types?.includes("array") === true) {
    return coerceWithin(coercion, node, place);
  }
  if (coercion.depth > maxReadings) return value;
  const direct = settle(coercion, node, { place, readings: scalarReadings(node, value, coercion) });
  if (direct !== undefined) return direct.value;
  if (!place.mayWrap) return value;
  return settle(coercion, node, { place, readings: listReadings(node, value) })?.value ?? value;
}

const maxReadings = 6;

function coerceWithin(coercion: Coercion, node: SchemaNode, place: CoercionPlace): unknown {
  const { value, path } = place;
  if (Array.isArray(value)) return coerceItems(coercion, node, { value, path });
  return isRecord(value) ? coerceMembers(coercion, node, { value, path }) : value;
}

function coerceItems(
  coercion: Coercion,
  node: SchemaNode,
  { value, path }: { value: readonly unknown[]; path: string },
): unknown {
  let items: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const schema = itemOf(node, index);
    if (schema === undefined) continue;
    // In a list of lists, wrapping an item and wrapping the whole value would be two interpretations.
    const place = { value: item, path: pointer(path, index), mayWrap: false };
    const coerced = coerce(coercion, below(node, schema), place);
    if (coerced === item) continue;
    items ??= [...value];
    items[index] = coerced;
  }
  return items ?? value;
}

function coerceMembers(
  coercion: Coercion,
  node: SchemaNode,
  { value, path }: { value: Readonly<Record<string, unknown>>; path: string },
): unknown {
  const renamed = renameKeys(coercion, node, { value, path });
  const properties = propertiesOf(node);
  const required = new Set(requiredOf(node));
  const { additionalProperties } = node.schema;
  const changes = new Map<string, unknown>();
  const dropped = new Set<string>();
  for (const [key, member] of Object.entries(renamed)) {
    const at = pointer(path, key);
    const isDeclared = Object.hasOwn(properties, key);
    const schema = isDeclared ? properties[key] : additionalProperties;
    const mayDrop = isDeclared ? !required.has(key) : additionalProperties === false;
    if (schema === undefined || (schema === false && member !== null)) continue;
    const isAbsent = member === null && mayDrop && !accepts(below(node, schema), null);
    if (isAbsent && !coercion.keysOnly) {
      dropped.add(key);
      coercion.repairs.push({
        path: at,
        kind: "null-for-absent",
        message: `${key} was null and was taken as not given.`,
      });
      continue;
    }
    if (coercion.freeText.has(key)) continue;
    const place = { value: member, path: at, mayWrap: true };
    const coerced = coerce(coercion, below(node, schema), place);
    if (coerced !== member) changes.set(key, coerced);
  }
  if (changes.size === 0 && dropped.size === 0) return renamed;
  return Object.fromEntries(
    Object.entries(renamed)
      .filter(([key]) => !dropped.has(key))
      .map(([key, member]) => [key, changes.has(key) ? changes.get(key) : member]),
  );
}

/** Coerces a value to a union. Succeeds if all alternatives that can be reached yield the same value. */
function coerceUnion(
  coercion: Coercion,
  branches: readonly SchemaNode[],
  place: CoercionPlace,
): unknown {
  for (const mayWrap of [false, true]) {
    const attempts = branches.flatMap((branch) => {
      const attempt = { ...coercion, repairs: [] };
      const value = coerce(attempt, branch, { ...place, mayWrap: mayWrap && place.mayWrap });
      return accepts(branch, value) ? [{ value, repairs: attempt.repairs }] : [];
    });
    const agreed = agree(attempts);
    if (agreed !== undefined) {
      coercion.repairs.push(...agreed.repairs);
      return agreed.value;
    }
    if (attempts.length > 0) break;
  }
  return place.value;
}

interface Attempt {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** Follows each interpretation to the end; succeeds if exactly one value results. */
function settle(
  coercion: Coercion,
  node: SchemaNode,
  { place, readings }: { place: CoercionPlace; readings: readonly Reading[] },
): Attempt | undefined {
  const attempts = readings.flatMap((reading): Attempt[] => {
    const attempt: Coercion = { ...coercion, repairs: [], depth: coercion.depth + 1 };
    const inner = { value: reading.value, path: place.path, mayWrap: false };
    const value = coerce(attempt, node, inner);
    if (!accepts(node, value)) return [];
    const { path } = place;
    const message = `${describeValue(place.value)} was ${reading.told}.`;
    return [{ value, repairs: [{ path, kind: reading.kind, message }, ...attempt.repairs] }];
  });
  const agreed = agree(attempts);
  if (agreed !== undefined) coercion.repairs.push(...agreed.repairs);
  return agreed;
}

function agree(attempts: readonly Attempt[]): Attempt | undefined {
  const [first] = attempts;
  return attempts.every(({ value }) => deepEqual(value, first?.value)) ? first : undefined;
}
