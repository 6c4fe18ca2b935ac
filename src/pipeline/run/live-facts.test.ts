import { expect, test } from "vitest";
import type { HaftEvent, ProgressUpdate } from "../../core/index.ts";
import { simpleTool, testKit } from "../../../test/support/kit.ts";

test("metadata and title reach listeners while a tool runs", async () => {
  const heard: ProgressUpdate[] = [];
  const events: HaftEvent[] = [];
  let whileRunning = 0;
  const token = `ghp_${"a1B2".repeat(9)}`;
  const slow = simpleTool("Slow", async (_input, { metadata }) => {
    metadata({ title: "Slow: 3 files", files: 3 });
    metadata({ token });
    whileRunning = heard.length;
    return { content: "done" };
  });
  const { kit } = await testKit({
    tools: { extra: [slow] },
    onEvent: (event) => events.push(event),
  });

  const { metadata } = await kit.call(
    { name: "Slow", input: {} },
    { onProgress: (update) => heard.push(update) },
  );

  const told = [
    { title: "Slow: 3 files", metadata: { title: "Slow: 3 files", files: 3 } },
    { metadata: { token: "[redacted: GitHub token]" } },
  ];
  expect(heard).toEqual(told);
  expect(whileRunning).toBe(2);
  expect(events.flatMap((event) => (event.type === "call-progress" ? [event.update] : []))).toEqual(
    told,
  );
  expect(metadata).toMatchObject({ files: 3 });
});

test("facts that cannot be searched for secrets reach no listener", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const circle: Record<string, unknown> = { token };
  circle["self"] = circle;
  const heard: unknown[] = [];
  const slow = simpleTool("Slow", async (_input, { metadata, progress }) => {
    metadata({ token, circle, big: 1n, map: new Map([["token", token]]), files: 3 });
    progress({ message: `with ${token}` });
    return { content: "done" };
  });
  const { kit } = await testKit({
    tools: { extra: [slow] },
    onEvent: (event) => {
      if (event.type === "call-progress") heard.push(event.update);
    },
  });

  await kit.call({ name: "Slow", input: {} }, { onProgress: (update) => heard.push(update) });

  const facts = { metadata: { token: "[redacted: GitHub token]", files: 3 } };
  const message = { message: "with [redacted: GitHub token]" };
  expect(heard).toEqual([facts, facts, message, message]);
});
