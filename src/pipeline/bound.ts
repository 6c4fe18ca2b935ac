import {
  contentText,
  type ToolError,
  type ContentPart,
  type Effect,
  type Trust,
} from "../core/index.ts";
import { noContent, type CallState } from "./call-state.ts";
import type { PipelineEnvironment } from "./environment.ts";
import { headAndTail } from "./head-and-tail.ts";
import { redact } from "./redact.ts";
import type { Next, Step } from "./step.ts";

/**
 * Bounds what the model sees: one place for every tool, for errors and refusals too.
 *
 * Before the after-hooks, which see what the model will see; whatever is cut is kept whole in an artefact that
 * Read and Grep can open. A failure gets exactly one next step.
 */
export const bound: Step = (state, environment) => {
  state.trust = state.result?.trust ?? trustOf(state, environment);
  state.artefact ??= environment.artefactOf(state.key);
  const content =
    state.error === undefined ? answerContent(state) : errorContent(state, state.error);
  return shorten(state, environment, content);
};

function answerContent({ result }: CallState): readonly ContentPart[] {
  if (result === undefined) return noContent;
  return typeof result.content === "string"
    ? [{ type: "text", text: result.content }]
    : result.content;
}

function errorContent(state: CallState, error: ToolError): readonly ContentPart[] {
  const lines = [`${error.code}: ${error.message}`];
  const partial = state.result === undefined ? state.streamed : contentText(answerContent(state));
  if (partial !== "") lines.push("Before that it answered:", partial);
  if (error.hint !== undefined) lines.push(error.hint);
  return [{ type: "text", text: lines.join("\n") }];
}

function shorten(
  state: CallState,
  environment: PipelineEnvironment,
  content: readonly ContentPart[],
): Next | Promise<Next> {
  const limit = state.tool?.maxChars ?? environment.maxChars;
  let chars = 0;
  for (const part of content) chars += lengthOf(part);
  if (chars <= limit) {
    state.content = environment.redactSecrets ? redactParts(content) : content;
    return undefined;
  }
  return cut(state, environment, { content, limit });
}

async function cut(
  state: CallState,
  environment: PipelineEnvironment,
  { content, limit }: { readonly content: readonly ContentPart[]; readonly limit: number },
): Promise<Next> {
  const media = content.filter((part) => mediaOf(part) !== undefined);
  const shown = media.filter((part) => (mediaOf(part) ?? "").length <= mediaLimit);
  const whole = redactText(
    contentText(content.filter((part) => mediaOf(part) === undefined)),
    environment,
  );
  const texts = [await cutText(state, environment, { whole, limit })];
  if (shown.length < media.length) {
    texts.push(`(left out: ${media.length - shown.length} of ${media.length} too large to show.)`);
  }
  const text = texts.filter((each) => each !== "").join("\n");
  state.content = [{ type: "text", text }, ...shown];
  return undefined;
}

async function cutText(
  state: CallState,
  environment: PipelineEnvironment,
  { whole, limit }: { readonly whole: string; readonly limit: number },
): Promise<string> {
  if (whole.length <= limit) return whole;
  // What the tool kept as it printed holds at least what it answered.
  state.artefact ??= await environment.keepArtefact(state.key, whole);
  const kept =
    state.artefact === undefined
      ? ""
      : ` The whole is in ${state.artefact.path}; open parts of it with Read or Grep.`;
  const { text, cutChars } = headAndTail(whole, {
    limit,
    tailShare: state.error === undefined ? 0.2 : 0.8,
  });
  return `${text}\n(truncated: ${cutChars} of ${whole.length} characters left out.${kept})`;
}

/** Characters of base64 in one part; a larger picture or sound bricks the conversation it is sent into. */
const mediaLimit = 8_000_000;

/** How much of the limit a part takes. Providers measure media in their own way; only what none takes is too long. */
function lengthOf(part: ContentPart): number {
  if (part.type === "text") return part.text.length;
  const media = mediaOf(part);
  if (media === undefined) return contentText([part]).length;
  return media.length > mediaLimit ? Number.POSITIVE_INFINITY : 0;
}

/** The base64 of a part that is no text; a link is told by its address. */
function mediaOf(part: ContentPart): string | undefined {
  switch (part.type) {
    case "text":
    case "resource_link":
      return undefined;
    case "image":
    case "audio":
      return part.data;
    case "resource":
      return part.resource.text === undefined ? part.resource.blob : undefined;
  }
}

function redactParts(content: readonly ContentPart[]): readonly ContentPart[] {
  let changed: ContentPart[] | undefined;
  for (const [index, part] of content.entries()) {
    const shown = redactPart(part);
    if (shown !== part) (changed ??= [...content])[index] = shown;
  }
  return changed ?? content;
}

function redactPart(part: ContentPart): ContentPart {
  if (part.type === "text") {
    const text = redact(part.text);
    return text === part.text ? part : { type: "text", text };
  }
  if (part.type !== "resource" || part.resource.text === undefined) return part;
  return { ...part, resource: { ...part.resource, text: redact(part.resource.text) } };
}

function redactText(text: string, { redactSecrets }: PipelineEnvironment): string {
  return redactSecrets ? redact(text) : text;
}

function trustOf(state: CallState, environment: PipelineEnvironment): Trust {
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
      return !environment.isInside(effect);
    case "write":
    case "execute":
    case "delegate":
    case "interact":
      return false;
  }
}
