import { ToolError, type Effect } from "../../core/index.ts";
import { plainJson } from "../../text/index.ts";
import { redactionMarks } from "../../redact/index.ts";
import type { Finished, Step } from "../step.ts";

/**
 * Refuses to write the placeholder of a redacted secret into a file, where it would replace the secret.
 *
 * Runs after effects, which show whether the call changes anything, and before decide, so that the user is not asked
 * about a call that would do harm by mistake. A placeholder that the input also names as the text to be replaced is
 * left to the tool: either the file contains it, or the edit finds no match.
 */
export const refusePlaceholders: Step<never, "tool" | "hooked" | "effects", "unmarked"> = (
  state,
  environment,
) => {
  if (!environment.redactSecrets || !state.effects.some(changesFiles)) return undefined;
  if (!environment.taint(state.options.sessionId).secretsHidden) return undefined;
  const [mark] = newMarks(state.input);
  if (mark === undefined) return undefined;
  throw new ToolError(
    "INVALID_INPUT",
    `${state.tool.name} would write ${mark}, which stands for a secret that was hidden from you.`,
    { hint: hiddenHint, data: { mark } },
  );
};

export const hiddenHint =
  "The file holds the secret, not the mark: choose lines around it, and leave its line as it is.";

/** Returns a placeholder in the input, which explains why the text that a call looked for was not found. */
export function placeholderIn({ input }: Pick<Finished, "input">): string | undefined {
  return textsOf(input).flatMap(redactionMarks)[0];
}

/**
 * Returns placeholders that occur in only one text of an object, so that no other text indicates that they are already
 * in the file. Each object is checked separately: the search text of one edit says nothing about another edit.
 */
function newMarks(input: unknown, depth = 0): readonly string[] {
  if (typeof input === "string") return redactionMarks(input);
  if (typeof input !== "object" || input === null || depth > maxDepth) return [];
  const counts = new Map<string, number>();
  const below: string[] = [];
  for (const value of Object.values(input)) {
    if (typeof value !== "string") below.push(...newMarks(value, depth + 1));
    else for (const mark of redactionMarks(value)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return [...Array.from(counts).flatMap(([mark, count]) => (count === 1 ? [mark] : [])), ...below];
}

/** Maximum depth of an input that was parsed successfully. */
const maxDepth = 400;

function changesFiles(effect: Effect): boolean {
  if (effect.kind === "execute") return effect.consequences === "open";
  return effect.kind === "write";
}

function textsOf(input: unknown): readonly string[] {
  const texts: string[] = [];
  plainJson(input, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
