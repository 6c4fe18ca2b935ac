import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { HaftEvent } from "../../../core/index.ts";
import { eventsOf } from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit, type FakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { runEvents, type RunEvents } from "./run-events.ts";

const id = { sessionId: "s", runId: "r" };

function heardRun(): {
  readonly toolkit: FakeToolkit;
  readonly heard: RunEvents;
  readonly end: () => void;
} {
  const toolkit = fakeToolkit();
  const heard = runEvents(toolkit, "r", "s");
  return {
    toolkit,
    heard,
    end: () => toolkit.events.emit({ type: "run-end", ...id, status: "done", text: "" }),
  };
}

async function countOf(events: AsyncIterable<HaftEvent>): Promise<number> {
  let count = 0;
  for await (const event of events) if (event.seq > 0) count += 1;
  return count;
}

function textOf(events: readonly HaftEvent[]): string {
  return events.map((event) => (event.type === "model-text" ? event.text : "")).join("");
}

test("several readers get every event, whether they start early or late", async () => {
  const { toolkit, heard, end } = heardRun();
  const early = [eventsOf(heard.events), eventsOf(heard.events)];
  for (const text of ["a", "b", "c"]) {
    toolkit.events.emit({ type: "turn-start", ...id, turn: 1 });
    toolkit.events.emit({ type: "model-text", ...id, turn: 1, text });
    await new Promise((resolve) => setImmediate(resolve));
  }
  end();

  const all = await Promise.all([...early, eventsOf(heard.events)]);

  expect(all.map((events) => events.length)).toEqual([7, 7, 7]);
  expect(all.map(textOf)).toEqual(["abc", "abc", "abc"]);
});

test("text that no reader has taken yet is joined, block by block", async () => {
  const { toolkit, heard, end } = heardRun();
  const reader = heard.events[Symbol.asyncIterator]();
  toolkit.events.emit({ type: "turn-start", ...id, turn: 1 });
  await reader.next();
  for (let count = 0; count < 10_000; count += 1) {
    toolkit.events.emit({ type: "model-text", ...id, turn: 1, text: "word " });
  }
  toolkit.events.emit({ type: "model-reasoning", ...id, turn: 1, text: "hm" });
  toolkit.events.emit({ type: "model-text", ...id, turn: 2, text: "end" });
  end();

  const rest: HaftEvent[] = [];
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    rest.push(next.value);
  }

  expect(rest.map(({ type }) => type)).toEqual([
    "model-text",
    "model-reasoning",
    "model-text",
    "run-end",
  ]);
  expect(textOf(rest)).toHaveLength(50_003);
});

test("what a reader that is too slow misses is counted where it is missing", async () => {
  const { toolkit, heard, end } = heardRun();
  const reader = heard.events[Symbol.asyncIterator]();
  toolkit.events.emit({ type: "turn-start", ...id, turn: 0 });
  await reader.next();
  const sent = 30_000;
  for (let turn = 1; turn <= sent; turn += 1)
    toolkit.events.emit({ type: "turn-start", ...id, turn });
  end();

  const first = await reader.next();
  let count = 0;
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) count += 1;

  expect(first.value).toMatchObject({ type: "events-dropped", runId: "r" });
  const dropped = first.value?.type === "events-dropped" ? first.value.count : 0;
  expect(dropped + count).toBe(sent + 1);
  expect(count).toBeLessThanOrEqual(10_000);
});

test("100,000 events with a slow, a fast and an absent reader stay within 50 MB", async () => {
  const { toolkit, heard, end } = heardRun();
  const fast = countOf(heard.events);
  const slow = heard.events[Symbol.asyncIterator]();
  toolkit.events.emit({ type: "turn-start", ...id, turn: 1 });
  await slow.next();
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  for (let count = 0; count < 100_000; count += 1) {
    const text = `${"x".repeat(200)}${count}`;
    if (count % 2 === 0) toolkit.events.emit({ type: "model-text", ...id, turn: 1, text });
    else toolkit.events.emit({ type: "call-output", ...id, callId: "c", text, stream: "stdout" });
    // The fake toolkit records what a kit does not.
    toolkit.emitted.length = 0;
    if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (count % 50_000 === 49_999) {
      collect();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
  }
  end();

  expect(most / 1e6).toBeLessThan(50);
  expect(await fast).toBeGreaterThan(90_000);
  await slow.return?.();
}, 30_000);
