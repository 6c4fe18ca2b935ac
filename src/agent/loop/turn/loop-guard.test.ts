import { expect, test } from "vitest";
import { again, echo, play, run } from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit, writeEffect, type FakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { type ScriptTurn } from "../../models/script/script.ts";

test("QwenPaw#6116: the same call with the same result is warned about at three and ends the run at five", async () => {
  const result = await run({ model: play(...Array.from({ length: 9 }, () => again)) });

  const texts = result.messages.flatMap((message) =>
    message.role === "tool" ? message.content.map(({ content }) => content.length) : [],
  );
  expect(texts).toEqual([1, 1, 2, 2, 2]);
  expect(result).toMatchObject({
    status: "looping",
    turns: 5,
    text: "again\n\nStopped: Echo was called in 5 turns with the same input and the same result.",
    error: { code: "LIMIT_REACHED" },
  });
});

test("OpenMonoAgent.ai#47: a polling tool may say the same as often as it likes", async () => {
  const result = await run({
    toolkit: fakeToolkit({ Echo: { ...echo, tags: ["polling"] } }),
    model: play(...Array.from({ length: 9 }, () => again), { text: "ready" }),
  });

  expect(result).toMatchObject({ status: "done", turns: 10 });
});

test("a change to a file starts the count over, making it again does not", async () => {
  const edit = { run: () => ({ effects: [writeEffect("/a")] }) };
  const toolkit = (): FakeToolkit => fakeToolkit({ Check: { run: () => "red" }, Edit: edit });
  const check = { calls: [{ name: "Check" }] };
  const edits = (same: boolean): readonly ScriptTurn[] =>
    Array.from({ length: 6 }, (_, n) => [
      check,
      { calls: [{ name: "Edit", input: { n: same ? 0 : n } }] },
    ]).flat();

  const working = await run({ toolkit: toolkit(), model: play(...edits(false), { text: "ok" }) });
  const circling = await run({ toolkit: toolkit(), model: play(...edits(true), { text: "ok" }) });

  expect(working.status).toBe("done");
  expect(circling.status).toBe("looping");
});
