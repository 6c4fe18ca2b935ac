import type { LanguageModelLike } from "../../src/agent/index.ts";

/** Text of each result: about as much as a short file. */
export const resultText = "a line of ordinary text that a tool returns. ".repeat(20);

/** Input of the call of a turn; no two are equal, so that no loop guard stops a run. */
export function inputOf(turn: number): string {
  return JSON.stringify({ index: turn });
}

/** Model of the AI SDK's specification that calls the tool `noop` in each turn and then says that it is done. */
export function fakeModel(
  turns: number,
  version: "v3" | "v4",
): LanguageModelLike & { readonly supportedUrls: object } {
  let turn = 0;
  const next = (): unknown[] => {
    turn += 1;
    return turn > turns ? lastParts() : callParts(turn);
  };
  return {
    specificationVersion: version,
    provider: "fake",
    modelId: "fake",
    supportedUrls: {},
    doStream: async () => ({ stream: new ReadableStream({ start: (to) => emit(to, next()) }) }),
  };
}

function emit(to: ReadableStreamDefaultController, parts: readonly unknown[]): void {
  for (const part of parts) to.enqueue(part);
  to.close();
}

function callParts(turn: number): unknown[] {
  const input = inputOf(turn);
  const id = `call_${turn}`;
  return [
    { type: "stream-start", warnings: [] },
    ...textParts(`I look at number ${turn}.`),
    { type: "tool-input-start", id, toolName: "noop" },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName: "noop", input },
    finish("tool-calls"),
  ];
}

function lastParts(): unknown[] {
  return [{ type: "stream-start", warnings: [] }, ...textParts("Done."), finish("stop")];
}

function textParts(text: string): unknown[] {
  return [
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: text },
    { type: "text-end", id: "0" },
  ];
}

function finish(reason: string): unknown {
  return {
    type: "finish",
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
  };
}
