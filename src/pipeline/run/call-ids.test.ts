import { expect, test } from "vitest";
import { gate, simpleTool, testKit } from "../../../test/support/kit.ts";

test("two running calls with one id are two calls to everything that is stored by id", async () => {
  const door = gate();
  const keys: string[] = [];
  const tool = simpleTool("Wait", async (_input, { callId }) => {
    keys.push(callId);
    await door.passed;
    return { content: callId };
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });
  const running = [kit.call({ id: "same", name: "Wait" }), kit.call({ id: "same", name: "Wait" })];
  const child = kit.derive().call({ id: "same", name: "Wait" });

  door.open();
  const outcomes = await Promise.all([...running, child]);

  expect(outcomes.map(({ id }) => id)).toEqual(["same", "same", "same"]);
  expect(new Set(keys).size).toBe(3);
  expect(keys).toContain("same");
});

test("an id is free again once its call is over, and an empty one is replaced", async () => {
  const tool = simpleTool("Name", (_input, { callId }) => ({ content: callId }));
  const { kit } = await testKit({ tools: { extra: [tool] } });

  const first = await kit.call({ id: "same", name: "Name" });
  const second = await kit.call({ id: "same", name: "Name" });
  const unnamed = await kit.call({ id: "", name: "Name" });

  expect([first.text, second.text]).toEqual(["same", "same"]);
  expect(unnamed.id).not.toBe("");
});
