import { expect, test } from "vitest";
import { contentText, ToolError } from "../../../core/index.ts";
import {
  ephemeralSteps,
  repairMessages,
  type Message,
  type RunLog,
} from "../../../session/index.ts";
import { done, fails, model, quickClock, run, says } from "../../../../test/fakes/fake-run.ts";
import { files, reader, summarizer, textOf } from "../../../../test/fakes/compacted-runs.ts";
import type { Model, ModelEvent } from "../../models/model.ts";

const overflow = new ToolError("CONTEXT_OVERFLOW", "The conversation is too long.");

/** An answer that reads a file. */
function read(): AsyncIterable<ModelEvent> {
  return says(
    { type: "tool-call", id: "r", name: "Read", input: "{}" },
    { type: "finish", reason: "tool-calls" },
  );
}

function gone(): AsyncIterable<ModelEvent> {
  return fails(new ToolError("MODEL_FAILED", "Gone.", { retryable: false }));
}

test("old results are shortened first, and the latest turns stay as they are", async () => {
  const toolkit = files(4000);
  const asked = reader(7);
  const small = summarizer();
  const result = await run({
    toolkit,
    model: asked,
    backgroundModel: small,
    compaction: { atTokens: 7500, keepTurns: 2 },
  });

  expect(result.status).toBe("done");
  expect(small.requests).toHaveLength(0);
  const compactions = toolkit.emitted.filter(({ type }) => type === "compaction");
  expect(compactions.length).toBeGreaterThan(0);
  expect(compactions[0]).toMatchObject({ cause: "size", kind: "results" });
  const last = asked.requests.at(-1)?.messages ?? [];
  expect(textOf(last)).toContain("This old result was shortened by");
  const results = last.filter(({ role }) => role === "tool");
  expect(textOf(results.slice(-1))).not.toContain("shortened");
});

test("when that is not enough, old turns become a summary with the task, todos and read files", async () => {
  const toolkit = files(900);
  const asked = reader(30);
  const small = summarizer();
  const result = await run({
    toolkit,
    task: "Read all files.",
    system: "Be careful.",
    model: asked,
    backgroundModel: small,
    compaction: {
      atTokens: 5000,
      keepTurns: 2,
      keep: () => [{ name: "Open todos", text: "- write the report" }],
    },
  });

  expect(result.status).toBe("done");
  const event = toolkit.emitted.find(({ type }) => type === "compaction");
  const isShorter = event?.type === "compaction" && event.tokensAfter < event.tokensBefore;
  expect(event).toMatchObject({ kind: "summary", cause: "size", runId: expect.any(String) });
  expect(isShorter).toBe(true);
  const last = asked.requests.at(-1);
  expect(last?.system).toBe("Be careful.");
  expect(last?.messages[0]).toEqual({
    role: "user",
    content: [{ type: "text", text: "Read all files." }],
  });
  const summary = last?.messages[1];
  const text = summary?.role === "user" ? contentText(summary.content) : "";
  expect(text).toContain("The summary.");
  expect(text).toContain("Open todos:\n- write the report");
  expect(text).toContain("- /f1.txt");
  // The transcript is data for the summarizer, which has no tools.
  expect(small.requests[0]?.tools).toEqual([]);
  expect(textOf(small.requests[0]?.messages)).toContain("Call Read:");
});

test("every request during compactions has each call with its result right behind it", async () => {
  const asked = reader(40);
  await run({
    toolkit: files(1500),
    model: asked,
    backgroundModel: summarizer(),
    compaction: { atTokens: 4000, keepTurns: 3 },
  });

  expect(asked.requests).toHaveLength(41);
  for (const { messages } of asked.requests) expect(repairMessages(messages)).toEqual(messages);
});

test("the log gets the new conversation before the next request", async () => {
  const toolkit = files(900);
  const log: RunLog & { messages: Message[]; replaced: number } = {
    messages: [],
    replaced: 0,
    steps: ephemeralSteps,
    append: async (added) => void log.messages.push(...added),
    replace: async (next, reason) => {
      expect(reason).toBe("compaction");
      log.replaced += 1;
      log.messages = [...next];
    },
  };
  const result = await run({
    toolkit,
    log,
    model: reader(30),
    backgroundModel: summarizer(),
    compaction: { atTokens: 5000 },
  });

  expect(log.replaced).toBeGreaterThan(0);
  expect(log.messages).toEqual(result.messages);
});

test("a conversation that the model refuses as too long is compacted once and sent again", async () => {
  const toolkit = files(4000);
  const asked = model(
    read,
    read,
    () => fails(overflow),
    () => says(...done),
  );
  const result = await run({ toolkit, model: asked, backgroundModel: summarizer() });

  expect(result).toMatchObject({ status: "done", turns: 3 });
  expect(toolkit.emitted).toContainEqual(
    expect.objectContaining({ type: "compaction", cause: "overflow", turn: 3 }),
  );
  const [before, after] = asked.requests.slice(2).map(({ messages }) => textOf(messages).length);
  expect(after).toBeLessThan((before ?? 0) * 0.6);
});

test.each([
  { name: "again", compaction: {}, requests: 4 },
  { name: "and compaction is off", compaction: false, requests: 3 },
] as const)(
  "a model that refuses $name fails the run by name",
  async ({ compaction, requests }) => {
    const asked = model(
      read,
      read,
      () => fails(overflow),
      () => fails(overflow),
    );
    const result = await run({
      toolkit: files(4000),
      model: asked,
      compaction,
      backgroundModel: summarizer(),
    });

    expect(result).toMatchObject({ status: "failed", error: { code: "CONTEXT_OVERFLOW" } });
    expect(asked.requests).toHaveLength(requests);
  },
);

test("the context size of the model decides where no size is given", async () => {
  const toolkit = files(4000);
  const asked = { ...reader(8), info: { contextTokens: 7000 } };
  await run({ toolkit, model: asked, backgroundModel: summarizer() });

  expect(toolkit.emitted.some(({ type }) => type === "compaction")).toBe(true);
});

test("if the background model fails, the model of the run summarizes", async () => {
  const toolkit = files(4000);
  const asked = model(
    read,
    read,
    () => fails(overflow),
    () => says({ type: "text", text: "My own summary." }, { type: "finish", reason: "stop" }),
    () => says(...done),
  );
  const broken = {
    ...model(() => fails(new ToolError("MODEL_FAILED", "Gone."))),
    id: "gone:model",
  };
  const result = await run({
    toolkit,
    clock: quickClock(),
    retry: { attempts: 1 },
    model: asked,
    backgroundModel: broken,
  });

  expect(result.status).toBe("done");
  expect(textOf(result.messages)).toContain("My own summary.");
});

test("a text that the summarizer refuses as too long is shortened", async () => {
  const small = {
    ...model(
      () => fails(overflow),
      () => says({ type: "text", text: "Short summary." }, { type: "finish", reason: "stop" }),
    ),
    info: { contextTokens: 3000 },
  };
  const asked = model(
    read,
    read,
    () => fails(overflow),
    () => says(...done),
  );
  const result = await run({ toolkit: files(9000), model: asked, backgroundModel: small });

  expect(result.status).toBe("done");
  expect(textOf(result.messages)).toContain("Short summary.");
  const [first, second] = small.requests.map(({ messages }) => textOf(messages).length);
  expect(second).toBeLessThan((first ?? 0) * 0.6);
});

test("a summary that fails while the conversation still fits is left out", async () => {
  const toolkit = files(900);
  const small = { ...model(...Array.from({ length: 9 }, () => gone)), id: "small:model" };
  // The model of the run is asked after the background model, and fails once as well.
  const main = reader(12);
  const asked: Model = {
    id: "main:model",
    stream(request) {
      return request.tools.length === 0 ? gone() : main.stream(request);
    },
  };
  const result = await run({
    toolkit,
    model: asked,
    backgroundModel: small,
    compaction: { atTokens: 2500, keepTurns: 2 },
  });

  expect(result).toMatchObject({ status: "done", turns: 13 });
  expect(small.requests).toHaveLength(1);
});

test("a conversation whose summary is not shorter is not summarized before each turn", async () => {
  const small = summarizer("word ".repeat(4000));
  const result = await run({
    toolkit: files(900),
    model: reader(12),
    backgroundModel: small,
    compaction: { atTokens: 1500, keepTurns: 2 },
  });

  expect(result).toMatchObject({ status: "done", turns: 13 });
  expect(small.requests.length).toBeLessThan(5);
});

test("after a compaction that helped, the size decides again at once", async () => {
  // The first summary is longer than what it replaces; those after it are short.
  const long = "word ".repeat(4000);
  const answers = Array.from(
    { length: 20 },
    (_, n) => () =>
      says({ type: "text", text: n === 0 ? long : "Short." }, { type: "finish", reason: "stop" }),
  );
  const small = model(...answers);
  const { compactions } = await compactedRun(small);

  expect(compactions.length).toBeGreaterThan(1);
  const sizes = compactions.map(({ tokensBefore }) => tokensBefore);
  expect(Math.max(...sizes.slice(1))).toBeLessThan(sizes[0] ?? 0);
});

async function compactedRun(small: Model) {
  const toolkit = files(900);
  await run({
    toolkit,
    model: reader(16),
    backgroundModel: small,
    compaction: { atTokens: 1500, keepTurns: 2 },
  });
  return { compactions: toolkit.emitted.filter((event) => event.type === "compaction") };
}

test("a run that continues a summary keeps the names of its files", async () => {
  const first = await run({
    toolkit: files(900),
    model: reader(30),
    backgroundModel: summarizer(),
    compaction: { atTokens: 5000, keepTurns: 2 },
  });
  const second = await run({
    toolkit: files(900),
    messages: first.messages,
    model: reader(30),
    backgroundModel: summarizer("Another summary."),
    compaction: { atTokens: 5000, keepTurns: 2 },
  });

  const text = textOf(second.messages);
  expect(text).toContain("Another summary.");
  expect(text).not.toContain("The summary.");
  expect(text).toContain("- /f9.txt");
});

test("files that were read before the run continued are named after a compaction", async () => {
  const before = await run({ toolkit: files(900), model: reader(3) });
  const later = files(900);
  later.explain = async ({ input }) => ({
    repairs: [],
    effects: [{ kind: "read", path: `/work/${pathIn(input)}`, scope: "file" }],
  });

  const result = await run({
    toolkit: later,
    messages: before.messages,
    model: reader(30),
    backgroundModel: summarizer(),
    compaction: { atTokens: 5000, keepTurns: 2 },
  });

  const text = textOf(result.messages);
  expect(text).toContain("The summary.");
  expect(text).toContain(
    String.raw`Files read so far:\n- /work/f0.txt\n- /work/f1.txt\n- /work/f2.txt\n- /f1.txt`,
  );
});

function pathIn(input: unknown): string {
  const value: unknown = JSON.parse(String(input));
  return typeof value === "object" && value !== null && "file_path" in value
    ? String(value.file_path)
    : "";
}
