import { once } from "node:events";
import { expect, test } from "vitest";
import { echo, play, run } from "../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../test/fakes/fake-toolkit.ts";
import { resultOf, type Steps } from "../../session/index.ts";

test("steps have stable keys, and a recorded step is not worked again", async () => {
  const twoCalls = {
    calls: [
      { name: "Echo", id: "a" },
      { name: "Echo", id: "b" },
    ],
  };
  const recorded = new Map<string, unknown>();
  const journal = (): Steps => ({
    async run(key, work) {
      if (!recorded.has(key)) recorded.set(key, JSON.stringify(await work()));
      return JSON.parse(String(recorded.get(key)));
    },
    async runAll(keys, work) {
      const missing = keys.filter((key) => !recorded.has(key));
      await work(missing, (key, result) => recorded.set(key, JSON.stringify(result)));
      return keys.map((key) => JSON.parse(String(resultOf(recorded, key))));
    },
  });
  const first = await run({ model: play(twoCalls, { text: "done" }), steps: journal() });
  expect([...recorded.keys()]).toEqual(["llm:1", "tool:call-1", "tool:call-2", "llm:2"]);

  recorded.delete("tool:call-2");
  recorded.delete("llm:2");
  const toolkit = fakeToolkit({ Echo: echo });
  const second = await run({ toolkit, model: play({ text: "done" }), steps: journal() });

  expect(toolkit.batches.map(({ calls }) => calls.map(({ id }) => id))).toEqual([["call-2"]]);
  expect(second).toEqual(first);
});

test("a call is recorded when it ends, not when the turn does", async () => {
  const order: string[] = [];
  const released = new AbortController();
  const toolkit = fakeToolkit({
    Quick: { run: () => "quick" },
    Slow: {
      run: async () => {
        await once(released.signal, "abort");
        order.push("slow ends");
        return "slow";
      },
    },
  });
  await run({
    toolkit,
    model: play(
      {
        calls: [
          { name: "Slow", id: "s" },
          { name: "Quick", id: "q" },
        ],
      },
      { text: "ok" },
    ),
    steps: {
      run: async (_key, work) => await work(),
      async runAll(keys, work) {
        const results = new Map();
        await work(keys, (key, result) => {
          order.push(key);
          results.set(key, result);
          if (key === "tool:call-2") released.abort();
        });
        return keys.map((key) => resultOf(results, key));
      },
    },
  });

  expect(order).toEqual(["tool:call-2", "slow ends", "tool:call-1"]);
});
