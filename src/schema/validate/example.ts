import type { InputIssue } from "../../core/index.ts";
import type { PreparedInput } from "./compile-input.ts";
import { accepts } from "./check-schema.ts";
import {
  below,
  branchesOf,
  choicesOf,
  itemOf,
  propertiesOf,
  requiredOf,
  typesOf,
  type SchemaNode,
} from "./schema-node.ts";

/** Builds a small valid input as JSON, with the keys that had issues; undefined if none can be built. */
export function exampleFor(
  prepared: PreparedInput | undefined,
  issues: readonly InputIssue[],
): string | undefined {
  if (prepared?.node === undefined) return undefined;
  const mentioned = issues.map(({ path }) => path.split("/")[1] ?? "");
  const example = exampleOf(prepared.node, { extra: mentioned, depth: 0 });
  // The validator may enforce rules that the JSON Schema does not contain.
  const result = prepared.check(example);
  const isValid = !(result instanceof Promise) && result.issues === undefined;
  return isValid ? JSON.stringify(example) : undefined;
}

interface Wanted {
  /** Optional keys to include. */
  readonly extra: readonly string[];
  readonly depth: number;
}

const maxDepth = 6;
const formats: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  uri: "https://example.com",
  url: "https://example.com",
  email: "name@example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

function exampleOf(node: SchemaNode, wanted: Wanted): unknown {
  const { examples, default: fallback } = node.schema;
  const given: unknown[] = Array.isArray(examples) ? [...examples, fallback] : [fallback];
  const ready = given.find(
    (value) => value !== undefined && value !== null && accepts(node, value),
  );
  if (ready !== undefined) return ready;
  const [choice] = choicesOf(node) ?? [];
  if (choice !== undefined) return choice;
  if (wanted.depth > maxDepth) return null;
  const [branch] = branchesOf(node);
  if (branch !== undefined) return exampleOf(branch, wanted);
  switch (typesOf(node)?.[0]) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
    case "number":
      return exampleNumber(node);
    case "array":
      return exampleItems(node, wanted.depth);
    case "object":
      return exampleMembers(node, wanted);
    case "string":
    case undefined:
      return exampleText(node);
  }
}

function exampleNumber(node: SchemaNode): number {
  const { minimum, maximum, exclusiveMinimum, multipleOf } = node.schema;
  const limits = [1, minimum, maximum, multipleOf].filter((limit) => typeof limit === "number");
  if (typeof exclusiveMinimum === "number") limits.push(Math.floor(exclusiveMinimum) + 1);
  return limits.find((limit) => accepts(node, limit)) ?? 1;
}

function exampleText(node: SchemaNode): string {
  const { format, minLength } = node.schema;
  const text = typeof format === "string" ? (formats[format] ?? "text") : "text";
  return typeof minLength === "number" ? text.padEnd(Math.min(minLength, 100), "text") : text;
}

function exampleItems(node: SchemaNode, depth: number): unknown[] {
  const { minItems, prefixItems } = node.schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems.length : 1;
  const length = Math.max(tuple, typeof minItems === "number" ? Math.min(minItems, 10) : 0);
  return Array.from({ length }, (_, index) =>
    exampleOf(below(node, itemOf(node, index)), { extra: [], depth: depth + 1 }),
  );
}

function exampleMembers(node: SchemaNode, { extra, depth }: Wanted): unknown {
  const properties = propertiesOf(node);
  const keys = new Set([
    ...requiredOf(node),
    ...extra.filter((key) => Object.hasOwn(properties, key)),
  ]);
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      exampleOf(below(node, properties[key]), { extra: [], depth: depth + 1 }),
    ]),
  );
}
