import { expect, test } from "vitest";
import type { HaftEvent } from "../core/index.ts";
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

test("one event that is larger than all is not kept", async () => {
  const log = memoryEventLog({ maxChars: 1000 });

  log.append(start(1, "small"));
  log.append(start(2, "x".repeat(1001)));
  log.append(start(3, "small"));

  expect((await log.readEvents()).map(({ seq }) => seq)).toEqual([3]);
});
