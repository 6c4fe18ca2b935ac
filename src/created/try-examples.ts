import type { CreatedDefinition, ToolContext, ToolExample } from "../core/index.ts";
import { deepEqual } from "../text/index.ts";
import { runCreated } from "./run-call.ts";

/** Result of one example. */
export interface TriedExample {
  readonly example: ToolExample;
  /** Text that the tool returned, or the reason why it failed. */
  readonly text: string;
  readonly isAsExpected: boolean;
}

/** Runs a tool with each of its examples, one after another. */
export async function tryExamples(
  definition: CreatedDefinition,
  context: ToolContext,
): Promise<readonly TriedExample[]> {
  const tried: TriedExample[] = [];
  for (const [number, example] of definition.examples.entries()) {
    const result = await runCreated({ definition, input: example.input, number }, context);
    if (result.kind === "failed") {
      tried.push({ example, text: result.error.message, isAsExpected: false });
    } else {
      const { text } = result;
      tried.push({ example, text, isAsExpected: isExpected(text, example) });
    }
  }
  return tried;
}

/** Whether a result is the expected one, as text or as JSON. An example without expectation only has to end well. */
export function isExpected(text: string, example: ToolExample): boolean {
  const { expect } = example;
  if (expect === undefined) return true;
  if (typeof expect === "string") return text.trim() === expect.trim();
  try {
    return deepEqual(JSON.parse(text), expect);
  } catch {
    return false;
  }
}
