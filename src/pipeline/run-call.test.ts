import { expect, test } from "vitest";
import { z } from "zod";
import { ToolError, defineTool, type Effect, type HaftEvent, type Outcome } from "../core/index.ts";
import { gate, settled, simpleTool, testKit } from "../../test/support/kit.ts";

const files = { "a.txt": "one\ntwo\n", "secrets/key.txt": "hidden\n" };
const read = (path: string): Effect => ({ kind: "read", path, scope: "file" });

test("a call that is allowed leaves its decision, effects and answer in the outcome", async () => {
  const { kit } = await testKit({}, { files });

  const outcome = await kit.call({ id: "c1", name: "Read", input: { file_path: "a.txt" } });

  expect(outcome).toMatchObject({
    id: "c1",
    tool: "Read",
    status: "ok",
    isError: false,
    trust: "trusted",
    repairs: [],
    decision: { kind: "allow" },
    effects: [{ kind: "read", path: "/project/a.txt", scope: "file" }],
  });
  expect(outcome.text).toContain("one");
  expect(outcome.content).toEqual([{ type: "text", text: outcome.text }]);
});

test("events tell the call from start to end, numbered without gaps", async () => {
  const events: HaftEvent[] = [];
  const { kit } = await testKit({ onEvent: (event) => events.push(event) }, { files });
  const before = events.length;

  await kit.call(
    { id: "c1", name: "Read", input: { file_path: "a.txt" } },
    { sessionId: "s1", turn: 4 },
  );

  expect(events.slice(before).map(({ type }) => type)).toEqual([
    "call-start",
    "call-decided",
    "call-end",
  ]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.slice(before).every(({ sessionId }) => sessionId === "s1")).toBe(true);
  expect(events[before]).toMatchObject({ callId: "c1", turn: 4 });
});

test("an unknown tool is told the nearest names and all that there are", async () => {
  const { kit } = await testKit();

  const { status, error, decision } = await kit.call({ name: "Raed" });

  expect(status).toBe("failed");
  expect(decision).toBeUndefined();
  expect(error).toMatchObject({
    code: "UNKNOWN_TOOL",
    type: "validation",
    retryable: false,
    data: { nearest: ["Read"] },
  });
  expect(error?.message).toMatchInlineSnapshot(
    `"There is no tool named "Raed". Did you mean Read?"`,
  );
  expect(error?.hint).toMatchInlineSnapshot(
    `"Available tools: Bash, Edit, Glob, Grep, ListDir, Read, Write."`,
  );
});

test.for([
  { input: '{"path": "a.txt', incomplete: false, tool: "Write", code: "INCOMPLETE_CALL" },
  { input: { file_path: "a.txt" }, incomplete: true, tool: "Write", code: "INCOMPLETE_CALL" },
  { input: '{"file_path": "a.txt"}', incomplete: true, tool: "Write", code: "INCOMPLETE_CALL" },
  { input: "not json at all", incomplete: false, tool: "Read", code: "INVALID_JSON" },
  { input: "{}", incomplete: false, tool: "Read", code: "INVALID_INPUT" },
  { input: { file_path: 7.5, limit: "x" }, incomplete: false, tool: "Read", code: "INVALID_INPUT" },
])("$tool with $input (incomplete: $incomplete) fails with $code", async (given) => {
  const { kit, host } = await testKit({ mode: "bypassPermissions" }, { files });

  const outcome = await kit.call({
    name: given.tool,
    input: given.input,
    incomplete: given.incomplete,
  });

  expect(outcome.error).toMatchObject({ code: given.code, type: "validation" });
  expect(outcome.error?.hint).toBeTruthy();
  expect(outcome.text).toContain(given.code);
  expect(host.control.texts()["/project/a.txt"]).toBe("one\ntwo\n");
});

test("half a call of a tool that only reads runs as far as it is clear", async () => {
  const { kit } = await testKit({}, { files });

  const outcome = await kit.call({
    name: "Read",
    input: '{"file_path": "a.txt"',
    incomplete: true,
  });

  expect(outcome.status).toBe("ok");
});

test("a call without input is a call with an empty one", async () => {
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Nothing", (input) => ({ content: JSON.stringify(input) }))] },
  });

  expect((await kit.call({ name: "Nothing" })).text).toBe("{}");
});

test("three identical failures in a row get a stronger hint, and a success ends the row", async () => {
  const { kit } = await testKit({}, { files });
  const wrong = async (): Promise<Outcome> => await kit.call({ name: "Read", input: {} });

  const first = await wrong();
  const second = await wrong();
  const third = await wrong();
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  const again = await wrong();

  expect(second.error?.hint).toBe(first.error?.hint);
  expect(third.error?.hint).not.toBe(first.error?.hint);
  expect(third.error?.hint).toContain("3 times");
  expect(again.error?.hint).toBe(first.error?.hint);
});

test("a near miss is mended and said", async () => {
  const { kit } = await testKit({}, { files });

  const outcome = await kit.call({ name: "Read", input: { path: "a.txt", limit: "1" } });

  expect(outcome.status).toBe("ok");
  expect(outcome.repairs.map(({ path }) => path).toSorted()).toEqual(["/file_path", "/limit"]);
});

test("a before-hook may rewrite the input, which is validated and judged anew", async () => {
  const seen: unknown[] = [];
  const { kit } = await testKit(
    {
      hooks: {
        before: [
          ({ input }) => (seen.push(input), { input: { file_path: "/etc/passwd" } }),
          ({ input }) => (seen.push(input), undefined),
        ],
      },
    },
    { files },
  );

  const outcome = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect(seen).toMatchObject([{ file_path: "a.txt" }, { file_path: "/etc/passwd" }]);
  expect(outcome).toMatchObject({ status: "denied", error: { code: "APPROVAL_REQUIRED" } });
});

test("a hook's rewrite that does not fit the schema fails validation", async () => {
  const { kit } = await testKit(
    { hooks: { before: [() => ({ input: { nonsense: true } })] } },
    { files },
  );

  const outcome = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect(outcome.error?.code).toBe("INVALID_INPUT");
});

test.for([
  { hook: () => ({ block: "not on Fridays" }), says: "A hook blocked Read: not on Fridays" },
  {
    hook: () => {
      throw new Error("boom");
    },
    says: "A hook failed before Read ran: boom.",
  },
])("a before-hook that blocks or fails stops the call: $says", async ({ hook, says }) => {
  const { kit } = await testKit({ hooks: { before: [hook] } }, { files });

  const outcome = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect(outcome).toMatchObject({
    status: "denied",
    error: { code: "BLOCKED_BY_HOOK", message: says },
  });
  expect(outcome.decision).toBeUndefined();
});

test("effects are canonical, and one that touches leaves out fails the call before it runs", async () => {
  let ran = false;
  const liar = simpleTool("Liar", () => ((ran = true), { content: "" }), {
    touches: ["read"],
    effects: () => [{ kind: "write", path: "x", scope: "file", change: "create" }],
  });
  const looker = simpleTool("Looker", () => ({ content: "" }), {
    touches: ["read"],
    effects: () => [read("./secrets/../a.txt")],
  });
  const { kit } = await testKit({ tools: { extra: [liar, looker] } }, { files });

  const lie = await kit.call({ name: "Liar" });
  const look = await kit.call({ name: "Looker" });

  expect(lie).toMatchObject({ status: "failed", error: { code: "UNDECLARED_EFFECT" } });
  expect(lie.error?.message).toBe("Liar says it touches read, but this call would write.");
  expect(ran).toBe(false);
  expect(look.effects).toEqual([read("/project/a.txt")]);
});

test.for([
  { name: "throws", effects: () => Promise.reject(new Error("cannot look")) },
  {
    name: "throws at once",
    effects: () => {
      throw new Error("cannot look");
    },
  },
])("effects that $name are unknown, so the call is asked about", async ({ effects }) => {
  const tool = simpleTool("Blind", () => ({ content: "" }), { touches: ["read"], effects });
  const { kit } = await testKit({ tools: { extra: [tool] } });

  const outcome = await kit.call({ name: "Blind" });

  expect(outcome).toMatchObject({ status: "denied", error: { code: "APPROVAL_REQUIRED" } });
  expect(outcome.effects).toEqual([
    {
      kind: "unknown",
      because: "Blind could not tell what this call touches: cannot look",
      origin: "Blind",
    },
  ]);
});

test.for([
  { touches: [] as const, effects: [] },
  { touches: ["interact"] as const, effects: [{ kind: "interact" }] },
  { touches: ["write"] as const, effects: [{ kind: "unknown", origin: "Plain" }] },
])("a tool without effects that touches $touches has $effects", async ({ touches, effects }) => {
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Plain", () => ({ content: "" }), { touches })] },
  });

  expect((await kit.explain({ name: "Plain" })).effects).toMatchObject(effects);
});

test("over 256 paths collapse to the trees that hold them, reads apart from writes", async () => {
  const effects: Effect[] = Array.from({ length: 257 }, (_, index) =>
    read(`src/deep/f${index}.ts`),
  );
  const touches = ["read", "write", "interact"] as const;
  const many = simpleTool("Many", () => ({ content: "" }), {
    touches,
    effects: () => [
      ...effects,
      { kind: "write", path: "out/x.txt", scope: "file", change: "create" },
      { kind: "interact" },
    ],
  });
  const few = simpleTool("Few", () => ({ content: "" }), {
    touches,
    effects: () => effects.slice(0, 256),
  });
  const { kit } = await testKit({ tools: { extra: [many, few] } });

  expect((await kit.explain({ name: "Many" })).effects).toEqual([
    { kind: "interact" },
    { kind: "read", path: "/project/src/deep", scope: "tree" },
    { kind: "write", path: "/project/out", scope: "tree", change: "any" },
  ]);
  expect((await kit.explain({ name: "Few" })).effects).toHaveLength(256);
});

test("a denied call says the rule and where it stands, and nothing runs", async () => {
  const { kit } = await testKit({ rules: { deny: ["Read(./secrets/**)"] } }, { files });

  const outcome = await kit.call({ name: "Read", input: { file_path: "secrets/key.txt" } });

  expect(outcome).toMatchObject({
    status: "denied",
    isError: true,
    error: { code: "PERMISSION_DENIED", type: "permission" },
    decision: { kind: "deny", rule: { rule: "Read(./secrets/**)", list: "deny", scope: "option" } },
  });
  expect(outcome.text).not.toContain("hidden");
});

test("a search over a granted tree leaves out what a rule denies and says so", async () => {
  const { kit } = await testKit({ rules: { deny: ["Read(./secrets/**)"] } }, { files });

  const outcome = await kit.call({
    name: "Grep",
    input: { pattern: "hidden|one", output_mode: "content" },
  });

  expect(outcome.status).toBe("ok");
  expect(outcome.text).toContain("one");
  expect(outcome.text).not.toContain("hidden");
});

test("what a tool touches beyond its grant fails the call, even when the tool hides it", async () => {
  const sneaky = simpleTool(
    "Sneaky",
    async (_input, { host }) => {
      await host.fs.writeAtomic("b.txt", new Uint8Array()).catch(() => undefined);
      return { content: "all fine" };
    },
    { touches: ["read", "write"], effects: () => [read("a.txt")] },
  );
  const { kit, host } = await testKit({ tools: { extra: [sneaky] } }, { files });

  const outcome = await kit.call({ name: "Sneaky" });

  expect(outcome).toMatchObject({ status: "failed", error: { code: "UNDECLARED_EFFECT" } });
  expect(Object.keys(host.control.texts())).not.toContain("/project/b.txt");
});

test("a tool that goes on after its call has a host that refuses everything", async () => {
  const later = gate();
  let late: unknown;
  const lingering = simpleTool(
    "Lingering",
    (_input, { host }) => {
      void later.passed
        .then(async () => await host.fs.readFile("a.txt"))
        .catch((error: unknown) => {
          late = error;
        });
      return { content: "done" };
    },
    { touches: ["read"], effects: () => [read("a.txt")] },
  );
  const { kit } = await testKit({ tools: { extra: [lingering] } }, { files });

  await kit.call({ name: "Lingering" });
  later.open();
  await settled();

  expect(ToolError.is(late)).toBe(true);
});

test.for([
  { name: "throws an Error", fail: new Error("broken"), code: "INTERNAL", status: "failed" },
  { name: "throws a string", fail: "broken", code: "INTERNAL", status: "failed" },
  {
    name: "throws a ToolError",
    fail: new ToolError("NO_SPACE", "Full."),
    code: "NO_SPACE",
    status: "failed",
  },
])("a tool that $name fails with $code and takes nothing down", async ({ fail, code, status }) => {
  const throwing = (): never => {
    throw fail;
  };
  const extra = [
    simpleTool("Now", throwing),
    simpleTool("Later", async () => await Promise.resolve().then(throwing)),
  ];
  const { kit } = await testKit({ tools: { extra } });

  for (const name of ["Now", "Later"]) {
    expect(await kit.call({ name })).toMatchObject({ status, isError: true, error: { code } });
  }
});

test("a tool that answers nothing is told to return content", async () => {
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Mute", () => undefined as never)] },
  });

  expect((await kit.call({ name: "Mute" })).error?.code).toBe("TOOL_FAILED");
});

test("a tool past its deadline is stopped, and what it streamed is kept", async () => {
  const hanging = simpleTool(
    "Hanging",
    async (_input, { output }) => {
      output.write("so far\n");
      return await new Promise<never>(() => undefined);
    },
    { timeoutMs: 2000 },
  );
  const { kit, host } = await testKit({ tools: { extra: [hanging] } });

  const pending = kit.call({ name: "Hanging" });
  await settled();
  host.control.advance(1999);
  await settled();
  host.control.advance(1);
  await settled();
  host.control.advance(250);
  const outcome = await pending;

  expect(outcome).toMatchObject({
    status: "failed",
    error: { code: "TIMEOUT", type: "timeout", retryable: true },
  });
  expect(outcome.text).toContain("so far");
  expect(outcome.text).toContain("within 2 s");
});

test("a tool without a deadline of its own has sixty seconds", async () => {
  const hanging = simpleTool("Hanging", async () => await new Promise<never>(() => undefined));
  const { kit, host } = await testKit({ tools: { extra: [hanging] } });

  const pending = kit.call({ name: "Hanging" });
  await settled();
  host.control.advance(59_999);
  await settled();
  const atFirst = await Promise.race([pending, Promise.resolve("still running")]);
  host.control.advance(1);
  await settled();
  host.control.advance(250);

  expect(atFirst).toBe("still running");
  expect((await pending).error?.code).toBe("TIMEOUT");
});

test("a tool that comes back when its signal fires keeps its partial answer", async () => {
  const polite = simpleTool(
    "Polite",
    async (_input, { signal }) => {
      await new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      return { content: "half of it" };
    },
    { timeoutMs: 10 },
  );
  const { kit, host } = await testKit({ tools: { extra: [polite] } });

  const pending = kit.call({ name: "Polite" });
  await settled();
  host.control.advance(10);
  const outcome = await pending;

  expect(outcome.error?.code).toBe("TIMEOUT");
  expect(outcome.text).toContain("half of it");
});

test("a call aborted while it runs is aborted, one aborted before never runs", async () => {
  let runs = 0;
  const hanging = simpleTool("Hanging", async () => {
    runs += 1;
    return await new Promise<never>(() => undefined);
  });
  const { kit, host } = await testKit({ tools: { extra: [hanging] } });
  const controller = new AbortController();

  const pending = kit.call({ name: "Hanging" }, { signal: controller.signal });
  await settled();
  controller.abort();
  await settled();
  host.control.advance(250);

  expect(await pending).toMatchObject({ status: "aborted", error: { code: "ABORTED" } });
  expect(await kit.call({ name: "Hanging" }, { signal: controller.signal })).toMatchObject({
    status: "aborted",
  });
  expect(runs).toBe(1);
});

test("a long answer is cut at head and tail, kept whole where Read opens it", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join("\n");
  const { kit, host } = await testKit({
    tools: { extra: [simpleTool("Long", () => ({ content: lines }), { maxChars: 2000 })] },
    dataDirectory: "/data",
  });

  const outcome = await kit.call({ name: "Long" });

  expect(outcome.text.length).toBeLessThan(2400);
  expect(outcome.text).toContain("line 0\n");
  expect(outcome.text).toContain("line 4999");
  expect(outcome.text).toContain("(truncated:");
  expect(outcome.artefact).toMatchObject({ chars: lines.length, lines: 5000 });
  const path = outcome.artefact?.path ?? "";
  expect(host.control.texts()[path]).toBe(lines);
  const opened = await kit.call({
    name: "Read",
    input: { file_path: path, offset: 2500, limit: 1 },
  });
  expect(opened.text).toContain("line 2499");
  const overwritten = await kit.call({ name: "Write", input: { file_path: path, content: "x" } });
  expect(overwritten.status).toBe("denied");
});

test("an answer of just the limit is shown whole, one character more is cut", async () => {
  const sized = simpleTool("Sized", ({ size }) => ({ content: "x".repeat(Number(size)) }), {
    maxChars: 100,
  });
  const { kit } = await testKit({ tools: { extra: [sized] }, dataDirectory: "/data" });

  expect((await kit.call({ name: "Sized", input: { size: 100 } })).artefact).toBeUndefined();
  expect((await kit.call({ name: "Sized", input: { size: 101 } })).artefact?.chars).toBe(101);
});

test("an error's long text is bounded too, and shows its end", async () => {
  const failing = simpleTool(
    "Failing",
    () => {
      throw new ToolError("COMMAND_FAILED", `${"x\n".repeat(2000)}the reason`, {
        hint: "Look at the end.",
      });
    },
    { maxChars: 500 },
  );
  const { kit } = await testKit({ tools: { extra: [failing] }, dataDirectory: "/data" });

  const outcome = await kit.call({ name: "Failing" });

  expect(outcome.text.length).toBeLessThan(900);
  expect(outcome.text).toContain("the reason\nLook at the end.");
});

test("secrets are taken out of answers, unless told otherwise", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const extra = [simpleTool("Leaky", () => ({ content: `token ${token}` }))];
  const { kit } = await testKit({ tools: { extra } });
  const { kit: open } = await testKit({ tools: { extra }, redactSecrets: false });

  expect((await kit.call({ name: "Leaky" })).text).toBe("token [redacted: GitHub token]");
  expect((await open.call({ name: "Leaky" })).text).toBe(`token ${token}`);
});

test("after-hooks see the bounded answer, may replace it and add to it, and cannot undo the call", async () => {
  const seen: string[] = [];
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Plain", () => ({ content: "plain" }))] },
    hooks: {
      after: [
        ({ outcome }) => (seen.push(outcome.text), { content: "replaced" }),
        ({ outcome }) => (seen.push(outcome.text), { context: "by the way" }),
        () => {
          throw new Error("late");
        },
      ],
    },
  });

  const outcome = await kit.call({ name: "Plain" });

  expect(seen).toEqual(["plain", "replaced"]);
  expect(outcome.status).toBe("ok");
  expect(outcome.text).toMatchInlineSnapshot(`
    "replaced
    by the way
    (A hook failed after this call: late)"
  `);
});

test("after-hooks see failures too, and the failure stays one", async () => {
  const { kit } = await testKit({ hooks: { after: [() => ({ context: "noted" })] } });

  const outcome = await kit.call({ name: "Read", input: { file_path: "nowhere.txt" } });

  expect(outcome).toMatchObject({ status: "failed", isError: true, error: { code: "NOT_FOUND" } });
  expect(outcome.text).toContain("noted");
});

test("content from outside the workspace is untrusted", async () => {
  const { kit } = await testKit(
    { rules: { allow: ["Read(//outside/**)"] } },
    { files: { ...files, "/outside/o.txt": "foreign" } },
  );

  const outside = await kit.call({ name: "Read", input: { file_path: "/outside/o.txt" } });
  const inside = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect([outside.status, outside.trust]).toEqual(["ok", "untrusted"]);
  expect(inside.trust).toBe("trusted");
});

test("once untrusted content met a private read, what could carry it out is asked about again", async () => {
  const connect = simpleTool("Fetch", () => ({ content: "page" }), {
    touches: ["connect"],
    effects: () => [{ kind: "connect", host: "example.com" }],
  });
  const { kit } = await testKit(
    { tools: { extra: [connect] }, mode: "bypassPermissions" },
    { files },
  );
  const session = { sessionId: "s" };

  const first = await kit.call({ name: "Fetch" }, session);
  await kit.call({ name: "Read", input: { file_path: "a.txt" } }, session);
  const second = await kit.call({ name: "Fetch" }, session);
  const elsewhere = await kit.call({ name: "Fetch" }, { sessionId: "other" });

  expect(first).toMatchObject({ status: "ok", trust: "untrusted" });
  expect(second).toMatchObject({ status: "denied", error: { code: "APPROVAL_REQUIRED" } });
  expect(elsewhere.status).toBe("ok");
});

test("a span says what ran, by the conventions for generative AI", async () => {
  const spans: unknown[] = [];
  const tracer = {
    startSpan: (
      name: string,
      options: { readonly startTime: number; readonly attributes: object },
    ) => {
      const span = { name, ...options, status: undefined as unknown, endTime: 0 };
      spans.push(span);
      return {
        setStatus: (status: unknown) => (span.status = status),
        end: (endTime: number) => {
          span.endTime = endTime;
        },
      };
    },
  };
  const { kit, host } = await testKit({ tracer }, { files });

  await kit.call({ id: "c1", name: "Read", input: { file_path: "a.txt" } });
  await kit.call({ id: "c2", name: "Read", input: { file_path: "none" } });

  expect(spans).toMatchObject([
    {
      name: "execute_tool Read",
      startTime: host.clock.now(),
      endTime: host.clock.now(),
      attributes: {
        "gen_ai.tool.name": "Read",
        "gen_ai.tool.call.id": "c1",
        "haft.decision": "allow",
      },
      status: undefined,
    },
    { attributes: { "error.type": "NOT_FOUND" }, status: { code: 2 } },
  ]);
});

test("the input a tool runs with is typed by its schema, defaults filled in", async () => {
  const typed = defineTool({
    name: "Typed",
    description: "Counts.",
    touches: [],
    input: z.object({ seconds: z.coerce.number().default(1) }),
    run: ({ seconds }) => ({ content: `${seconds + 1}` }),
  });
  const { kit } = await testKit({ tools: { extra: [typed] } });

  expect((await kit.call({ name: "Typed" })).text).toBe("2");
  expect((await kit.call({ name: "Typed", input: { seconds: 4 } })).text).toBe("5");
});
