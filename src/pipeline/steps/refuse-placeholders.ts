import { ToolError, type Effect } from "../../core/index.ts";
import { toolOf, type CallState } from "../call-state.ts";
import { plainJson } from "../../text/index.ts";
import { redactionMarks } from "../../redact/index.ts";
import type { Step } from "../step.ts";

/**
 * Refuses to write the mark that stands for a hidden secret into a file, where it would replace the secret.
 *
 * After effects, which say whether the call changes anything, and before a decision, so that nobody is asked about
 * a call that would do harm by mistake. A mark that the input also names as the text to be replaced is left to the
 * tool: it is found in the file, or it is not.
 */
export const refuseMarks: Step = (state, environment) => {
  if (!environment.redactSecrets || !state.effects.some(changesFiles)) return undefined;
  if (!environment.taint(state.options.sessionId).secretsHidden) return undefined;
  const [mark] = newMarks(state.input);
  if (mark === undefined) return undefined;
  throw new ToolError(
    "INVALID_INPUT",
    `${toolOf(state).name} would write ${mark}, which stands for a secret that was hidden from you.`,
    { hint: hiddenHint, data: { mark } },
  );
};

export const hiddenHint =
  "The file holds the secret, not the mark: choose lines around it, and leave its line as it is.";

/** The mark in the text a call looked for, which explains why it was not found. */
export function soughtMark({ input }: CallState): string | undefined {
  return textsOf(input).flatMap(redactionMarks)[0];
}

/**
 * Marks that stand in one text of an object only, so that nothing beside it says they are in the file already. Each
 * object is by itself: what one edit of several looks for says nothing about another.
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

/** No input that was understood is deeper. */
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
