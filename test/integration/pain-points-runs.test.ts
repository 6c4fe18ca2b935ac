import { readdir, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Model, ModelEvent, ModelRequest } from "../../src/agent/index.ts";
import { scriptedModel } from "../../src/agent/index.ts";
import type { Answer } from "../../src/core/index.ts";
import { countingTool, simpleTool } from "../support/kit.ts";
import { called } from "../support/sessions.ts";
import { saying, storedKits } from "../support/stored-kits.ts";

const { at, open } = storedKits("pain-points-runs");

type Reply = readonly ModelEvent[];

/** A model that gives these answers, one for each request. */
function answering(...answers: readonly Reply[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: "fake:m",
    requests,
    async *stream(request) {
      requests.push(request);
      yield* answers[requests.length - 1] ?? [];
    },
  };
}

function calls(name: string, input: object | string, more: { readonly cut?: boolean } = {}): Reply {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return [
    { type: "tool-call", id: "call_0", name, input: text },
    { type: "finish", reason: more.cut === true ? "length" : "tool-calls" },
  ];
}

const done: Reply = [
  { type: "text", text: "Done." },
  { type: "finish", reason: "stop" },
];

describe("a compaction keeps what the agent is and does", () => {
  test("opencode#16960: system prompt, task and todos are in the request after a compaction", async () => {
    const kit = await open({ mode: "acceptEdits" });
    const model = answering(
      calls("TaskCreate", { title: "check the migration" }),
      calls("Bash", { command: "seq 1 4000" }),
      calls("Bash", { command: "seq 1 4001" }),
      done,
    );

    const { status } = await kit.run({
      task: "Review the migration as Ada would.",
      system: "You are a reviewer called Ada and change nothing.",
      model,
      backgroundModel: saying("One.", "Two.", "Three.").model,
      compaction: { atTokens: 2500, keepTurns: 1 },
    }).result;

    expect(status).toBe("done");
    const last = model.requests.at(-1);
    expect(last?.system).toBe("You are a reviewer called Ada and change nothing.");
    const text = JSON.stringify(last?.messages);
    expect(text).toContain("[Summary of the earlier conversation");
    expect(text).toContain("Review the migration as Ada would.");
    expect(text).toContain("(pending): check the migration");
    await kit.dispose();
  });
});

describe("P21: nothing that is stored makes a session unusable", () => {
  test.each(["claude-code#24387", "claude-code#29527"])(
    "%s: a file that is not an image is not sent as one, and the session continues",
    async () => {
      const kit = await open();
      await writeFile(at("work/shot.png"), "<html>not an image</html>");
      const model = answering(calls("Read", { file_path: at("work/shot.png") }), done);

      const first = kit.run({ task: "look", model });
      expect((await first.result).status).toBe("done");
      const again = saying("Still here.");
      const later = kit.run({ sessionId: first.sessionId, task: "go on", model: again.model });

      expect(await later.result).toMatchObject({ status: "done", text: "Still here." });
      expect(JSON.stringify(again.requests[0]?.messages)).not.toContain('"type":"image"');
      await kit.dispose();
    },
  );

  test.each(["pi#9590", "pi#4189", "crush#2597", "harness-sdk#859"])(
    "%s: a call without a result gets one before the next request, and stays stored with it",
    async () => {
      const kit = await open();
      const { model, requests } = saying("Done.");

      const { status } = await kit.run({
        sessionId: "s",
        task: "go on",
        messages: [
          { role: "user", content: [{ type: "text", text: "go" }] },
          called("c1", '{"file_path":"a.txt"}', "Read"),
        ],
        model,
      }).result;

      expect(status).toBe("done");
      expect(requests[0]?.messages.map(({ role }) => role)).toEqual([
        "user",
        "assistant",
        "tool",
        "user",
      ]);
      const stored = await kit.sessions.messages("s");
      expect(stored[2]).toMatchObject({ content: [{ callId: "c1", isError: true }] });
      expect(JSON.stringify(stored[2])).toContain("may or may not have taken effect");
      await kit.dispose();
    },
  );
});

describe("P22: a call that was cut off is not repaired and run", () => {
  const input = '{"file_path":"a.txt","content":"the first half of the te';

  test.each([
    ["cline#13001", input],
    ["qwen-code#2021", `${input}xt"`],
    ["OpenMinis#119", "{}"],
    ["PilotDeck#97", '{"file_path":"a.txt"'],
  ])("%s: %s writes nothing, and the model is told to split it", async (_id, cut) => {
    const kit = await open({ mode: "acceptEdits" });
    const model = answering(calls("Write", cut, { cut: true }), done);

    const { status } = await kit.run({ task: "write", model }).result;

    expect(status).toBe("done");
    expect(await readdir(at("work"))).not.toContain("a.txt");
    const result = JSON.stringify(model.requests[1]?.messages.at(-1));
    expect(result).toContain("INCOMPLETE_CALL");
    expect(result).toMatch(/smaller|parts|split|shorter/iu);
    await kit.dispose();
  });
});

describe("a loop is noticed where there is one, and only there", () => {
  const same = Array.from({ length: 9 }, () => ({ calls: [{ name: "Look", input: {} }] }));
  const script = { format: 1, name: "repeats", turns: [...same, { text: "Done." }] } as const;

  test("OpenMonoAgent.ai#47: a tool that is polled may say the same often", async () => {
    const tool = simpleTool("Look", () => ({ content: "still waiting" }), { tags: ["polling"] });
    const kit = await open({ tools: { extra: [tool] } });

    const result = await kit.run({ task: "wait", model: scriptedModel(script) }).result;

    expect(result).toMatchObject({ status: "done", calls: 9 });
    await kit.dispose();
  });

  test("QwenPaw#6116: a call that succeeds the same way again and again ends the run", async () => {
    const tool = simpleTool("Look", () => ({ content: "fine" }));
    const kit = await open({ tools: { extra: [tool] } });

    const result = await kit.run({ task: "look", model: scriptedModel(script) }).result;

    expect(result).toMatchObject({ status: "looping", calls: 5 });
    await kit.dispose();
  });
});

test("copilot-cli#4668: a call that was reported as not run never runs, also if it is allowed later", async () => {
  const { tool, runs } = countingTool("Push");
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Answer>();
  const kit = await open({
    tools: { extra: [tool] },
    onAsk: async () => {
      asked.resolve();
      return await answer.promise;
    },
  });
  const run = kit.run({ task: "push", model: answering(calls("Push", {}), done) });
  await asked.promise;
  run.abort();
  const { status, messages } = await run.result;
  answer.resolve({ kind: "once" });

  const { model } = saying("Done.");
  await kit.run({ sessionId: run.sessionId, task: "go on", model }).result;
  await kit.dispose();

  expect(status).toBe("aborted");
  expect(JSON.stringify(messages.at(-1))).toContain("ABORTED");
  expect(runs()).toBe(0);
});
