import { expect, test } from "vitest";
import { done, echo, model, run, says } from "../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../test/fakes/fake-toolkit.ts";

test("a request has the task, the system text, the tools and the results so far", async () => {
  const toolkit = fakeToolkit({ Echo: { ...echo, description: "Says it again." } });
  const asked = model(
    () =>
      says(
        { type: "tool-call", id: "a", name: "Echo", input: "{}" },
        { type: "finish", reason: "tool-calls" },
      ),
    () => says(...done),
  );
  await run({
    toolkit,
    model: asked,
    system: "be brief",
    limits: { maxOutputTokens: 99 },
  });

  const [first, second] = asked.requests;
  expect(first).toMatchObject({
    system: "be brief",
    maxOutputTokens: 99,
    messages: [{ role: "user" }],
    tools: [{ name: "Echo", description: "Says it again.", inputSchema: { type: "object" } }],
  });
  expect(second?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(second?.tools).toBe(first?.tools);
  expect(toolkit.definitionRequests).toEqual(["anthropic"]);
});

test("tools are asked for again when they changed, and a change is heard in the next turn", async () => {
  const toolkit = fakeToolkit();
  toolkit.tools.set("Add", {
    run: () => {
      toolkit.tools.set("More", echo);
      toolkit.events.emit({ type: "tools-change", added: ["More"], removed: [] });
      return "added";
    },
  });
  const asked = model(
    () =>
      says(
        { type: "tool-call", id: "a", name: "Add", input: "{}" },
        { type: "finish", reason: "tool-calls" },
      ),
    () => says(...done),
  );
  await run({ toolkit, model: asked });

  expect(asked.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ["Add"],
    ["Add", "More"],
  ]);
});

test("tools that turn out unchanged stay the very same list", async () => {
  const toolkit = fakeToolkit({
    Mode: {
      run: () => {
        toolkit.events.emit({ type: "mode-change", mode: "plan" });
        return "ok";
      },
    },
  });
  const asked = model(
    () =>
      says(
        { type: "tool-call", id: "a", name: "Mode", input: "{}" },
        { type: "finish", reason: "tool-calls" },
      ),
    () => says(...done),
  );
  await run({ toolkit, model: asked });

  expect(toolkit.definitionRequests).toHaveLength(2);
  expect(asked.requests[1]?.tools).toBe(asked.requests[0]?.tools);
});
