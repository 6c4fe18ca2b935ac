import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { simpleTool, testKit } from "../../../test/support/kit.ts";
import type { Model } from "../models/model.ts";

const turns = 1000;

/** A model that makes one call in each turn, and then ends. */
function caller(): Model {
  let turn = 0;
  return {
    id: "fake:caller",
    async *stream() {
      turn += 1;
      yield { type: "text", text: `turn ${turn}` };
      if (turn <= turns)
        yield { type: "tool-call", id: "call_0", name: "Note", input: `{"n":${turn}}` };
      yield { type: "usage", usage: { input: 100 * turn, output: 20 } };
      yield { type: "finish", reason: turn <= turns ? "tool-calls" : "stop" };
    },
  };
}

test("a run of 1,000 turns grows memory by less than 40 MB", async () => {
  const note = simpleTool("Note", (input) => ({ content: JSON.stringify(input).repeat(20) }));
  const { kit } = await testKit({ tools: { extra: [note] } });
  await kit.run({ task: "warm up", model: caller(), limits: { maxTurns: 3 } }).result;
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;

  const limits = { maxTurns: turns + 1, maxCalls: turns };
  const result = await kit.run({ task: "go", model: caller(), limits }).result;
  collect();
  const grown = process.memoryUsage().heapUsed - before;

  expect(result).toMatchObject({ status: "done", calls: turns });
  expect(grown / 1e6).toBeLessThan(40);
  await kit.dispose();
}, 60_000);
