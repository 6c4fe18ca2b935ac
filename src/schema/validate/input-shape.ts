import { isRecord } from "../../text/index.ts";
import {
  below,
  branchesOf,
  itemOf,
  propertiesOf,
  takesAnyKey,
  type SchemaNode,
} from "./schema-node.ts";

/** Keys that an input may have. Serves to notice a key that the tool would not see, even in a valid input. */
export interface InputShape {
  /** Undefined if every key is content, or if the validator itself refuses others. */
  readonly keys: ReadonlySet<string> | undefined;
  /** Properties whose own keys are checked. */
  readonly nested: readonly (readonly [string, InputShape])[];
  readonly items: InputShape | undefined;
}

/** Derives a shape from a schema; undefined if there is nothing to check. */
export function inputShape(node: SchemaNode): InputShape | undefined {
  return shapeOf(node, 0);
}

/** Whether a value has a key that its schema neither declares nor accepts as content. */
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

/**
 * The only alternative for objects or arrays in a union with scalars, as in "this or null"; otherwise the node itself.
 */
export function soleContainer(node: SchemaNode): SchemaNode {
  const containers = branchesOf(node).filter(
    ({ schema }) => isRecord(schema["properties"]) || schema["items"] !== undefined,
  );
  const [first] = containers;
  return containers.length === 1 && first !== undefined ? first : node;
}

/** Maximum depth of the search for unexpected keys; recursive schemas would have no end. */
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
