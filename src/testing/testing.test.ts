import { expect, test } from "vitest";
import { z } from "zod";
import {
  defineTool,
  serviceToken,
  ToolError,
  type Effect,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../core/index.ts";
import { callTool, toolBench, toolContract } from "./index.ts";

/** A tool that declares the given effects and runs the given function. */
function tool(
  run: (context: ToolContext) => Promise<ToolResult>,
  effects: readonly Effect[] = [],
  more: Partial<Tool> = {},
): Tool {
  const probe = defineTool({
    name: "Probe",
    description: "Does what a test wants.",
    touches: ["read", "write"],
    input: z.strictObject({ n: z.int().default(1) }),
    effects: () => effects,
    run: async (_, context) => run(context),
  });
  return { ...probe, ...more };
}

const readA: Effect = { kind: "read", path: "a.txt", scope: "file" };
const files = { "a.txt": "one", "b.txt": "two" };

test("a call gives what the tool gave, and what it said on the way", async () => {
  const probe = tool(async (context) => {
    context.progress({ message: "half", done: 1, total: 2 });
    context.metadata({ live: true, kept: 1 });
    context.output.write("out");
    context.output.write("err", "stderr");
    return { content: "done", title: "t", summary: "s", metadata: { kept: 2 } };
  });

  expect(await callTool(probe, {})).toEqual({
    content: [{ type: "text", text: "done" }],
    text: "done",
    structuredContent: undefined,
    title: "t",
    summary: "s",
    metadata: { live: true, kept: 2 },
    isError: false,
    repairs: [],
    effects: [],
    progress: [{ message: "half", done: 1, total: 2 }],
    stdout: "out",
    stderr: "err",
  });
});

test("input is validated, and defaults are filled in", async () => {
  const probe = tool(async () => ({ content: "" }), [], {
    run: (input) => ({ content: JSON.stringify(input) }),
  });

  expect((await callTool(probe, {})).text).toBe('{"n":1}');
  await expect(callTool(probe, { n: "x" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    hint: expect.stringMatching(/./u),
    data: { issues: [{ path: "/n" }] },
  });
});

test("a near miss is repaired as a kit would, and told", async () => {
  const probe = tool(async () => ({ content: "" }), [], {
    inputAliases: { n: ["count"] },
    run: (input) => ({ content: JSON.stringify(input) }),
  });

  const result = await callTool(probe, { count: "3" });

  expect(result.text).toBe('{"n":3}');
  expect(result.repairs.length).toBeGreaterThan(0);
});

test("paths are canonical in effects, and relative ones start in the working directory", async () => {
  const probe = tool(async () => ({ content: "" }), [readA]);

  expect(await toolBench({ cwd: "/project/sub" }).effects(probe, {})).toEqual([
    { kind: "read", path: "/project/sub/a.txt", scope: "file" },
  ]);
});

const reading = (path: string) =>
  tool(
    async ({ host }) => ({
      content: Buffer.from((await host.fs.readFile(path)).bytes).toString(),
    }),
    [readA],
  );

test("what is declared may be done, and nothing else", async () => {
  expect((await callTool(reading("a.txt"), {}, { files })).text).toBe("one");
  await expect(callTool(reading("b.txt"), {}, { files })).rejects.toMatchObject({
    code: "UNDECLARED_EFFECT",
  });
});

test("catching the refusal hides nothing", async () => {
  const sly = tool(
    async ({ host }) => {
      await host.fs.writeAtomic("a.txt", Buffer.from("x")).catch(() => undefined);
      return { content: "all well" };
    },
    [readA],
  );

  await expect(callTool(sly, {}, { files })).rejects.toMatchObject({ code: "UNDECLARED_EFFECT" });
});

test("effects must be within touches, and looking is all they may do", async () => {
  const beyond = tool(async () => ({ content: "" }), [{ kind: "connect", host: "example.org" }]);
  const writing = tool(async () => ({ content: "" }), [], {
    effects: async (_, { host }) => {
      await host.fs.writeAtomic("a.txt", Buffer.from("x"));
      return [];
    },
  });

  await expect(callTool(beyond, {})).rejects.toMatchObject({
    code: "UNDECLARED_EFFECT",
    hint: 'Add "connect" to touches.',
  });
  await expect(callTool(writing, {}, { files })).rejects.toMatchObject({
    code: "UNDECLARED_EFFECT",
  });
});

test("a tool that says nothing of its effects can run arbitrary code, and it is on record", async () => {
  const silent = defineTool({
    name: "Silent",
    description: "Says nothing.",
    touches: ["write"],
    input: z.strictObject({}),
    run: async (_, { host }) => {
      await host.fs.writeAtomic("new.txt", Buffer.from("x"));
      return { content: "ok" };
    },
  });
  const bench = toolBench();

  expect((await bench.call(silent, {})).effects).toMatchObject([{ kind: "unknown" }]);
  expect(bench.files()).toEqual({ "new.txt": "x" });
});

test("denied parts are withheld from a granted tree", async () => {
  const listing = tool(
    async (context) => {
      const names: string[] = [];
      for await (const { name } of context.host.fs.list(".")) names.push(name);
      return { content: `${names.join()} ${String(context.excludes("/project/b.txt"))}` };
    },
    [{ kind: "read", path: ".", scope: "tree" }],
  );

  expect((await callTool(listing, {}, { files, deny: ["b.txt"] })).text).toBe("a.txt Read(b.txt)");
});

test("the host is closed when the call is over", async () => {
  let kept: ToolContext | undefined;
  const keeping = tool(
    async (context) => {
      kept = context;
      return { content: "" };
    },
    [readA],
  );
  await callTool(keeping, {}, { files });

  await expect(kept?.host.fs.readFile("a.txt")).rejects.toMatchObject({ code: "ABORTED" });
});

test("a bench keeps its world from call to call, and loads a lazy tool once", async () => {
  let loads = 0;
  const counting = tool(
    async ({ host }) => {
      await host.fs.append("log.txt", Buffer.from("x"));
      return { content: "" };
    },
    [{ kind: "write", path: "log.txt", scope: "file", change: "any" }],
  );
  const lazy = {
    kind: "lazy-tool",
    name: "Probe",
    touches: ["write"],
    init: () => {
      loads++;
      return counting;
    },
  } as const;
  const bench = toolBench();

  await bench.call(lazy, {});
  await bench.call(lazy, {});

  expect(bench.files()).toEqual({ "log.txt": "xx" });
  expect(loads).toBe(1);
});

test("services are given by token, and a missing one is UNAVAILABLE", async () => {
  const greeting = serviceToken<{ hello(): string }>("greeting");
  const probe = tool(async (context) => ({ content: context.service(greeting).hello() }));

  expect((await callTool(probe, {}, { services: { greeting: { hello: () => "hi" } } })).text).toBe(
    "hi",
  );
  await expect(callTool(probe, {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("the tool's own error is what the call rejects with", async () => {
  const failing = tool(async () => {
    throw new ToolError("TOO_LARGE", "Too large.", { hint: "Less." });
  });

  await expect(callTool(failing, {})).rejects.toMatchObject({ code: "TOO_LARGE", hint: "Less." });
});

const broken = async (probe: Tool, input: unknown = {}): Promise<string[]> => {
  const complaints: string[] = [];
  for (const check of toolContract(probe, [{ name: "case", input, files }])) {
    await check.run().catch(() => complaints.push(check.name));
  }
  return complaints;
};

test("a tool that keeps its promises passes its contract", async () => {
  expect(await broken(tool(async () => ({ content: "ok" }), [readA]))).toEqual([]);
});

test.for([
  {
    promise: "effects are the same when asked twice",
    probe: () => {
      let asked = 0;
      return tool(async () => ({ content: "ok" }), [], {
        effects: () => [{ kind: "read", path: `${asked++}`, scope: "file" }],
      });
    },
  },
  {
    promise: "its answer has content, and facts that JSON can carry",
    probe: () => tool(async () => ({ content: "" })),
  },
  {
    promise: "its answer has content, and facts that JSON can carry",
    probe: () => tool(async () => ({ content: "ok", metadata: { at: new Date(0) } })),
  },
  {
    promise: "its answer has content, and facts that JSON can carry",
    probe: () => tool(async () => ({ content: "ok", structuredContent: { n: Number.NaN } })),
  },
  {
    promise: "refuses input that is not an object",
    probe: () => tool(async () => ({ content: "ok" }), [], { input: z.unknown() }),
  },
])("a contract notices where $promise does not hold", async ({ promise, probe }) => {
  expect(await broken(probe())).toEqual([expect.stringContaining(promise)]);
});

test("a contract notices an undeclared effect", async () => {
  const sly = tool(async ({ host }) => {
    await host.fs.readFile("b.txt").catch(() => undefined);
    return { content: "ok" };
  });

  expect(await broken(sly)).toContain("Probe, case: it does no more than it declares");
});

test("a contract notices a read-only tool that changes a file", async () => {
  const sly = tool(async () => ({ content: "ok" }), [], {
    touches: ["read"],
    effects: () => [{ kind: "unknown", because: "it lies", origin: "Probe" }],
    run: async (_, { host }) => {
      await host.fs.writeAtomic("a.txt", Buffer.from("changed"));
      return { content: "ok" };
    },
  });

  expect(await broken(sly)).toEqual(["Probe, case: it leaves every file as it was"]);
});
