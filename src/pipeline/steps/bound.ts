import {
  contentText,
  type ToolError,
  type ContentPart,
  type Effect,
  type Trust,
} from "../../core/index.ts";
import { noContent } from "../call-state.ts";
import type { AnswerParts, PipelineEnvironment } from "../environment/environment.ts";
import { fromNextLine, headAndTail, plainJson } from "../../text/index.ts";
import { redact } from "../../redact/index.ts";
import { mediaOf, shownMedia } from "../outcome/limit-media.ts";
import { hiddenHint, placeholderIn } from "./refuse-placeholders.ts";
import type { Next, StateOf, Step } from "../step.ts";

type Sets = "content" | "structured" | "isStructuredTaken" | "artifact" | "trust";
type State = StateOf<Sets, "ended">;

/**
 * Bounds the content that the model sees, for every tool, including errors and refusals.
 *
 * Runs before the after-hooks, which see the same content as the model. The full text of a truncated answer is
 * stored in an artifact that Read and Grep can open. A failure gets exactly one next step.
 */
export const bound: Step<Sets, "ended", "content"> = (state, environment) => {
  state.trust = state.result?.trust ?? trustOf(state, environment);
  state.artifact ??= environment.artifactOf(state.key);
  const content =
    state.error === undefined ? answerContent(state) : errorContent(state, state.error);
  return shorten(state, environment, content);
};

function answerContent(state: State): readonly ContentPart[] {
  const { result } = state;
  if (result === undefined) return noContent;
  const notes = notesOf(state);
  if (typeof result.content !== "string") {
    return notes.length === 0 ? result.content : [...result.content, ...noted(notes)];
  }
  const text = notes.length === 0 ? result.content : [result.content, ...notes].join("\n");
  return [{ type: "text", text }];
}

/** The notes at the end of an answer: about the confinement of the call's programs and about changes without undo. */
function notesOf({ confined, unkept }: State): readonly string[] {
  if (confined === undefined && unkept === undefined) return noNotes;
  const notes = [...(confined?.notes ?? []), ...(unkept === undefined ? [] : [unkept])];
  return notes.length === 0 ? noNotes : [`(${notes.join(" ")})`];
}

const noNotes: readonly string[] = Object.freeze([]);

function noted(notes: readonly string[]): readonly ContentPart[] {
  return notes.map((text) => ({ type: "text", text }));
}

function errorContent(state: State, error: ToolError): readonly ContentPart[] {
  const lines = [`${error.code}: ${error.message}`];
  const partial =
    state.result === undefined
      ? [streamedOf(state), ...notesOf(state)].filter((text) => text !== "").join("\n")
      : contentText(answerContent(state));
  if (partial !== "") lines.push("Before that it answered:", partial);
  const mark = error.code === "NO_MATCH" ? placeholderIn(state) : undefined;
  const hint =
    mark === undefined
      ? error.hint
      : `${mark} stands for a secret that was hidden from you, so it matches nothing. ${hiddenHint}`;
  if (hint !== undefined) lines.push(hint);
  return [{ type: "text", text: lines.join("\n") }];
}

function streamedOf({ streamed, isStreamedCut }: State): string {
  return isStreamedCut ? fromNextLine(streamed) : streamed;
}

function shorten(
  state: State,
  environment: PipelineEnvironment,
  content: readonly ContentPart[],
): Next | Promise<Next> {
  const note = takeStructured(state, environment);
  if (note !== undefined) return cut(state, environment, { content, note });
  const limit = limitOf(state, environment);
  const { media, mediaChars } = environment.answerLimits;
  let chars = 0;
  let shown = 0;
  for (const part of content) {
    const data = mediaOf(part);
    if (data === undefined) chars += lengthOf(part);
    // Providers measure media in their own way; media that no provider accepts count as too long.
    else if ((shown += 1) > media || data.length > mediaChars) chars = Number.POSITIVE_INFINITY;
  }
  if (chars > limit) return cut(state, environment, { content });
  state.content = redacted(state, environment, content);
  return undefined;
}

/** Characters that the answer may still grow by without being cut. */
export function charsLeft(state: State, environment: PipelineEnvironment): number {
  const used = state.content.reduce((sum, part) => sum + lengthOf(part), 0);
  return limitOf(state, environment) - used;
}

/** The user's limit for a tool takes precedence over its author's. */
function limitOf({ tool }: State, { shownChars, maxChars }: AnswerParts): number {
  const set = tool === undefined ? undefined : shownChars.get(tool.name);
  return set ?? tool?.maxChars ?? maxChars;
}

interface Cutting {
  readonly content: readonly ContentPart[];
  /** Appended after the note about the truncation. */
  readonly note?: string | Promise<string>;
}

async function cut(
  state: State,
  environment: PipelineEnvironment,
  { content, note }: Cutting,
): Promise<Next> {
  const { shown, notes } = shownMedia(content, environment.answerLimits);
  const parts = content.filter((part) => mediaOf(part) === undefined);
  const whole = contentText(redacted(state, environment, parts));
  const texts = [await cutText(state, environment, whole), ...notes];
  if (note !== undefined) texts.push(await note);
  const text = texts.filter((each) => each !== "").join("\n");
  state.content = [{ type: "text", text }, ...shown];
  return undefined;
}

async function cutText(
  state: State,
  environment: PipelineEnvironment,
  whole: string,
): Promise<string> {
  const limit = limitOf(state, environment);
  if (whole.length <= limit) return whole;
  // The output that the tool stored while it ran contains at least its answer.
  state.artifact ??= await environment.keepArtifact(state.key, whole, state.options.sessionId);
  const { text, cutChars } = headAndTail(whole, {
    limit,
    tailShare: state.error === undefined ? 0.2 : 0.8,
  });
  return `${text}\n(truncated: ${cutChars} of ${whole.length} characters left out. ${whereabouts(state)})`;
}

function whereabouts({ artifact }: State): string {
  if (artifact === undefined) return "The rest could not be kept; ask for less at once.";
  const { path, missingChars } = artifact;
  const what = missingChars === undefined ? "The whole" : `All but the last ${missingChars}`;
  return `${what} is in ${path}; open parts of it with Read or Grep.`;
}

/** Characters of a non-media part that count against the limit. */
function lengthOf(part: ContentPart): number {
  return part.type === "text" ? part.text.length : contentText([part]).length;
}

function redacted(
  state: State,
  environment: PipelineEnvironment,
  content: readonly ContentPart[],
): readonly ContentPart[] {
  if (!environment.redactSecrets) return content;
  let changed: ContentPart[] | undefined;
  for (const [index, part] of content.entries()) {
    const shown = redactPart(part);
    if (shown !== part) (changed ??= [...content])[index] = shown;
  }
  if (changed === undefined) return content;
  // The placeholder must not be written to a file later.
  environment.taint(state.options.sessionId).secretsHidden = true;
  return changed;
}

function redactPart(part: ContentPart): ContentPart {
  if (part.type === "text") {
    const text = redact(part.text);
    return text === part.text ? part : { type: "text", text };
  }
  if (part.type !== "resource" || part.resource.text === undefined) return part;
  const text = redact(part.resource.text);
  return text === part.resource.text ? part : { ...part, resource: { ...part.resource, text } };
}

function trustOf(state: State, environment: PipelineEnvironment): Trust {
  for (const effect of state.effects) if (reachesOutside(effect, environment)) return "untrusted";
  return "trusted";
}

function reachesOutside(effect: Effect, environment: PipelineEnvironment): boolean {
  switch (effect.kind) {
    case "connect":
      return true;
    case "unknown":
      return effect.origin.startsWith("mcp__");
    case "read":
    case "execute":
      return !environment.isInside(effect);
    case "write":
    case "delegate":
    case "interact":
      return false;
  }
}

/**
 * Sets the outcome's `structuredContent`: plain JSON with secrets redacted, or nothing and a note where it is too long,
 * because some clients show the model this instead of the content. The full value is then stored as JSON.
 */
function takeStructured(
  state: State,
  environment: PipelineEnvironment,
): string | undefined | Promise<string> {
  const given = state.result?.structuredContent;
  if (given === undefined || state.error !== undefined || state.isStructuredTaken) return undefined;
  state.isStructuredTaken = true;
  const { redactSecrets, answerLimits } = environment;
  const structured = plainJson(given, redactSecrets ? redact : (text) => text);
  if (structured === undefined) return undefined;
  const json = JSON.stringify(structured) ?? "";
  if (json.length > answerLimits.structuredChars) return leftOut(json, state, environment);
  state.structured = structured;
  return undefined;
}

async function leftOut(
  json: string,
  state: State,
  environment: PipelineEnvironment,
): Promise<string> {
  const { answerLimits } = environment;
  const { sessionId } = state.options;
  const kept = await environment.keepArtifact(`${state.key}-structured`, json, sessionId);
  state.artifact ??= kept;
  const where =
    kept === undefined
      ? "It could not be kept."
      : `It is in ${kept.path}; open parts of it with Read or Grep.`;
  return `(structured content left out: ${json.length} characters of JSON, more than ${answerLimits.structuredChars}. ${where})`;
}
