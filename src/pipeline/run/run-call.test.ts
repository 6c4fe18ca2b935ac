import { expect, test } from "vitest";
import { ToolError, type Effect, type HaftEvent, type Outcome } from "../../core/index.ts";
import { offeredNames } from "../../../test/support/built-in-tools.ts";
import { simpleTool, testKit } from "../../../test/support/kit.ts";

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

test("a call of an unknown tool gets the nearest names and all available ones", async () => {
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
  const available = offeredNames({ services: ["toolSearch"] });
  expect(error?.hint).toBe(`Available tools: ${available.join(", ")}.`);
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

test("a near miss is repaired and reported", async () => {
  const { kit } = await testKit({}, { files });

  const outcome = await kit.call({ name: "Read", input: { path: "a.txt", limit: "1" } });

  expect(outcome.status).toBe("ok");
  expect(outcome.repairs.map(({ path }) => path).toSorted()).toEqual(["/file_path", "/limit"]);
});

test("a before-hook may rewrite the input, which is validated and judged again", async () => {
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
  expect(outcome.decision).toMatchObject({
    kind: "deny",
    rule: { scope: "hook" },
    trail: [{ verdict: "deny", text: says }],
  });
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
  {
    code: "INVALID_INPUT" as const,
    data: { errno: "ENAMETOOLONG" },
    because: "the path is invalid",
  },
  { code: "ACCESS_DENIED" as const, data: { errno: "EACCES" }, because: "it may not be looked at" },
  { code: "LINK_LOOP" as const, data: {}, because: "its links lead nowhere" },
  {
    code: "UNAVAILABLE" as const,
    data: { service: "jobs" },
    because: "what it needs is not there",
  },
])(
  "effects that fail with $code fail the call and ask nobody: $because",
  async ({ code, data }) => {
    const fails = new ToolError(code, "No.", { hint: "Do something else.", data });
    const tools = [() => Promise.reject(fails), throwing(fails)].map((effects, at) =>
      simpleTool(`Blind${at}`, () => ({ content: "" }), { touches: ["read"], effects }),
    );
    const { kit } = await testKit({ tools: { extra: tools } });

    for (const { name } of tools) {
      const outcome = await kit.call({ name });
      expect(outcome).toMatchObject({ status: "failed", error: { code } });
      expect(outcome.decision).toBeUndefined();
    }
  },
);

test("a tool that starts programs fails as well where nothing provides what it works with", async () => {
  const effects = throwing(
    new ToolError("UNAVAILABLE", "No.", { hint: "Use another.", data: { service: "jobs" } }),
  );
  const tool = simpleTool("Blind", () => ({ content: "" }), { touches: ["execute"], effects });
  const { kit } = await testKit({ tools: { extra: [tool] } });

  expect((await kit.call({ name: "Blind" })).error?.code).toBe("UNAVAILABLE");
});

test.for([
  { touches: ["read", "execute"] as const, because: "what it starts may be let in" },
  { touches: ["unknown"] as const, because: "what it does is not known" },
])("a tool that touches $touches is asked about anyway: $because", async ({ touches }) => {
  const effects = throwing(
    new ToolError("ACCESS_DENIED", "No.", { hint: "Look.", data: { errno: "EACCES" } }),
  );
  const tool = simpleTool("Blind", () => ({ content: "" }), { touches, effects });
  const { kit } = await testKit({ tools: { extra: [tool] } });

  const outcome = await kit.call({ name: "Blind" });

  expect(outcome).toMatchObject({ status: "denied", error: { code: "APPROVAL_REQUIRED" } });
});

function throwing(error: ToolError): () => never {
  return () => {
    throw error;
  };
}

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

test("over 256 paths collapse to the trees that hold them: reads, writes and deletions apart", async () => {
  const effects: Effect[] = Array.from({ length: 257 }, (_, index) =>
    read(`src/deep/f${index}.ts`),
  );
  const touches = ["read", "write", "interact"] as const;
  const many = simpleTool("Many", () => ({ content: "" }), {
    touches,
    effects: () => [
      ...effects,
      { kind: "write", path: "out/x.txt", scope: "file", change: "create" },
      { kind: "write", path: "old/a", scope: "tree", change: "delete" },
      { kind: "write", path: "old/b", scope: "tree", change: "delete" },
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
    { kind: "write", path: "/project/old", scope: "tree", change: "delete" },
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
