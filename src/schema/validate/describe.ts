import {
  below,
  branchesOf,
  choicesOf,
  itemOf,
  requiredOf,
  typesOf,
  type SchemaNode,
} from "./schema-node.ts";

/** Describes what a schema accepts, in words that complete "expected …". */
export function describeNode(node: SchemaNode, depth = 0): string {
  const choices = choicesOf(node);
  if (choices !== undefined) {
    const shown = choices.slice(0, maxChoices).map((choice) => JSON.stringify(choice));
    if (choices.length > maxChoices) shown.push(`${choices.length - maxChoices} others`);
    return choices.length === 1 ? shown.join("") : `one of ${shown.join(", ")}`;
  }
  const branches = branchesOf(node);
  if (branches.length > 0 && depth < 2) {
    return [...new Set(branches.map((branch) => describeNode(branch, depth + 1)))].join(" or ");
  }
  const types = typesOf(node);
  if (types === undefined) return "a value";
  return types.map((type) => describeType(node, type, depth)).join(" or ");
}

/** Formats a value on one line, shortened if necessary. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value) && value.length > 5) return `an array of ${value.length}`;
  const text = JSON.stringify(value) ?? typeof value;
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}… (${text.length} characters)`;
}

const maxChoices = 12;
const maxShown = 80;

function describeType(node: SchemaNode, type: string, depth: number): string {
  switch (type) {
    case "string":
      return describeString(node);
    case "integer":
      return `integer${describeRange(node)}`;
    case "number":
      return `number${describeRange(node)}`;
    case "array":
      return describeArray(node, depth);
    case "object": {
      const required = requiredOf(node);
      return required.length === 0 ? "object" : `object with ${required.join(", ")}`;
    }
    default:
      return type;
  }
}

function describeString({ schema }: SchemaNode): string {
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof pattern === "string") return `string matching ${pattern}`;
  if (typeof format === "string") return `string (${format})`;
  if (typeof maxLength === "number") return `string of at most ${maxLength} characters`;
  return typeof minLength === "number" && minLength > 0 ? "non-empty string" : "string";
}

function describeRange({ schema }: SchemaNode): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const parts: string[] = [];
  if (isBound(minimum)) parts.push(`>= ${minimum}`);
  if (isBound(exclusiveMinimum)) parts.push(`> ${exclusiveMinimum}`);
  if (isBound(maximum)) parts.push(`<= ${maximum}`);
  if (isBound(exclusiveMaximum)) parts.push(`< ${exclusiveMaximum}`);
  if (isBound(multipleOf)) parts.push(`a multiple of ${multipleOf}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Whether a limit is meaningful. Excludes the limits of a double, which some converters write for every integer. */
function isBound(limit: unknown): limit is number {
  return typeof limit === "number" && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
}

function describeArray(node: SchemaNode, depth: number): string {
  const { minItems, maxItems } = node.schema;
  const item = itemOf(node, 0);
  const of =
    item === undefined || depth > 1 ? "" : ` of ${describeNode(below(node, item), depth + 1)}`;
  const least = typeof minItems === "number" && minItems > 0 ? `at least ${minItems}` : "";
  const most = typeof maxItems === "number" ? `at most ${maxItems}` : "";
  const size = [least, most].filter((part) => part !== "").join(", ");
  return `array${of}${size === "" ? "" : ` (${size})`}`;
}
