// Servers that do what a server must not do: the session survives each of them, and says what happened.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { leaveNothing } from "../../support/leftovers.ts";
import type { Script } from "./scripted-server.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };
const rules = { allow: ["mcp__s"] };

/** Calls the tool of a server that behaves like this, then once more. */
async function called(script: Script, entry: Readonly<Record<string, unknown>> = {}) {
  await using world = serverWorld();
  const { record } = world;
  const server = { ...serverEntry({ tools: [tool], record, ...script }), ...entry };
  const kit = await world.open({ s: server }, { rules });
  const outcome = await kit.call({ name: "mcp__s__t", input: {} });
  const read = await kit.call({ name: "ListDir", input: {} });
  expect(read.status).toBe("ok");
  return { outcome, records: world.records() };
}

const faults = [
  { act: "exit", code: "UNAVAILABLE", says: "ended with code 7 during the call" },
  { act: "kill", code: "UNAVAILABLE", says: "was killed by SIGKILL during the call" },
  { act: "error", code: "TOOL_FAILED", says: "it broke" },
  { act: "badError", code: "TOOL_FAILED", says: "an answer that is not valid" },
  { act: "noResult", code: "TOOL_FAILED", says: "an answer that is not valid" },
  { act: "textResult", code: "TOOL_FAILED", says: "an answer that is not valid" },
  { act: "huge", code: "UNAVAILABLE", says: "sent a message of more than 8388608 bytes" },
  { act: "endless", code: "UNAVAILABLE", says: "sent a message of more than 8388608 bytes" },
  { act: "deep", code: "UNAVAILABLE", says: "sent a message of more than 200 levels" },
  { act: "flood", code: "UNAVAILABLE", says: "sent far more than it was asked for" },
];

describe("a call that a server ruins", () => {
  test.each(faults)("$act: $code, $says", async ({ act, code, says }) => {
    const { outcome, records } = await called({ acts: { t: act } });

    expect(outcome).toMatchObject({ status: "failed", error: { code } });
    expect(outcome.text).toContain(says);
    expect(outcome.error?.hint).not.toBe("");
    // A call is never repeated by itself: what it did before is not known.
    expect(records.filter((line) => line === "call t")).toHaveLength(1);
  });

  test("it ends when nothing has come for the configured time", async () => {
    const { outcome } = await called({ acts: { t: "never" } }, { timeout: 700 });

    expect(outcome).toMatchObject({ error: { code: "TIMEOUT", retryable: false } });
    expect(outcome.text).toContain("Check whether the call took effect");
  });

  test("endless progress extends it up to a limit only for as long as the user waits", async () => {
    await using world = serverWorld();
    const entry = { ...serverEntry({ tools: [tool], acts: { t: "progress" } }), timeout: 300 };
    const kit = await world.open({ s: entry }, { rules });
    const stop = new AbortController();
    let reports = 0;
    const call = kit.call(
      { name: "mcp__s__t", input: {} },
      {
        signal: stop.signal,
        onProgress: () => {
          reports += 1;
          if (reports === 5) stop.abort();
        },
      },
    );

    expect((await call).status).toBe("aborted");
    expect(reports).toBe(5);
  });
});

const survived = [
  { act: "twice", text: "first" },
  { act: "wrongId", text: "yours" },
  { act: "asks", text: "asked" },
  { act: "split", text: "ä€😀" },
  { act: "noise", text: "after noise" },
  { act: "notUtf8", text: "a���b" },
  { act: "slowWithProgress", text: "done", timeout: 600 },
  { act: "listChangedStorm", text: "changed" },
];

test.each(survived)(
  "a server that misbehaves by $act still answers",
  async ({ act, text, timeout = 30_000 }) => {
    const { outcome } = await called({ acts: { t: act } }, { timeout });

    expect(outcome).toMatchObject({ status: "ok", text });
  },
);

const starts = [
  { onStart: "exit", says: "ended with code 3" },
  { onStart: "silent", says: "did not answer within 10 s" },
  { onStart: "noList", says: "could not be used" },
];

describe("a server that does not start", () => {
  test.each(starts)("$onStart: $says", async ({ onStart, says }) => {
    await using world = serverWorld();
    const kit = await world.open({ s: serverEntry({ tools: [tool], onStart }) }, { rules });

    const { error } = await kit.call({ name: "mcp__s__t", input: {} });
    expect(error?.code).toBe("UNKNOWN_TOOL");
    expect(kit.mcp.list()).toMatchObject([
      { status: "failed", reason: expect.stringContaining(says) },
    ]);
    expect(kit.problems.map(({ message }) => message).join("\n")).toContain(says);
  });

  test("a program that is not there is named", async () => {
    await using world = serverWorld();
    const kit = await world.open({ s: { command: "no-such-program-here" } }, { rules });

    const { server } = await kit.mcp.check("s");

    expect(server).toMatchObject({ status: "failed" });
    expect(server.reason).toContain("no-such-program-here");
  });

  test.each([["garbage"], ["stderr"], ["stderrFlood"], ["crashOnDiscover"], ["silentOnDiscover"]])(
    "%s only delays one that works",
    async (onStart) => {
      const { outcome } = await called({ onStart });

      expect(outcome).toMatchObject({ status: "ok", text: "t ran" });
    },
  );

  test.each([
    ["endlessPages", {}],
    ["repeatedPage", {}],
  ])("%s: a list without end is cut", async (onStart, rest) => {
    const { outcome } = await called({ onStart, ...rest });

    expect(outcome.status).toBe("ok");
  });

  test("an unknown version of the protocol is refused", async () => {
    await using world = serverWorld();
    const entry = serverEntry({ tools: [tool], protocolVersion: "1999-01-01" });
    const kit = await world.open({ s: entry });

    const { server } = await kit.mcp.check("s");

    expect(server.reason).toContain("protocol version");
  });
});

describe("tools that lie", () => {
  const lies = [
    { name: "no schema", given: { name: "t" }, offered: true },
    { name: "a list as schema", given: { name: "t", inputSchema: [] }, offered: false },
    { name: "a text as schema", given: { name: "t", inputSchema: "x" }, offered: false },
    {
      name: "the schema of a list",
      given: { name: "t", inputSchema: { type: "array" } },
      offered: false,
    },
    {
      name: "a schema in a circle",
      given: { name: "t", inputSchema: { type: "object", properties: { a: { $ref: "#" } } } },
      offered: true,
    },
    {
      name: "a remote schema",
      given: {
        name: "t",
        inputSchema: { type: "object", properties: { a: { $ref: "http://127.0.0.1:1/x" } } },
      },
      offered: true,
    },
    {
      name: "a slow pattern",
      given: {
        name: "t",
        inputSchema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } },
      },
      offered: true,
    },
    {
      name: "nonsense in the schema",
      given: { name: "t", inputSchema: { type: "object", properties: 5, required: "all" } },
      offered: true,
    },
    {
      name: "a name without end",
      given: { name: "t".repeat(5000), inputSchema: { type: "object" } },
      offered: false,
    },
    { name: "no name", given: { inputSchema: { type: "object" } }, offered: false },
    { name: "a number", given: 5, offered: false },
    {
      name: "claims that it only reads",
      given: { ...tool, annotations: { readOnlyHint: true, destructiveHint: false } },
      offered: true,
    },
    {
      name: "an output schema that is wrong",
      given: { ...tool, outputSchema: { type: "nonsense" } },
      offered: true,
    },
  ];
  const evil = "a".repeat(40) + "!";

  test.each(lies)("$name", async ({ given, offered }) => {
    await using world = serverWorld();
    const kit = await world.open({
      s: serverEntry({ tools: [given, { ...tool, name: "other" }] }),
    });
    const { server } = await kit.mcp.check("s");

    const { tools } = await kit.definitions("anthropic", { all: true });
    const names = tools.map((each) => each["name"]);
    expect(names).toContain("mcp__s__other");
    expect(names.includes("mcp__s__t")).toBe(offered);
    const reported = kit.problems.some(({ message }) => message.includes("not offered"));
    expect(reported).toBe(!offered);
    expect(server.status).toBe("running");
    // Nothing that the server claims lets a call run without a rule.
    const { error } = await kit.call({ name: "mcp__s__other", input: { a: evil } });
    expect(error?.code).toBe("APPROVAL_REQUIRED");
    const { decision } = await kit.call({ name: "mcp__s__t", input: { a: evil } });
    expect(decision?.kind).not.toBe("allow");
  });

  test("deep schemas and endless descriptions are bounded", async () => {
    await using world = serverWorld();
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 40; level += 1)
      schema = { type: "object", properties: { a: schema } };
    const file = path.join(world.workspace, "tools.json");
    const given = [
      { name: "deep", inputSchema: schema },
      { name: "long", description: "x".repeat(50_000), inputSchema: { type: "object" } },
      { name: "wide", inputSchema: { type: "object", description: "y".repeat(70_000) } },
    ];
    writeFileSync(file, JSON.stringify(given));
    const kit = await world.open({ s: serverEntry({ toolsFile: file }) });
    const { problems } = await kit.mcp.check("s");

    expect(problems.join()).toMatch(/deep is not offered.*wide is not offered/u);
    const [long] = await kit.mcp.tools("s");
    expect(long?.description.length).toBeLessThan(4100);
  });

  test("hidden characters in names and descriptions are made visible", async () => {
    await using world = serverWorld();
    const hidden = "Add.\u200B\u202E\u{E0049}\u{E0067}\u0007";
    const kit = await world.open({
      s: serverEntry({
        tools: [
          {
            name: "add",
            description: hidden,
            inputSchema: {
              type: "object",
              properties: { a: { type: "string", description: hidden } },
            },
          },
        ],
      }),
    });
    await kit.mcp.check("s");

    const { tools } = await kit.definitions("mcp", { names: ["mcp__s__add"] });
    const json = JSON.stringify(tools);
    expect(json).toContain("\\\\u{200b}\\\\u{202e}\\\\u{e0049}\\\\u{e0067}␇");
    expect(/[\u200B\u202E\u{E0049}]/u.test(json)).toBe(false);
  });

  test("two tools with one name are both left out and both named", async () => {
    await using world = serverWorld();
    const schema = { type: "object" };
    const kit = await world.open({
      s: serverEntry({
        tools: [{ name: "a.b", inputSchema: schema }, { name: "a_b", inputSchema: schema }, tool],
      }),
    });
    const { problems } = await kit.mcp.check("s");

    expect(problems).toEqual(["The tools a.b and a_b would have one name, so neither is offered."]);
    expect((await kit.mcp.tools("s")).map(({ name }) => name)).toEqual(["t"]);
  });

  test("2000 tools are cut", async () => {
    await using world = serverWorld();
    const file = path.join(world.workspace, "tools.json");
    const many = Array.from({ length: 1500 }, (_, index) => ({ ...tool, name: `t${index}` }));
    writeFileSync(file, JSON.stringify(many));
    const kit = await world.open({ s: serverEntry({ toolsFile: file }) });
    const { server, problems } = await kit.mcp.check("s");

    expect(server.tools).toBe(1000);
    expect(problems).toEqual(["500 tools beyond the first 1000 are not offered."]);
  });
});

describe("results that lie", () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  const results = [
    { name: "nothing", result: {}, text: "(The tool returned nothing.)" },
    {
      name: "content that is not a list",
      result: { content: "x" },
      text: "(The tool returned nothing.)",
    },
    {
      name: "structured content alone",
      result: { content: [], structuredContent: { a: 1 } },
      text: '{"a":1}',
    },
    {
      name: "structured content that the text lacks",
      result: { content: [{ type: "text", text: "see" }], structuredContent: { a: [1] } },
      text: 'see\n{"a":[1]}',
    },
    {
      name: "structured content that the text has",
      result: { content: [{ type: "text", text: '{ "a": [1] }' }], structuredContent: { a: [1] } },
      text: '{ "a": [1] }',
    },
    {
      name: "an unknown part",
      result: { content: [{ type: "hologram" }, 5, null] },
      text: "(left out: a part of the type hologram)\n(left out: a part that is not an object)\n(left out: a part that is not an object)",
    },
    {
      name: "an image that is not one",
      result: { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
      text: "(left out: an image of the type image/png)",
    },
    {
      name: "an image that is not base64",
      result: { content: [{ type: "image", data: "<svg>", mimeType: "image/png" }] },
      text: "(left out: an image that is not base64)",
    },
    {
      name: "an image with a false type",
      result: { content: [{ type: "image", data: png, mimeType: "text/html" }] },
      text: "[image image/png]",
    },
    {
      name: "a resource without content",
      result: { content: [{ type: "resource", resource: { uri: "x:y" } }] },
      text: "(left out: a resource without content)",
    },
    {
      name: "a link",
      result: { content: [{ type: "resource_link", uri: "file:///a", name: "a" }] },
      text: "[resource file:///a]",
    },
  ];

  test.each(results)("$name", async ({ result, text }) => {
    const { outcome } = await called({ results: { t: result } });

    expect(outcome).toMatchObject({ status: "ok", text, trust: "untrusted" });
  });

  test("an error is one", async () => {
    const result = { content: [{ type: "text", text: "no such city" }], isError: true };
    const { outcome } = await called({ results: { t: result } });

    expect(outcome).toMatchObject({ status: "failed", isError: true });
    expect(outcome.text).toContain("no such city");
  });

  test("many parts are cut", async () => {
    const content = Array.from({ length: 500 }, () => ({ type: "text", text: "x" }));
    const { outcome } = await called({ results: { t: { content } } });

    expect(outcome.text).toContain("(left out: 300 more parts)");
  });
});

test("hostile calls leave less than 50 MB behind", { timeout: 120_000 }, async () => {
  await using world = serverWorld();
  const acts = ["huge", "deep", "flood", "notUtf8"];
  const tools = acts.map((name) => ({ ...tool, name }));
  const entry = serverEntry({ tools, acts: Object.fromEntries(acts.map((act) => [act, act])) });
  const kit = await world.open({ s: entry }, { rules });
  const callAll = async (): Promise<void> => {
    for (const act of acts) await kit.call({ name: `mcp__s__${act}`, input: {} });
  };
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const memory = (): number => {
    if (typeof collect === "function") collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  await callAll();

  const before = memory();
  for (let round = 0; round < 3; round += 1) await callAll();

  expect((memory() - before) / 1e6).toBeLessThan(50);
});
