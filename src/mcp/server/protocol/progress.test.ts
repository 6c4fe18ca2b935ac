import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ProgressUpdate } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import { type Outgoing } from "./json-rpc.ts";
import { progressReporter } from "../tools/call-tool.ts";

function figures(updates: readonly ProgressUpdate[]): readonly unknown[] {
  const sent: Outgoing[] = [];
  const report = progressReporter("t", { send: (message) => void sent.push(message) });
  for (const update of updates) report?.(update);
  return sent.map((message) =>
    "params" in message && isRecord(message.params) ? message.params["progress"] : undefined,
  );
}

test.for([
  { updates: [{ done: 0 }, { done: 5 }], sent: [0, 5], because: "figures are passed on" },
  { updates: [{ done: 5 }, { done: 5 }, { done: 3 }], sent: [5], because: "none goes backwards" },
  {
    updates: [{ message: "a" }, { message: "b" }],
    sent: [1, 2],
    because: "news without figures are counted",
  },
  {
    updates: [{ done: 5 }, { message: "news" }, { done: 5, message: "more" }, { done: 6 }],
    sent: [5, 5.001, 5.002, 6],
    because: "news between figures stay between them",
  },
  { updates: [{}, { done: Number.NaN }], sent: [], because: "nothing was said" },
])("progress: $because", ({ updates, sent }) => {
  const seen = figures(updates);

  expect(seen).toHaveLength(sent.length);
  seen.forEach((figure, index) => expect(figure).toBeCloseTo(sent[index] ?? Number.NaN, 6));
});

test("whatever a tool reports, the figure grows each time", () => {
  const update = fc.record(
    { done: fc.integer({ min: 0, max: 1000 }), message: fc.string() },
    { requiredKeys: [] },
  );
  const property = fc.property(fc.array(update), (updates) => {
    const seen = figures(updates).map(Number);
    return seen.every((figure, index) => index === 0 || figure > Number(seen[index - 1]));
  });

  expect(fc.check(property).failed).toBe(false);
});

test("a client that does not keep up is spared progress", () => {
  let isCongested = true;
  const sent: Outgoing[] = [];
  const report = progressReporter(1, {
    send: (message) => void sent.push(message),
    isCongested: () => isCongested,
  });

  report?.({ done: 1 });
  expect(sent).toEqual([]);

  isCongested = false;
  report?.({ done: 2, total: 3, message: "on" });
  expect(sent).toMatchObject([
    { params: { progressToken: 1, progress: 2, total: 3, message: "on" } },
  ]);
});
