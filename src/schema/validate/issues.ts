import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { InputIssue } from "../../core/index.ts";
import { findIssues } from "./check-schema.ts";
import type { CompiledInput } from "./compile-input.ts";
import { describeValue } from "./describe.ts";
import { exampleFor } from "./example.ts";
import { pointer, type SchemaNode } from "./schema-node.ts";

/**
 * Converts a validator's issues to haft's wording, which names the expected and the received value. An issue that the
 * JSON Schema does not cover, for example of a custom check, keeps the validator's message.
 */
export function issuesOf(
  node: SchemaNode | undefined,
  { value, issues }: { value: unknown; issues: readonly StandardSchemaV1.Issue[] },
): InputIssue[] {
  const own = node === undefined ? [] : findIssues(node, value);
  const given = issues.map(({ message, path = [] }) => ({
    path: path.map(keyOf).reduce(pointer, ""),
    message,
  }));
  const told = own.filter((issue) => given.some(({ path }) => isRelated(path, issue.path)));
  const untold = given
    .filter(({ path }) => !told.some((issue) => isRelated(path, issue.path)))
    .map(({ path, message }) => ({ path, message, received: describeValue(valueAt(value, path)) }));
  return [...told, ...untold];
}

/** Message and next step for the model. */
export function wordIssues(
  compiled: CompiledInput,
  issues: readonly InputIssue[],
): { message: string; hint: string } {
  const { name, source, prepared } = compiled;
  const lines = issues.slice(0, maxIssues).map(wordIssue);
  if (issues.length > maxIssues) lines.push(`- and ${issues.length - maxIssues} more`);
  const message =
    source.formatIssues?.(issues) ??
    `The input of ${name} does not fit its schema:\n${lines.join("\n")}`;
  const example = exampleFor(prepared, issues);
  const hint =
    example === undefined
      ? `Correct these inputs and call ${name} again.`
      : `Correct these inputs and call ${name} again. An input that fits: ${example}`;
  return { message, hint };
}

const maxIssues = 8;

function wordIssue({ path, message, received, expected }: InputIssue): string {
  const place = path === "" ? "the input" : path;
  const isWhole = expected !== undefined || received === undefined;
  const problem = isWhole ? message : `${message} (received ${received})`;
  return `- ${bounded(place, maxPlaceChars)}: ${bounded(problem, maxProblemChars)}`;
}

/** Maximum characters of a path and of what is wrong there: keys are the model's, and may be of any length. */
const maxPlaceChars = 200;
const maxProblemChars = 2000;

function bounded(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}… (${text.length} characters)`;
}

function keyOf(part: PropertyKey | StandardSchemaV1.PathSegment): string {
  return String(typeof part === "object" ? part.key : part);
}

/** Whether one path contains the other: issues of unions and missing keys are reported at different depths. */
function isRelated(left: string, right: string): boolean {
  return left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
}

function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const part of path.split("/").slice(1)) {
    if (typeof found !== "object" || found === null) return undefined;
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = Object.getOwnPropertyDescriptor(found, key)?.value;
  }
  return found;
}
