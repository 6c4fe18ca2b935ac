import { expect, test } from "vitest";
import { simpleTool, testKit } from "../../../test/support/kit.ts";
import { builtInLayer } from "../../policy/index.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";

const sends = (name: string) =>
  simpleTool(name, () => ({ content: name }), {
    autoExecute: true,
    touches: ["unknown"],
    effects: () => [{ kind: "unknown", because: "it sends", origin: name }],
  });

const files = { "a.txt": "a" };

test("with enableToolCalls: false no tool is offered and no call runs", async () => {
  const { kit } = await testKit({ settings: { enableToolCalls: false } }, { files });

  const outcome = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect(kit.listings()).toEqual([]);
  expect(outcome.error?.code).toBe("UNKNOWN_TOOL");
});

test("tools switches a tool off, and on one that is off by default", async () => {
  const extra = [
    simpleTool("Beta", () => ({ content: "beta" }), { enabled: false }),
    simpleTool("Gamma", () => ({ content: "gamma" }), { enabled: false }),
  ];
  const settings = { tools: { Read: { enabled: false }, Beta: { enabled: true } } };
  const { kit } = await testKit({ settings, tools: { extra } }, { files });

  const names = kit.listings().map(({ name }) => name);

  expect(names).toContain("Beta");
  expect(names).not.toContain("Read");
  expect(names).not.toContain("Gamma");
  const read = await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  expect(read.error?.code).toBe("UNKNOWN_TOOL");
});

test("a tool may allow its own calls, below every rule and setting", async () => {
  const { kit } = await testKit({
    tools: { extra: [sends("Free"), sends("Asked"), sends("Denied")] },
    settings: { tools: { Asked: { autoExecute: false } } },
    rules: { deny: ["Denied"] },
  });

  const decided = async (name: string) => (await kit.explain({ name, input: {} })).decision?.kind;

  expect(await decided("Free")).toBe("allow");
  expect(await decided("Asked")).toBe("ask");
  expect(await decided("Denied")).toBe("deny");
});

test("autoExecute of a setting allows a call that would be asked about", async () => {
  const settings = { tools: { Write: { autoExecute: true } } };
  const { kit } = await testKit({ settings }, { files });

  const outcome = await kit.call({ name: "Write", input: { file_path: "b.txt", content: "b" } });

  expect(outcome.status).toBe("ok");
});

test("allowedTools is a ceiling: it hides, refuses, and allows nothing by itself", async () => {
  const settings = {
    allowedTools: ["Read", "Bash(git status)"],
    permissions: { allow: ["Write"] },
  };
  const { kit } = await testKit({ settings }, { files });

  const names = kit.listings().map(({ name }) => name);
  const write = await kit.call({ name: "Write", input: { file_path: "b.txt", content: "b" } });
  const read = await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  const bash = await kit.explain({ name: "Bash", input: { command: "git push" } });

  expect(names).toContain("Read");
  expect(names).toContain("Bash");
  expect(names).not.toContain("Write");
  expect(write.error).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(read.status).toBe("ok");
  expect(bash.decision?.kind).toBe("deny");
});

test.each([
  { entry: "mcp__*", offers: ["mcp__git__log", "mcp__git__push", "mcp__web__get"] },
  { entry: "mcp__git__*", offers: ["mcp__git__log", "mcp__git__push"] },
  { entry: "mcp__git", offers: ["mcp__git__log", "mcp__git__push"] },
  { entry: "mcp__git__l*", offers: ["mcp__git__log"] },
  { entry: "mcp__*__get", offers: ["mcp__web__get"] },
  { entry: "mcp__git__log", offers: ["mcp__git__log"] },
])("allowedTools with $entry offers and allows $offers", async ({ entry, offers }) => {
  const every = ["mcp__git__log", "mcp__git__push", "mcp__web__get"];
  const extra = every.map((name) => {
    const id = name.split("__", 2).join("__");
    return simpleTool(name, () => ({ content: name }), {
      touches: ["unknown"],
      source: { id, name: id, kind: "mcp" },
      effects: () => [{ kind: "unknown", because: "a server decides", origin: id }],
    });
  });
  const settings = { allowedTools: ["Read", entry] };
  const { kit } = await testKit({ settings, tools: { extra }, mode: "bypassPermissions" });

  const names = kit.listings().map(({ name }) => name);
  const outcomes = await Promise.all(
    every.map(async (name) => await kit.call({ name, input: {} })),
  );

  expect(kit.workspace.problems).toEqual([]);
  expect(names.filter((name) => name.startsWith("mcp__"))).toEqual(offers);
  expect(every.filter((_name, at) => outcomes[at]?.status === "ok")).toEqual(offers);
});

test.each([
  { entry: "*", message: "A list of allowed tools may use `*` in a tool name only after `mcp__`." },
  {
    entry: "Re*",
    message: "A list of allowed tools may use `*` in a tool name only after `mcp__`.",
  },
  { entry: "Bash(", message: "The parenthesis is not closed." },
])("allowedTools with $entry: $message", ({ entry, message }) => {
  const { problems } = readSettings({ allowedTools: ["Read", entry] });

  expect(problems).toMatchObject([{ severity: "error", message, hint: "It allows nothing." }]);
});

test("builtInAllow leaves some of the built-in rules", async () => {
  const tool = simpleTool("Show", () => ({ content: "shown" }), {
    touches: ["interact"],
    effects: () => [{ kind: "interact" }],
  });
  const options = { tools: { extra: [tool] } };
  const { kit: plain } = await testKit(options);
  const { kit } = await testKit({ ...options, settings: { builtInAllow: ["device"] } });

  expect((await plain.call({ name: "Show", input: {} })).status).toBe("ok");
  expect((await kit.call({ name: "Show", input: {} })).error?.code).toBe("APPROVAL_REQUIRED");
});

test("builtInAllow has every built-in rule as a choice", () => {
  const every = builtInLayer.map(({ on }) => on);

  expect(readSettings({ builtInAllow: every })).toMatchObject({
    values: { builtInAllow: every },
    problems: [],
  });
});

test("maxChars of the settings bounds answers, and the option counts more", async () => {
  const extra = [simpleTool("Long", () => ({ content: "x".repeat(5000) }))];
  const settings = { maxChars: 1000 };
  const { kit } = await testKit({ settings, tools: { extra } });
  const { kit: other } = await testKit({ settings, maxChars: 9000, tools: { extra } });

  expect((await kit.call({ name: "Long", input: {} })).text.length).toBeLessThan(1500);
  expect((await other.call({ name: "Long", input: {} })).text.length).toBe(5000);
});

test("listings say how strong a tool is and name its parameters", async () => {
  const { kit } = await testKit({
    settings: "none",
    tools: { include: ["Read", "Write", "Bash"] },
  });

  const kinds = kit.listings().map(({ name, kind, enabled }) => [name, kind, enabled]);
  const read = kit.listings().find(({ name }) => name === "Read");

  expect(kinds).toEqual([
    ["Bash", "execute", true],
    ["Read", "readonly", true],
    ["Write", "write", true],
  ]);
  expect(read?.parameters[0]).toMatchObject({ name: "file_path", type: "string", required: true });
});
