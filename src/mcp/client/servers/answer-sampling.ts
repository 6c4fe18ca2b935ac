import { ToolError, type ToolContext } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";

/** Question of a server for the model. */
export interface SamplingRequest {
  readonly prompt: string;
  readonly system?: string;
  readonly maxOutputTokens: number;
}

/** Call whose run pays for a question. */
export type SamplingCaller = Pick<ToolContext, "runId" | "signal">;

/** Asks the model for a server. Rejects with the reason for which it may not. */
export type AskModel = (
  request: SamplingRequest,
  caller: SamplingCaller,
) => Promise<{ readonly text: string; readonly model: string }>;

/** Answer to a question of a server, in the words of the protocol. */
export interface SamplingAnswer {
  readonly role: "assistant";
  readonly content: { readonly type: "text"; readonly text: string };
  readonly model: string;
  readonly stopReason: "endTurn";
}

const maxPromptChars = 100_000;
const maxMessages = 50;
const maxTokens = 4096;

/**
 * Answers `sampling/createMessage` for the calls in progress. A server does not say which of them a question belongs to,
 * so calls of several runs have no run that pays.
 */
export async function answerSampling(
  params: unknown,
  callers: readonly SamplingCaller[],
  ask: AskModel,
): Promise<SamplingAnswer> {
  const [caller] = callers;
  if (caller === undefined) throw refused("no call of this server is in progress");
  if (callers.some(({ runId }) => runId !== caller.runId)) {
    throw refused("calls of several runs are in progress, and it is not known which one asks");
  }
  const { text, model } = await ask(readRequest(params), caller);
  return { role: "assistant", content: { type: "text", text }, model, stopReason: "endTurn" };
}

/** Reads a question of text. Nothing of the conversation is added to it, whatever the server asks for. */
function readRequest(params: unknown): SamplingRequest {
  const given = isRecord(params) ? params : {};
  const { messages, systemPrompt, tools } = given;
  if (tools !== undefined) throw refused("the model gets no tools of a server");
  if (!Array.isArray(messages) || messages.length === 0) throw refused("it has no messages");
  if (messages.length > maxMessages) throw refused(`it has more than ${maxMessages} messages`);
  const texts = messages.map((message: unknown) => {
    const { role, content } = isRecord(message) ? message : {};
    const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
    const text = parts.map((part) => {
      if (isRecord(part) && part["type"] === "text" && typeof part["text"] === "string") {
        return part["text"];
      }
      throw refused("only text can be asked");
    });
    return { role: role === "assistant" ? "Assistant" : "User", text: text.join("\n") };
  });
  const [only] = texts;
  const prompt =
    only !== undefined && texts.length === 1
      ? only.text
      : texts.map(({ role, text }) => `${role}: ${text}`).join("\n\n");
  const system = typeof systemPrompt === "string" ? systemPrompt : "";
  if (prompt.length + system.length > maxPromptChars) {
    throw refused(`it has more than ${maxPromptChars} characters`);
  }
  const wanted = given["maxTokens"];
  const isLimited = typeof wanted === "number" && wanted >= 1;
  return {
    prompt,
    ...(system === "" ? {} : { system }),
    maxOutputTokens: isLimited ? Math.min(Math.floor(wanted), maxTokens) : maxTokens,
  };
}

function refused(why: string): ToolError {
  return new ToolError("PERMISSION_DENIED", `The question for the model was refused: ${why}.`, {
    hint: "docs/mcp-client.md says when a server may ask the model.",
  });
}
