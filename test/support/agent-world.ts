import type { Model, ModelEvent, ModelRequest, ScriptTurn } from "../../src/agent/index.ts";
import { contentText, type HaftEvent } from "../../src/core/index.ts";
import type { ToolkitOptions } from "../../src/kit/index.ts";
import type { MemoryHostOptions } from "../../src/host/index.ts";
import { testKit } from "./kit.ts";

export type Turn = ScriptTurn | ((request: ModelRequest) => ScriptTurn | Promise<ScriptTurn>);

/** Turns of each agent, by the first words of its task. */
export type Scenes = Readonly<Record<string, readonly Turn[]>>;

export interface SceneModel extends Model {
  readonly requests: ModelRequest[];
}

/** One model for a tree of agents: each conversation gets the turns of its task, in order. */
export function scenes(table: Scenes): SceneModel {
  const requests: ModelRequest[] = [];
  return {
    id: "fake:scenes",
    requests,
    async *stream(request) {
      requests.push(request);
      const turns = turnsOf(table, request);
      const index = request.messages.filter(({ role }) => role === "assistant").length;
      const turn = turns[index] ?? { text: "(no more turns)" };
      yield* eventsOf(typeof turn === "function" ? await turn(request) : turn);
    },
  };
}

function turnsOf(table: Scenes, { messages }: ModelRequest): readonly Turn[] {
  const first = messages.find(({ role }) => role === "user");
  const task = first?.role === "user" ? contentText(first.content) : "";
  const name = Object.keys(table).find((each) => task.startsWith(each));
  if (name === undefined) throw new Error(`no scene for ${task}`);
  return table[name] ?? [];
}

function* eventsOf({ text, calls = [], error, usage }: ScriptTurn): Generator<ModelEvent> {
  if (text !== undefined) yield { type: "text", text };
  if (error !== undefined) throw new Error(error.message);
  for (const [index, { name, input }] of calls.entries()) {
    // Providers repeat ids: every conversation begins with the same ones.
    yield { type: "tool-call", id: `call_${index}`, name, input: JSON.stringify(input ?? {}) };
  }
  if (usage !== undefined) yield { type: "usage", usage };
  yield { type: "finish", reason: calls.length > 0 ? "tool-calls" : "stop" };
}

/** A turn that starts an agent. */
export function starts(prompt: string, more: object = {}): ScriptTurn {
  return { calls: [{ name: "Agent", input: { prompt, ...more } }] };
}

/** A kit with agents on this model, and the events of its agents. */
export async function agentKit(
  table: Scenes,
  options: ToolkitOptions = {},
  hostOptions: MemoryHostOptions = {},
) {
  const model = scenes(table);
  const events: HaftEvent[] = [];
  const { kit, host } = await testKit(
    { model, onEvent: (event) => void events.push(event), ...options },
    hostOptions,
  );
  return { kit, host, model, events };
}

/** Text of the last result that a model got, of the conversation with this task. */
export function lastResult({ messages }: Pick<ModelRequest, "messages">): string {
  const tool = messages.findLast(({ role }) => role === "tool");
  return tool?.role === "tool"
    ? tool.content.map(({ content }) => contentText(content)).join("\n")
    : "";
}

/** Agent id in a result. */
export function idIn(text: string): string {
  return /agentId (\S+?),/u.exec(text)?.[1] ?? "";
}
