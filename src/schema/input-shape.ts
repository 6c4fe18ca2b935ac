import { isRecord } from "./deep-equal.ts";
import {
  below,
  branchesOf,
  itemOf,
  propertiesOf,
  takesAnyKey,
  type SchemaNode,
} from "./schema-node.ts";

/** Which keys an input may have, so that a key its tool would not see is noticed also in a valid input. */
export interface InputShape {
  /** Undefined where every key is content, or where the validator itself refuses others. */
  readonly keys: ReadonlySet<string> | undefined;
  /** Properties whose own keys matter. */
  readonly nested: readonly (readonly [string, InputShape])[];
  readonly items: InputShape | undefined;
}

/** Reads a shape from a schema; undefined where there is nothing to notice. */
export function inputShape(node: SchemaNode): InputShape | undefined {
  return shapeOf(node, 0);
}

/** Whether a value has a key that its schema neither names nor takes as content. */
export function hasStrayKey(shape: InputShape, value: unknown): boolean {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items !== undefined && value.some((item) => hasStrayKey(items, item));
  }
  if (!isRecord(value)) return false;
  const { keys } = shape;
  if (keys !== undefined) {
    for (const key in value) if (!keys.has(key)) return true;
  }
  for (const [key, nested] of shape.nested) {
    const member = value[key];
    if (member !== undefined && hasStrayKey(nested, member)) return true;
  }
  return false;
}

/** The one alternative for objects or arrays in a union with scalars, as in "this or null"; else the node. */
export function soleContainer(node: SchemaNode): SchemaNode {
  const containers = branchesOf(node).filter(
    ({ schema }) => isRecord(schema["properties"]) || schema["items"] !== undefined,
  );
  const [first] = containers;
  return containers.length === 1 && first !== undefined ? first : node;
}

/** Deeper than this, inputs are not searched for stray keys; recursive schemas would have no end. */
const maxDepth = 6;

function shapeOf(union: SchemaNode, depth: number): InputShape | undefined {
  if (depth > maxDepth) return undefined;
  const node = soleContainer(union);
  const isClosed = node.schema["additionalProperties"] === false;
  const keys = isClosed || takesAnyKey(node) ? undefined : new Set(Object.keys(propertiesOf(node)));
  const nested = Object.entries(propertiesOf(node)).flatMap(([key, schema]) => {
    const shape = shapeOf(below(node, schema), depth + 1);
    return shape === undefined ? [] : [[key, shape] as const];
  });
  const item = itemOf(node, 0);
  const items = item === undefined ? undefined : shapeOf(below(node, item), depth + 1);
  const isTrivial = keys === undefined && nested.length === 0 && items === undefined;
  return isTrivial ? undefined : { keys, nested, items };
}
