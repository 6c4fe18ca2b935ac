import { partText, type ContentPart } from "../../../core/index.ts";
import type {
  AssistantPart,
  Message,
  ProviderData,
  ProviderPart,
  ToolResultPart,
} from "../../../session/index.ts";
import type { ModelRequest } from "../model.ts";
import { callIds, type CallIds } from "./call-ids.ts";
import type { RequestDeferral } from "./native-deferral.ts";
import { promptPart, unpairedIds } from "./provider-parts.ts";
import type { PackageOptions, Provider } from "./provider-table.ts";

/** Part of a prompt message, in the form of the model's version of the specification. */
type PromptPart = Readonly<Record<string, unknown>>;

/** Message of the AI SDK's language model specification. */
export interface PromptMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly PromptPart[];
  readonly providerOptions?: unknown;
}

/** Model for which a prompt is written. */
export interface PromptTarget {
  /** Version of the language model specification: each represents files differently. */
  readonly version: 2 | 3 | 4;
  readonly provider: Provider;
  /** How tools that the provider defers are found; undefined where there are none. */
  readonly deferral?: RequestDeferral | undefined;
}

interface PromptState extends PromptTarget {
  readonly ids: CallIds;
  /** Ids of calls and results of the provider's own tools that lack their partner. */
  readonly incomplete: ReadonlySet<unknown>;
}

/**
 * Converts a conversation to a prompt of the AI SDK's language model specification. The same conversation gives the
 * same prompt, and a longer one begins with it, except for cache marks.
 */
export function toPrompt(
  { system, messages }: Pick<ModelRequest, "system" | "messages">,
  target: PromptTarget,
): readonly PromptMessage[] {
  const { callIds: rule, cacheMark } = target.provider;
  const state = { ...target, ids: callIds(rule), incomplete: unpairedIds(ownParts(messages)) };
  const prompt: PromptMessage[] = [];
  if (system !== "") prompt.push({ role: "system", content: system });
  for (const message of messages) prompt.push(...promptMessages(message, state));
  return cacheMark === undefined ? prompt : markCache(prompt, cacheMark.options);
}

function ownParts(messages: readonly Message[]): readonly ProviderPart[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => part.type === "provider") : [],
  );
}

function promptMessages(message: Message, state: PromptState): readonly PromptMessage[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content.map((part) => userPart(part, state)) }];
    case "assistant": {
      const content = message.content.flatMap((part): readonly PromptPart[] => {
        const own = assistantPart(part, state);
        return own === undefined ? [] : [own];
      });
      // Reasoning of another provider was all that it had.
      return content.length === 0 ? [] : [{ role: "assistant", content }];
    }
    case "tool":
      return toolMessages(message.content, state);
  }
}

function userPart(part: ContentPart, target: PromptTarget): PromptPart {
  return isMedia(part)
    ? { type: "file", data: fileData(part.data, target), mediaType: part.mimeType }
    : { type: "text", text: partText(part) };
}

function assistantPart(part: AssistantPart, state: PromptState): PromptPart | undefined {
  const { provider, version, ids, incomplete } = state;
  if (part.type === "provider") {
    if (!provider.optionKeys.includes(part.provider)) return undefined;
    const own = promptPart(part, version, incomplete);
    if (typeof own?.["toolCallId"] === "string") ids.reserve(own["toolCallId"]);
    return own;
  }
  const options = optionsFor(provider, part.providerData);
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...options };
    case "reasoning":
      return returnsReasoning(provider, part.providerData)
        ? { type: "reasoning", text: part.text, ...options }
        : undefined;
    case "tool-call": {
      const { name } = part;
      const id = ids.ofCall(part);
      const input = inputObject(part.input);
      return {
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input: state.deferral?.inputOf({ name, id }, input) ?? input,
        ...options,
      };
    }
  }
}

/** Data of the provider itself: what another gave means nothing to it, or is refused. */
function optionsFor(
  { optionKeys }: Provider,
  data: ProviderData | undefined,
): { readonly providerOptions?: ProviderData } {
  const own = Object.entries(data ?? {}).filter(
    ([key, value]) => optionKeys.includes(key) && isFilled(value),
  );
  return own.length === 0 ? {} : { providerOptions: Object.fromEntries(own) };
}

/** Whether reasoning goes back: only to the provider that it came from, and signed where the provider signs it. */
function returnsReasoning(
  { reasoning, optionKeys }: Provider,
  data: ProviderData | undefined,
): boolean {
  switch (reasoning) {
    case "never":
      return false;
    case "text":
      return optionKeys.some((key) => data?.[key] !== undefined);
    case "signed":
      return optionKeys.some((key) => isFilled(data?.[key]));
  }
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Providers refuse a conversation in which a call's input is not an object, so invalid text is wrapped in one. */
function inputObject(input: string): unknown {
  if (input.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Falls through: the text of the model is preserved.
  }
  return { unreadable: input };
}

function toolMessages(
  results: readonly ToolResultPart[],
  state: PromptState,
): readonly PromptMessage[] {
  const media: PromptPart[] = [];
  const content = results.map((result) => {
    const toolCallId = state.ids.ofResult(result.callId, result.name);
    const found = state.deferral?.outputOf(result);
    if (found !== undefined) {
      // The provider's form of a search has no place for the reason why nothing was found.
      const text = `${result.name} answered: ${result.content.map(partText).join("\n")}`;
      if (found.isSilent) media.push({ type: "text", text });
      return { type: "tool-result", toolCallId, toolName: result.name, output: found.output };
    }
    if (!state.provider.mediaInResults) {
      const parts = result.content.filter(isMedia).map((part) => userPart(part, state));
      const title = { type: "text", text: `What call ${toolCallId} showed:` };
      if (parts.length > 0) media.push(title, ...parts);
    }
    const output = resultOutput(result, state);
    return { type: "tool-result", toolCallId, toolName: result.name, output };
  });
  const tool: PromptMessage = { role: "tool", content };
  return media.length === 0 ? [tool] : [tool, { role: "user", content: media }];
}

function resultOutput({ content, isError }: ToolResultPart, target: PromptTarget): PromptPart {
  if (!isError && target.provider.mediaInResults && content.some(isMedia)) {
    return { type: "content", value: content.map((part) => resultPart(part, target)) };
  }
  return { type: isError ? "error-text" : "text", value: content.map(partText).join("\n") };
}

function resultPart(part: ContentPart, target: PromptTarget): PromptPart {
  if (!isMedia(part)) return { type: "text", text: partText(part) };
  const { data, mimeType: mediaType } = part;
  switch (target.version) {
    case 2:
      return { type: "media", data, mediaType };
    case 3:
      return { type: part.type === "image" ? "image-data" : "file-data", data, mediaType };
    case 4:
      return { type: "file", data: fileData(data, target), mediaType };
  }
}

function fileData(data: string, { version }: PromptTarget): unknown {
  return version === 4 ? { type: "data", data } : data;
}

function isMedia(part: ContentPart): part is Extract<ContentPart, { type: "image" | "audio" }> {
  return part.type === "image" || part.type === "audio";
}

/**
 * Marks a prompt for a provider's cache, at most four times: after the instructions, after the last two messages, and
 * at the end of the previous request, the message before the latest answer. Anthropic finds a stored prefix only within
 * 20 blocks before a mark, and an answer with ten parallel calls has more than that together with its results.
 */
function markCache(
  prompt: readonly PromptMessage[],
  mark: PackageOptions,
): readonly PromptMessage[] {
  const latestAnswer = prompt.findLastIndex(({ role }) => role === "assistant");
  const marked = new Set([0, latestAnswer - 1, prompt.length - 2, prompt.length - 1]);
  return prompt.map((message, index) => (marked.has(index) ? markMessage(message, mark) : message));
}

/**
 * Marks the end of a message. Results are marked at the last one, since a mark on the message holds for each of them in
 * some packages.
 */
function markMessage(message: PromptMessage, mark: PackageOptions): PromptMessage {
  const { role, content } = message;
  const last = typeof content === "string" ? undefined : content.at(-1);
  // Reasoning cannot be marked.
  if (last?.["type"] === "reasoning") return message;
  if (role === "system" || role === "assistant" || typeof content === "string" || !last) {
    return { ...message, providerOptions: mark };
  }
  return { ...message, content: [...content.slice(0, -1), markPart(last, mark)] };
}

function markPart(part: PromptPart, mark: PackageOptions): PromptPart {
  return { ...part, providerOptions: mark };
}
