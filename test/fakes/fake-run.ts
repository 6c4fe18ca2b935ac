import type { HaftEvent } from "../../src/core/index.ts";
import {
  scriptedModel,
  startRun,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type RunClock,
  type RunOptions,
  type RunResult,
  type ScriptTurn,
} from "../../src/agent/index.ts";
import { fakeToolkit, type FakeTool } from "./fake-toolkit.ts";

/** Says its input again. */
export const echo: FakeTool = { run: (input) => JSON.stringify(input) };

/** A turn that calls Echo, the same each time. */
export const again: ScriptTurn = { text: "again", calls: [{ name: "Echo" }] };

export function play(...turns: readonly ScriptTurn[]): Model {
  return scriptedModel({ format: 1, name: "test", turns });
}

/** A model made of functions, one for each request. */
export function model(
  ...answers: readonly ((request: ModelRequest) => AsyncIterable<ModelEvent>)[]
): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: "fake:model",
    dialect: "anthropic",
    requests,
    stream(request) {
      const answer = answers[requests.length];
      requests.push(request);
      if (answer === undefined) throw new Error("no more answers");
      return answer(request);
    },
  };
}

export async function* says(...events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

export async function* fails(
  error: unknown,
  ...events: readonly ModelEvent[]
): AsyncGenerator<ModelEvent> {
  yield* events;
  throw error;
}

export const done: readonly ModelEvent[] = [
  { type: "text", text: "done" },
  { type: "finish", reason: "stop" },
];

export async function run(
  options: Partial<RunOptions> & Pick<RunOptions, "model">,
): Promise<RunResult> {
  return await startRun({ toolkit: fakeToolkit({ Echo: echo }), task: "go", ...options }).result;
}

export async function eventsOf(events: AsyncIterable<HaftEvent>): Promise<HaftEvent[]> {
  const all: HaftEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A clock that notes its waits and never waits; its timers go off when told. */
export function quickClock(): RunClock & { readonly waits: number[]; fire(): void } {
  const waits: number[] = [];
  const callbacks = new Set<() => void>();
  return {
    waits,
    fire: () => {
      for (const callback of callbacks) callback();
    },
    sleep: async (ms) => {
      waits.push(ms);
    },
    timer: (_ms, callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}
