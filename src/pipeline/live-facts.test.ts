import { expect, test } from "vitest";
import type { HaftEvent, ProgressUpdate } from "../core/index.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";

test("metadata and title reach listeners while a tool runs (issue 15)", async () => {
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
