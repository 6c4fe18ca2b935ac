import { ToolError, type InputSchema } from "../../core/index.ts";
import { compileInput, toJsonSchema, validateInput } from "../../schema/index.ts";
import type { PromptPart } from "../system-prompt.ts";

/** Maximum number of times that a model is asked to correct its final answer. */
const maxRepairs = 2;

/** Result of reading a final answer. `repair` is the request to correct it. */
export type OutputReading =
  | { readonly kind: "valid"; readonly value: unknown }
  | { readonly kind: "invalid"; readonly repair: string }
  | { readonly kind: "failed"; readonly error: ToolError };

/** Structured final answer of a run. */
export interface FinalOutput {
  /** Part of the system prompt that asks for it. */
  readonly part: PromptPart;
  read(text: string): Promise<OutputReading>;
}

export async function finalOutput(schema: InputSchema): Promise<FinalOutput> {
  const compiled = compileInput({ name: "the final answer", input: schema, formatIssues });
  const published = JSON.stringify(await toJsonSchema(schema));
  let repairs = 0;
  const invalid = (problem: string): OutputReading => {
    repairs += 1;
    if (repairs > maxRepairs) return { kind: "failed", error: unfit(problem) };
    return {
      kind: "invalid",
      repair: `${problem}\nAnswer again with one JSON value that fits the schema, and nothing else.`,
    };
  };
  return {
    part: {
      name: "output",
      text: `When you are done, answer with one JSON value and nothing else: no explanation, no code block. It must fit this JSON Schema:\n${published}`,
    },
    async read(text) {
      const json = jsonIn(text);
      if (json === undefined) return invalid("The final answer is not JSON.");
      const validated = await validateInput(compiled, json.value);
      return validated.ok ? { kind: "valid", value: validated.value } : invalid(validated.message);
    },
  };
}

type Issues = Parameters<NonNullable<Parameters<typeof compileInput>[0]["formatIssues"]>>[0];

function formatIssues(issues: Issues): string {
  const lines = issues.slice(0, 8).map(({ path, message }) => {
    const place = path === "" ? "the value" : path;
    return `- ${place}: ${message}`;
  });
  return `The final answer does not fit its schema:\n${lines.join("\n")}`;
}

/** JSON value of a text, which may be in a code block; undefined if there is none. */
function jsonIn(text: string): { readonly value: unknown } | undefined {
  const blocks = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```/gu)].map(([, code = ""]) => code);
  for (const candidate of [text, ...blocks.toReversed()]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // The next candidate may be valid.
    }
  }
  return undefined;
}

function unfit(problem: string): ToolError {
  return new ToolError("MODEL_FAILED", problem, {
    hint: "Use another model, or a simpler output schema.",
    retryable: false,
  });
}
