import { expect, test } from "vitest";
import { again, echo, eventsOf, play } from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { startRun } from "../run.ts";

test("events of other sessions are not heard, changes of mode and tools are", async () => {
  const toolkit = fakeToolkit({
    Noise: {
      run: () => {
        toolkit.events.emit({ type: "mode-change", mode: "plan" });
        toolkit.events.emit({
          type: "run-start",
          sessionId: "other",
          runId: "r2",
          task: "t",
          model: "m",
        });
        toolkit.events.emit({ type: "call-progress", callId: "x", update: {} });
        return "ok";
      },
    },
  });
  const agent = startRun({
    toolkit,
    task: "go",
    model: play({ calls: [{ name: "Noise" }] }, { text: "ok" }),
  });

  const types = (await eventsOf(agent.events)).map(({ type }) => type);

  expect(types.filter((type) => type === "run-start")).toHaveLength(1);
  expect(types).toContain("mode-change");
  expect(types).not.toContain("call-progress");
});

test("a reader who leaves early does not stop the run", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const agent = startRun({ toolkit, task: "go", model: play(again, { text: "ok" }) });
  for await (const event of agent.events) {
    if (event.type === "turn-start") break;
  }

  expect(await agent.result).toMatchObject({ status: "done" });
  expect(toolkit.listenerCount()).toBe(0);
});

test("events wait for a reader who comes late", async () => {
  const agent = startRun({
    toolkit: fakeToolkit(),
    task: "go",
    model: play({ text: "ok" }),
  });
  await agent.result;

  expect((await eventsOf(agent.events)).map(({ type }) => type)).toEqual([
    "run-start",
    "turn-start",
    "model-text",
    "turn-end",
    "run-end",
  ]);
});

test("output nobody reads is left out past ten thousand events, what matters is kept", async () => {
  const toolkit = fakeToolkit({
    Chatty: {
      run: (_input, { sessionId }) => {
        for (let index = 0; index < 10_050; index += 1) {
          toolkit.events.emit({
            type: "call-output",
            sessionId,
            callId: "c",
            text: "x",
            stream: "stdout",
          });
        }
        return "ok";
      },
    },
  });
  const agent = startRun({
    toolkit,
    task: "go",
    model: play({ calls: [{ name: "Chatty" }] }, { text: "ok" }),
  });
  await agent.result;

  const events = await eventsOf(agent.events);

  expect(events.filter(({ type }) => type === "call-output").length).toBeLessThan(10_000);
  expect(events.at(-1)?.type).toBe("run-end");
  expect(events.filter(({ type }) => type === "call-end")).toHaveLength(1);
});
