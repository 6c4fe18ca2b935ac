import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadModel, scriptedModel, type Model, type ScriptTurn } from "../../src/agent/index.ts";
import { createToolkit, type HaftEvent, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { tool, world } from "./world.ts";

const examples = path.join(import.meta.dirname, "../../examples");

let folder = "";
let workspace = "";
let kit: Kit | undefined;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-run-")));
  workspace = path.join(folder, "work");
  await cp(path.join(examples, "fix-failing-test"), workspace, { recursive: true });
});
afterEach(async () => {
  await kit?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function open(options: ToolkitOptions = {}): Promise<Kit> {
  kit = await createToolkit({
    workspace,
    dataDirectory: path.join(folder, "data"),
    mode: "acceptEdits",
    ...options,
  });
  return kit;
}

async function collect(events: AsyncIterable<HaftEvent>): Promise<HaftEvent[]> {
  const all: HaftEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe.each([
  { name: "an OpenAI-style server", spec: "openai-compatible:test-model" },
  { name: "an Anthropic-style server", spec: "anthropic:claude-sonnet-4-5" },
])("a run on $name", ({ spec }) => {
  let server = new LLMock({ port: 0, logLevel: "silent" });
  beforeEach(async () => {
    server = new LLMock({ port: 0, logLevel: "silent" });
    await server.start();
  });
  afterEach(async () => {
    await server.stop();
  });

  async function model(): Promise<Model> {
    return await loadModel(spec, {
      env: {
        HAFT_BASE_URL: `${server.url}/v1`,
        ANTHROPIC_BASE_URL: `${server.url}/v1`,
        ANTHROPIC_API_KEY: "test",
      },
    });
  }

  test("reads and edits a real workspace, hears of a refusal, and ends", async () => {
    await writeFile(path.join(workspace, "note.txt"), "one\ntwo\n");
    server.on(
      { toolCallId: "edit", hasToolResult: true },
      { content: "", toolCalls: [call("shell", "Bash", { command: "npm publish" })] },
    );
    server.on({ toolCallId: "shell", hasToolResult: true }, { content: "The note says 1 now." });
    server.on(
      { toolCallId: "grep", hasToolResult: true },
      {
        content: "",
        toolCalls: [
          call("edit", "Edit", { file_path: "note.txt", old_string: "one", new_string: "1" }),
        ],
      },
    );
    server.on(
      { userMessage: "correct the note", hasToolResult: false },
      {
        content: "I look first.",
        toolCalls: [
          call("read", "Read", { file_path: "note.txt" }),
          call("grep", "Grep", { pattern: "one", output_mode: "content", path: "note.txt" }),
        ],
      },
    );
    const opened = await open();

    const run = opened.run({ task: "correct the note", model: await model() });
    const [result, events] = await Promise.all([run.result, collect(run.events)]);

    expect(result).toMatchObject({
      status: "done",
      text: "The note says 1 now.",
      turns: 4,
      calls: 4,
    });
    expect(result.denials).toMatchObject([{ tool: "Bash", code: "APPROVAL_REQUIRED" }]);
    expect(await readFile(path.join(workspace, "note.txt"), "utf8")).toBe("1\ntwo\n");
    const ended = events.flatMap((event) =>
      event.type === "call-end" ? [event.outcome.tool] : [],
    );
    expect(ended.toSorted()).toEqual(["Bash", "Edit", "Grep", "Read"]);
    expect(events[0]?.type).toBe("run-start");
    expect(events.at(-1)?.type).toBe("run-end");
    const sent = JSON.stringify(server.getRequests().at(-1)?.body);
    expect(sent).toContain("needs approval");
    expect((await opened.history()).map(({ tool: name }) => name)).toEqual(["Edit"]);
    await opened.undo();
    expect(await readFile(path.join(workspace, "note.txt"), "utf8")).toBe("one\ntwo\n");
  });
});

describe("kit.run", () => {
  test("the demo's script fixes the failing test of a copy, end to end", async () => {
    const model = await loadModel(`script:${path.join(examples, "fix-failing-test.script.json")}`, {
      readText: async (file) => await readFile(file, "utf8"),
    });
    const opened = await open({ rules: { allow: ["Bash(node --test)"] } });

    const run = opened.run({ task: "The tests fail. Fix it.", model });
    const [result, events] = await Promise.all([run.result, collect(run.events)]);

    expect(result).toMatchObject({ status: "done", turns: 6, calls: 6, denials: [] });
    expect(result.text).toContain("Done. All 5 tests pass.");
    const bash = events.flatMap((event) =>
      event.type === "call-end" && event.outcome.tool === "Bash" ? [event.outcome.status] : [],
    );
    expect(bash).toEqual(["failed", "ok"]);
    const [entry] = await opened.history();
    expect(entry).toMatchObject({ tool: "Edit", changes: [{ change: "modified" }] });
  });

  test.for([
    ["no task", { task: " " }],
    ["no model", { model: undefined }],
    ["an invalid model", { model: { id: "x" } }],
    ["a limit of none", { limits: { maxTurns: 0 } }],
    ["a limit that is not a number", { limits: { maxCalls: "many" } }],
  ] as const)("%s is a TypeError at once", async ([, change]) => {
    const { kit: opened } = await world();

    expect(() =>
      opened.run({ task: "go", model: says({ text: "x" }), ...change } as never),
    ).toThrow(TypeError);
  });

  test.for([
    ["maxTurns", { maxTurns: 2 }, "max-turns"],
    ["maxCalls", { maxCalls: 2 }, "max-calls"],
    ["maxTokens", { maxTokens: 1 }, "max-tokens"],
  ] as const)("%s ends the run in order", async ([, limits, status]) => {
    const turn = { calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
    const model = says(...Array.from({ length: 6 }, () => turn), { text: "x" });
    const counting: Model = {
      id: "counting:test",
      async *stream(request) {
        yield* model.stream(request);
        yield { type: "usage", usage: { input: 10, output: 10 } };
      },
    };
    const { kit: opened } = await world({}, { files: { "a.txt": "x" } });

    const result = await opened.run({ task: "go", model: counting, limits }).result;

    expect(result).toMatchObject({
      status,
      error: { code: "LIMIT_REACHED", hint: expect.any(String) },
    });
    expect(result.calls).toBeLessThanOrEqual(2);
  });

  test("deadlineMs ends a run whose tool hangs", async () => {
    const hang = tool("Hang", async () => await new Promise<never>(() => undefined));
    const { kit: opened } = await world({ tools: { extra: [hang] } }, { now: "real" });

    const result = await opened.run({
      task: "go",
      model: says({ calls: [{ name: "Hang", input: {} }] }, { text: "x" }),
      limits: { deadlineMs: 100 },
    }).result;

    expect(result.status).toBe("deadline");
  });

  test("a model that fails, and one that throws a value that is not an error, are results", async () => {
    const { kit: opened } = await world();
    for (const thrown of [new Error("down"), "down", undefined]) {
      const result = await opened.run({ task: "go", model: failing(thrown) }).result;
      expect(result).toMatchObject({ status: "failed", error: { message: expect.any(String) } });
    }
  });

  test("aborting ends it, and so does disposing the kit; its events end too", async () => {
    const hang = tool("Hang", async () => await new Promise<never>(() => undefined));
    const { kit: opened } = await world({ tools: { extra: [hang] } }, { now: "real" });
    const first = opened.run({ task: "go", model: says({ calls: [{ name: "Hang", input: {} }] }) });
    const second = opened.run({
      task: "go",
      model: says({ calls: [{ name: "Hang", input: {} }] }),
    });
    for await (const event of first.events) if (event.type === "call-decided") break;

    first.abort("enough");
    expect(await first.result).toMatchObject({
      status: "aborted",
      text: expect.stringContaining("enough"),
    });
    await opened.dispose();

    expect((await second.result).status).toBe("aborted");
    expect((await collect(second.events)).at(-1)?.type).toBe("run-end");
  });
});

function says(...turns: readonly ScriptTurn[]): Model {
  return scriptedModel({ format: 1, name: "test", turns });
}

function failing(thrown: unknown): Model {
  return {
    id: "failing:test",
    // oxlint-disable-next-line require-yield -- it fails before it says anything
    async *stream() {
      throw thrown;
    },
  };
}

/** A call as the fake servers take it. */
function call(id: string, name: string, input: object) {
  return { id, name, arguments: JSON.stringify(input) };
}
