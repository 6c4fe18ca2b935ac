import type { InputIssue } from "../../core/index.ts";
import type { CompiledInput } from "./compile-input.ts";
import { exampleFor } from "./example.ts";

/** Key of a failure. Two failures with the same key are the same mistake, whatever the rest of the input was. */
export function failureKey(name: string, issues: readonly InputIssue[]): string {
  const parts = issues.map(({ path, message }) => `${path}: ${message}`);
  return [name, ...parts].join("\n");
}

/** Hint that replaces the usual one when the same failure occurred `count` times in a row; undefined below three. */
export function repeatedFailureHint(compiled: CompiledInput, count: number): string | undefined {
  if (count < repetitions) return undefined;
  const { name, prepared } = compiled;
  const schema = prepared?.node?.root;
  const shown = schema === undefined ? "" : JSON.stringify(schema);
  const steps = [
    `${name} has now failed ${count} times in the same way. Do not send that input again.`,
    shown === "" || shown.length > maxSchema
      ? "Read the tool's description and schema again."
      : `Its whole schema is ${shown}.`,
  ];
  const example = exampleFor(prepared, []);
  if (example !== undefined) steps.push(`Start from ${example} and change one value at a time.`);
  steps.push("If the task cannot be done this way, say so or use another tool.");
  return steps.join(" ");
}

const repetitions = 3;
const maxSchema = 4000;
