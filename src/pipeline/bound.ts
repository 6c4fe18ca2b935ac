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
  const whole = redactText(
    contentText(content.filter((part) => part.type === "text")),
    environment,
  );
  state.artefact = await environment.keepArtefact(state.key, whole);
  const kept =
    state.artefact === undefined
      ? ""
      : ` The whole is in ${state.artefact.path}; open parts of it with Read or Grep.`;
  const shown = headAndTail(whole, { limit, tailShare: state.error === undefined ? 0.2 : 0.8 });
  const text = `${shown.text}\n(truncated: ${shown.cutChars} of ${whole.length} characters left out.${kept})`;
  const others = content.filter((part) => part.type !== "text" && lengthOf(part) <= mediaLimit);
  state.content = [{ type: "text", text }, ...others];
  return undefined;
}

/** Characters of base64 in one part; a larger picture or sound bricks the conversation it is sent into. */
const mediaLimit = 8_000_000;

function lengthOf(part: ContentPart): number {
  switch (part.type) {
    case "text":
      return part.text.length;
    case "image":
    case "audio":
      // Media is measured in its own way by providers; only what no provider takes counts as too long.
      return part.data.length > mediaLimit ? Number.POSITIVE_INFINITY : 0;
    case "resource_link":
      return part.uri.length;
    case "resource":
      return (part.resource.text ?? part.resource.blob ?? "").length;
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
