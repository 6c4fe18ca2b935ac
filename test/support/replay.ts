import type { Model, ModelEvent } from "../../src/agent/index.ts";
import { contentText, defineTool, type JsonSchema, type Tool } from "../../src/core/index.ts";
import { memoryHost } from "../../src/host/index.ts";
import { createToolkit } from "../../src/kit/index.ts";
import type { Message } from "../../src/session/index.ts";
import {
  areSameArguments,
  type RecordedCall,
  type RecordedResult,
  type RecordedTask,
} from "./trajectory.ts";

/** A call that a tool received. */
interface PlayedCall {
  readonly name: string;
  readonly input: unknown;
}

export interface Replay {
  readonly turns: number;
  readonly calls: number;
  /** Differences from the recording, one sentence each; empty if there are none. */
  readonly differences: readonly string[];
}

/**
 * Plays a recorded trajectory against a toolkit whose tools give the recorded results. Each task is a run of one stored
 * session, so that later ones continue the conversation. Compares what the tools received and what the model got.
 */
export async function replay(tasks: readonly RecordedTask[]): Promise<Replay> {
  const turns = tasks.flatMap((task) => task.turns);
  const recorded = turns.flatMap(({ calls, results }) =>
    calls.map((call, index) => ({ call, result: results[index] })),
  );
  const played: PlayedCall[] = [];
  const left = [...recorded];
  const tools = [...new Set(recorded.map(({ call }) => call.name))].map((name) =>
    playedTool(name, (input) => {
      played.push({ name, input });
      const at = left.findIndex(
        ({ call }) => call.name === name && areSameArguments(input, call.input),
      );
      return left.splice(at === -1 ? 0 : at, 1)[0]?.result;
    }),
  );
  const kit = await createToolkit({
    host: memoryHost(),
    tools: { include: tools.map(({ name }) => name), extra: tools },
    sessions: "memory",
    maxChars: 100_000_000,
    redactSecrets: false,
  });
  const sessionId = kit.newId("session");
  const differences: string[] = [];
  let conversation: readonly Message[] = [];
  for (const { text, turns: answers } of tasks) {
    const model = playedModel(answers.map(({ text: said, calls }) => ({ said, calls })));
    const limits = { maxTurns: 100_000, maxCalls: 1_000_000 };
    const result = await kit.run({ task: text, model, sessionId, limits }).result;
    conversation = result.messages;
    if (result.status !== "done") differences.push(`A run ended: ${result.text}`);
  }
  await kit.dispose();
  return {
    turns: turns.length,
    calls: recorded.length,
    differences: [
      ...differences,
      ...orderDifferences(
        recorded.map(({ call }) => call),
        played,
      ),
      ...resultDifferences(recorded, conversation),
    ],
  };
}

interface Recorded {
  readonly call: RecordedCall;
  readonly result: RecordedResult | undefined;
}

function playedTool(name: string, play: (input: unknown) => RecordedResult | undefined): Tool {
  return defineTool<JsonSchema>({
    name,
    description: "Plays a recorded result.",
    touches: [],
    // A recorded model may poll; that is not a loop here.
    tags: ["polling"],
    input: { type: "object" },
    run(input) {
      const result = play(input);
      return { content: result?.text ?? "", isError: result?.isError === true };
    },
  });
}

/** A model that gives the recorded answers in order, with the ids of its provider, and then ends. */
function playedModel(
  answers: readonly { readonly said: string; readonly calls: readonly RecordedCall[] }[],
): Model {
  let next = 0;
  return {
    id: "recorded:model",
    async *stream(): AsyncGenerator<ModelEvent> {
      const answer = answers[next];
      next += 1;
      const { said = "", calls = [] } = answer ?? {};
      // A recording that ends in results is closed by a last word.
      yield { type: "text", text: answer === undefined ? "The recording ends here." : said };
      for (const call of calls) yield { type: "tool-call", ...call };
      yield { type: "finish", reason: calls.length > 0 ? "tool-calls" : "stop" };
    },
  };
}

/** Each call once, in order, with equal arguments. */
function orderDifferences(
  recorded: readonly RecordedCall[],
  played: readonly PlayedCall[],
): readonly string[] {
  const differences = recorded.flatMap((call, index) => {
    const other = played[index];
    if (other === undefined) return [`Call ${index + 1} (${call.name}) did not run.`];
    const isSame = other.name === call.name && areSameArguments(other.input, call.input);
    return isSame ? [] : [`Call ${index + 1} (${call.name}) ran as ${JSON.stringify(other)}.`];
  });
  const more = played.length - recorded.length;
  return more > 0 ? [...differences, `${more} calls ran that were not recorded.`] : differences;
}

/** Each result unchanged, under the id of its call. */
function resultDifferences(
  recorded: readonly Recorded[],
  messages: readonly Message[],
): readonly string[] {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : [],
  );
  const results = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
  const ids = new Set(calls.map(({ id }) => id));
  return [
    ...(ids.size === calls.length ? [] : ["Two calls have the same id."]),
    ...recorded.flatMap(({ call, result }, index) => {
      const stored = calls[index];
      const answer = results[index];
      const number = `Call ${index + 1} (${call.name})`;
      if (stored === undefined || answer === undefined) return [`${number} is not stored.`];
      if ((stored.providerCallId ?? "") !== call.id) return [`${number} lost the id ${call.id}.`];
      if (stored.input !== call.input) return [`${number} has other arguments: ${stored.input}`];
      if (answer.callId !== stored.id) return [`${number} has the result of another call.`];
      const isSame = contentText(answer.content) === result?.text;
      return isSame && answer.isError === result.isError
        ? []
        : [`${number} has another result: ${JSON.stringify(answer)}`];
    }),
  ];
}
