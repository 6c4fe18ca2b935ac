import { expect, test } from "vitest";
import type { HaftEvent, Outcome } from "../../core/index.ts";
import { memoryEventLog } from "./memory-event-log.ts";

const start = (seq: number, input: unknown): HaftEvent => ({
  type: "call-start",
  seq,
  at: 0,
  callId: "c",
  call: { name: "T", input },
});

test("what is kept is bounded by its characters, wherever they stand, and the latest stay", async () => {
  const log = memoryEventLog({ maxChars: 10_000 });

  for (let seq = 1; seq <= 100; seq += 1)
    log.append(start(seq, { deep: [{ text: "x".repeat(400) }] }));

  const events = await log.readEvents();
  expect(events.length).toBeGreaterThan(10);
  expect(events.length).toBeLessThan(25);
  expect(events.at(-1)?.seq).toBe(100);
  expect(events.at(0)?.position).toBe(101 - events.length);
  expect(log.health().dropped).toBe(100 - events.length);
});

const decided = (seq: number, input: unknown): HaftEvent => ({
  type: "call-decided",
  seq,
  at: 0,
  callId: "c",
  tool: "T",
  input,
  effects: [],
  decision: { kind: "allow", trail: [] },
});

const end = (seq: number, outcome: Partial<Outcome>): HaftEvent => ({
  type: "call-end",
  seq,
  at: 0,
  callId: "c",
  outcome: {
    id: "c",
    tool: "T",
    status: "ok",
    isError: false,
    content: [],
    text: "",
    title: "T",
    summary: "",
    metadata: {},
    trust: "trusted",
    decision: { kind: "allow", trail: [] },
    effects: [],
    repairs: [],
    durationMs: 0,
    ...outcome,
  },
});

const long = "x".repeat(1001);

test.each<[string, HaftEvent]>([
  ["the input a call was judged with", decided(2, { a: [long] })],
  ["its text", end(2, { text: long })],
  ["its content", end(2, { content: [{ type: "text", text: long }] })],
  ["its structured content", end(2, { structuredContent: { a: long } })],
  ["its metadata", end(2, { metadata: { a: [long] } })],
  ["its title", end(2, { title: long })],
  ["its summary", end(2, { summary: long })],
])("%s counts", async (_, event) => {
  const log = memoryEventLog({ maxChars: 1000 });

  log.append(start(1, "small"));
  log.append(event);

  expect(await log.readEvents()).toEqual([]);
});

test("one event that is larger than all is not kept", async () => {
  const log = memoryEventLog({ maxChars: 1000 });

  log.append(start(1, "small"));
  log.append(start(2, "x".repeat(1001)));
  log.append(start(3, "small"));

  expect((await log.readEvents()).map(({ seq }) => seq)).toEqual([3]);
});

test("a memory log keeps the latest events and says how many it gave up", async () => {
  const log = memoryEventLog({ maxEvents: 3 });
  for (let seq = 1; seq <= 6; seq += 1) log.append(start(seq, {}));

  const found = await log.readEvents();

  expect(found.map(({ seq, position }) => [seq, position])).toEqual([
    [4, 4],
    [5, 5],
    [6, 6],
  ]);
  expect(log.health()).toEqual({ waiting: 0, dropped: 3 });
});
