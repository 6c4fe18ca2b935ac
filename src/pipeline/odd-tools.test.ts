import { expect, test } from "vitest";
import { ToolError, type Effect, type HaftEvent, type ToolResult } from "../core/index.ts";
import { settled, simpleTool, testKit } from "../../test/support/kit.ts";

/** A value that a tool may return although the types rule it out. */
function untyped(value: unknown): never {
  return value as never;
}

function failing(): never {
  throw new Error("watcher");
}

function failingLater(): void {
  return untyped(settled().then(failing));
}

const thrower = {
  get message(): string {
    throw new Error("unreadable");
  },
  toString(): string {
    throw new Error("unreadable");
  },
};

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a text", "x"],
  ["no content", {}],
  ["content that is undefined", { content: undefined }],
  ["content that is a number", { content: 42 }],
  ["a part that is null", { content: [null] }],
  ["a text part without text", { content: [{ type: "text", text: 5 }] }],
  ["a part of an unknown type", { content: [{ type: "weird" }] }],
  ["a picture without data", { content: [{ type: "image", mimeType: "image/png" }] }],
  ["a sound without a type", { content: [{ type: "audio", data: "AAAA" }] }],
  ["a link without an address", { content: [{ type: "resource_link", name: "x" }] }],
  ["an invalid resource", { content: [{ type: "resource", resource: null }] }],
  ["a resource without an address", { content: [{ type: "resource", resource: { text: "x" } }] }],
  ["one invalid part among good ones", { content: [{ type: "text", text: "x" }, 7] }],
])("a tool that returns %s has failed, and says so", async (_name, value) => {
  for (const run of [() => untyped(value), async () => untyped(value)]) {
    const { kit } = await testKit({ tools: { extra: [simpleTool("Odd", run)] } });

    const { status, error, text } = await kit.call({ name: "Odd" });

    expect([status, error?.code]).toEqual(["failed", "TOOL_FAILED"]);
    expect(text).toContain("Odd returned no content.");
  }
});

test("every kind of part is taken as it is", async () => {
  const content = [
    { type: "text", text: "x" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    { type: "resource_link", uri: "x:/1", name: "one" },
    { type: "resource", resource: { uri: "x:/2", text: "two" } },
  ] as const;
  const { kit } = await testKit({ tools: { extra: [simpleTool("All", () => ({ content }))] } });

  const outcome = await kit.call({ name: "All" });

  expect(outcome.status).toBe("ok");
  expect(outcome.content).toEqual(content);
});

test("an answer that throws when it is looked at fails the call and nothing else", async () => {
  const answers: unknown[] = [
    Object.defineProperty({ content: "x" }, "title", { get: () => thrower.message }),
    new Proxy({ content: "x" }, { get: () => thrower.message }),
  ];
  for (const answer of answers) {
    for (const run of [() => untyped(answer), async () => untyped(answer)]) {
      const { kit } = await testKit({ tools: { extra: [simpleTool("Odd", run)] } });
      await expect(kit.call({ name: "Odd" })).resolves.toHaveProperty("status");
    }
  }
});

test("invalid title, summary, metadata and trust are left out", async () => {
  const answer = { content: "x", title: 5, summary: {}, metadata: "m", trust: "very" };
  const { kit } = await testKit({ tools: { extra: [simpleTool("Odd", () => untyped(answer))] } });

  expect(await kit.call({ name: "Odd" })).toMatchObject({
    status: "ok",
    title: "Odd",
    summary: "",
    metadata: {},
    trust: "untrusted",
  });
});

test("a promise of another kind is waited for", async () => {
  const thenable = {
    // oxlint-disable-next-line unicorn/no-thenable -- such promises are what this is about
    then(resolve: (result: ToolResult) => void) {
      setImmediate(() => resolve({ content: "late" }));
    },
  };
  const { kit } = await testKit({ tools: { extra: [simpleTool("Odd", () => untyped(thenable))] } });

  expect((await kit.call({ name: "Odd" })).text).toBe("late");
});

test.each<[string, unknown]>([
  ["null", null],
  ["undefined", undefined],
  ["an object without a prototype", Object.create(null)],
  ["what cannot be read", thrower],
  ["a symbol", Symbol("x")],
])("a tool that throws %s has failed", async (_name, thrown) => {
  const fail = (): never => {
    throw thrown;
  };
  for (const run of [fail, async () => fail()]) {
    const { kit } = await testKit({ tools: { extra: [simpleTool("Odd", run)] } });

    const { error } = await kit.call({ name: "Odd" });

    expect(error?.code).toBe("INTERNAL");
    expect(error?.message).toMatch(/^Odd failed unexpectedly: /u);
  }
});

test.each<[string, unknown]>([
  ["null", null],
  ["a text", "read"],
  ["a list with nothing in it", [null]],
  ["what only looks like a list", { length: 0 }],
  ["a read without a path", [{ kind: "read", scope: "file" }]],
  ["a path that is a number", [{ kind: "read", path: 5, scope: "file" }]],
  ["an unknown scope", [{ kind: "write", path: "a", scope: "all", change: "any" }]],
  ["a write without its change", [{ kind: "write", path: "a", scope: "file" }]],
  ["a command without words", [{ kind: "execute", consequences: "listed" }]],
  ["a connection to nowhere", [{ kind: "connect" }]],
  ["the unknown of nobody", [{ kind: "unknown" }]],
  ["a kind there is not", [{ kind: "think" }]],
])("a tool whose effects are %s does not run, in any mode", async (_name, effects) => {
  let runs = 0;
  const tool = simpleTool(
    "Odd",
    () => {
      runs += 1;
      return { content: "" };
    },
    {
      touches: ["read", "write", "execute", "connect", "unknown"],
      effects: () => untyped(effects),
    },
  );
  const { kit } = await testKit({ mode: "bypassPermissions", tools: { extra: [tool] } });

  const alone = await kit.call({ name: "Odd" });
  const together = await kit.callAll([{ name: "Odd" }, { name: "Odd" }]);

  expect([alone, ...together].map(({ error }) => error?.code)).toEqual(
    Array.from({ length: 3 }, () => "UNDECLARED_EFFECT"),
  );
  expect(runs).toBe(0);
});

test("what a tool does to its list of effects later widens nothing", async () => {
  const list: Effect[] = [];
  const tool = simpleTool(
    "Odd",
    async (_input, { host }) => {
      list.push({ kind: "unknown", because: "now anything", origin: "Odd" });
      await host.fs.writeAtomic("a.txt", new Uint8Array());
      return { content: "written" };
    },
    {
      touches: ["interact"],
      effects: () => {
        list.splice(0, list.length, { kind: "interact" });
        return list;
      },
    },
  );
  const { kit } = await testKit({ tools: { extra: [tool] } });

  expect((await kit.call({ name: "Odd" })).error?.code).toBe("UNDECLARED_EFFECT");
});

test("a listener of a call cannot stop it", async () => {
  const tool = simpleTool("Say", (_input, { output, progress }) => {
    progress({ message: "half" });
    output.write("text");
    return { content: "done" };
  });
  for (const watch of [failing, failingLater]) {
    const { kit } = await testKit({
      tools: { extra: [tool] },
      onEvent: watch,
      eventLog: { append: watch },
      tracer: { startSpan: failing },
    });
    kit.events.subscribe(watch);

    const outcome = await kit.call({ name: "Say" }, { onProgress: watch, onOutput: watch });

    expect(outcome).toMatchObject({ status: "ok", text: "done" });
    await settled();
  }
});

test("a process the tool forgot to tie to the call ends with it", async () => {
  const controller = new AbortController();
  const events: HaftEvent[] = [];
  const tool = simpleTool(
    "Start",
    async (_input, { host, output }) => {
      await host.proc.start({ id: "p", argv: ["wait"], cwd: "." });
      output.write("started");
      for await (const chunk of host.proc.output("p", 0)) void chunk;
      return { content: "" };
    },
    { touches: ["unknown"] },
  );
  const { kit, host } = await testKit(
    {
      mode: "bypassPermissions",
      tools: { extra: [tool] },
      onEvent: (event) => {
        events.push(event);
        if (event.type === "call-output") controller.abort();
      },
    },
    {
      programs: {
        wait: async (_argv, { signal }) =>
          await new Promise<number>((resolve) => {
            signal.addEventListener("abort", () => resolve(1), { once: true });
          }),
      },
    },
  );

  const { status } = await kit.call({ name: "Start" }, { signal: controller.signal });

  expect(status).toBe("aborted");
  expect(await host.proc.list()).toEqual([]);
});

test("an undeclared effect is reported even where the tool throws something else", async () => {
  const tool = simpleTool("Hide", async (_input, { host }) => {
    await host.fs.writeAtomic("a.txt", new Uint8Array()).catch(() => undefined);
    throw new ToolError("NOT_FOUND", "Nothing to see.");
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });

  expect((await kit.call({ name: "Hide" })).error?.code).toBe("UNDECLARED_EFFECT");
});

test.each([undefined, {}, { file_path: {} }])(
  "a call whose input %j is none of its tool's is titled by the tool alone",
  async (input) => {
    const { kit } = await testKit();

    const outcome = await kit.call({ name: "Read", ...(input === undefined ? {} : { input }) });

    expect(outcome).toMatchObject({ title: "Read file", error: { code: "INVALID_INPUT" } });
  },
);

test("a tool without a signature is titled by the name it shows", async () => {
  const tool = simpleTool("Ping", async () => ({ content: "pong" }), {
    displayName: "Ping a host",
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });

  const outcome = await kit.call({ name: "Ping", input: {} });

  expect(outcome.title).toBe("Ping a host");
});
