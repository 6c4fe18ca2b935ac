import type { InputIssue } from "../../core/index.ts";
import { deepEqual, isRecord } from "../../text/index.ts";
import { describeNode, describeValue } from "./describe.ts";
import {
  below,
  branchesOf,
  choicesOf,
  isOfType,
  itemOf,
  pointer,
  propertiesOf,
  requiredOf,
  typesOf,
  type SchemaNode,
} from "./schema-node.ts";

/**
 * Whether a value fits a schema, by the keywords that shape an input. Used to guide repairs and messages; only the
 * schema's own validator decides.
 */
export function accepts(node: SchemaNode, value: unknown): boolean {
  return check(node, { value, path: "" }, undefined);
}

/** Lists the misfits, with the expected value at each path. Empty if `accepts` holds. */
export function findIssues(node: SchemaNode, value: unknown): InputIssue[] {
  const issues: InputIssue[] = [];
  check(node, { value, path: "" }, issues);
  return issues;
}

interface Place {
  readonly value: unknown;
  readonly path: string;
}

/** With a list, every issue is collected; without one, the first issue ends the check. */
type Issues = InputIssue[] | undefined;

function check(node: SchemaNode, place: Place, issues: Issues): boolean {
  const { value, path } = place;
  const branches = branchesOf(node);
  if (branches.length > 0) {
    if (branches.some((branch) => check(branch, place, undefined))) return true;
    const meant = issues === undefined ? undefined : meantBranch(branches, value);
    if (meant !== undefined) return check(meant, place, issues);
    return mismatch(node, place, issues);
  }
  const types = typesOf(node);
  if (types !== undefined && !isOfType(value, types)) return mismatch(node, place, issues);
  const choices = choicesOf(node);
  if (choices !== undefined && !choices.some((choice) => deepEqual(choice, value))) {
    return mismatch(node, place, issues);
  }
  const { not } = node.schema;
  if (not !== undefined && check(below(node, not), { value, path }, undefined)) {
    return mismatch(node, place, issues);
  }
  if (typeof value === "string" || typeof value === "number") {
    return isInBounds(node, value) || mismatch(node, place, issues);
  }
  if (Array.isArray(value)) return checkItems(node, { value, path }, issues);
  return isRecord(value) ? checkMembers(node, { value, path }, issues) : true;
}

/** The only alternative whose fixed properties this object has, or the only one for its type. */
function meantBranch(branches: readonly SchemaNode[], value: unknown): SchemaNode | undefined {
  const ofType = branches.filter((branch) => isOfType(value, typesOf(branch) ?? []));
  const fitting = isRecord(value) ? ofType.filter((branch) => hasTags(branch, value)) : ofType;
  return fitting.length === 1 ? fitting[0] : undefined;
}

function hasTags(node: SchemaNode, value: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(propertiesOf(node)).every(([key, schema]) => {
    const property = below(node, schema);
    return choicesOf(property)?.length !== 1 || accepts(property, value[key]);
  });
}

function mismatch(node: SchemaNode, { value, path }: Place, issues: Issues): false {
  const expected = describeNode(node);
  const received = describeValue(value);
  issues?.push({ path, message: `expected ${expected}, received ${received}`, expected, received });
  return false;
}

function isInBounds({ schema }: SchemaNode, value: string | number): boolean {
  if (typeof value === "number") {
    return (
      value >= bound(schema["minimum"], -Infinity) &&
      value <= bound(schema["maximum"], Infinity) &&
      value > bound(schema["exclusiveMinimum"], -Infinity) &&
      value < bound(schema["exclusiveMaximum"], Infinity) &&
      isMultiple(value, schema["multipleOf"])
    );
  }
  const length = Array.from(value).length;
  return (
    length >= bound(schema["minLength"], 0) &&
    length <= bound(schema["maxLength"], Infinity) &&
    matchesPattern(value, schema["pattern"])
  );
}

function bound(limit: unknown, otherwise: number): number {
  return typeof limit === "number" ? limit : otherwise;
}

function isMultiple(value: number, step: unknown): boolean {
  if (typeof step !== "number" || step <= 0) return true;
  const ratio = value / step;
  return Math.abs(ratio - Math.round(ratio)) < 1e-9;
}

function matchesPattern(value: string, pattern: unknown): boolean {
  if (typeof pattern !== "string") return true;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

function checkItems(node: SchemaNode, place: Place & { value: unknown[] }, issues: Issues) {
  const { value, path } = place;
  const isSized =
    value.length >= bound(node.schema["minItems"], 0) &&
    value.length <= bound(node.schema["maxItems"], Infinity);
  if (!isSized) return mismatch(node, place, issues);
  let isFine = true;
  for (const [index, item] of value.entries()) {
    const schema = itemOf(node, index);
    isFine =
      check(below(node, schema), { value: item, path: pointer(path, index) }, issues) && isFine;
    if (!isFine && issues === undefined) return false;
  }
  return isFine;
}

function checkMembers(
  node: SchemaNode,
  { value, path }: { value: Readonly<Record<string, unknown>>; path: string },
  issues: Issues,
): boolean {
  const properties = propertiesOf(node);
  let isFine = true;
  for (const key of requiredOf(node)) {
    if (Object.hasOwn(value, key)) continue;
    if (issues === undefined) return false;
    isFine = false;
    const expected = describeNode(below(node, properties[key]));
    const message = `required, but missing; expected ${expected}`;
    issues.push({ path: pointer(path, key), message, expected, received: "nothing" });
  }
  for (const [key, member] of Object.entries(value)) {
    const place = { value: member, path: pointer(path, key) };
    const schema = Object.hasOwn(properties, key) ? properties[key] : extraSchema(node, key);
    const isKnown =
      schema === false
        ? unknownKey(Object.keys(properties), place, issues)
        : check(below(node, schema), place, issues);
    isFine = isKnown && isFine;
    if (!isFine && issues === undefined) return false;
  }
  return isFine;
}

/** Schema of a key that is not declared; false if such keys are not allowed. */
function extraSchema({ schema }: SchemaNode, key: string): unknown {
  const { patternProperties, additionalProperties } = schema;
  if (isRecord(patternProperties)) {
    for (const [pattern, found] of Object.entries(patternProperties)) {
      if (matchesPattern(key, pattern)) return found;
    }
  }
  return additionalProperties;
}

function unknownKey(known: readonly string[], { value, path }: Place, issues: Issues): false {
  const expected = known.length === 0 ? "no inputs" : `one of the keys ${known.join(", ")}`;
  const received = describeValue(value);
  issues?.push({ path, message: `unknown key; expected ${expected}`, expected, received });
  return false;
}
