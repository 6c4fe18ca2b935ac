// Requests of servers to haft: forms for the user, directories, and how a search reports servers without tools.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/index.ts";
import { simpleTool } from "../../support/kit.ts";
import { leaveNothing } from "../../support/leftovers.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };
const rules = { allow: ["mcp__s"] };
const call = { name: "mcp__s__t", input: {} };

const form = (properties: unknown, required: readonly string[] = []) => ({
  message: "Where to?",
  requestedSchema: { type: "object", properties, required },
});

async function filled(
  given: unknown,
  answers: readonly { readonly choices?: readonly string[]; readonly text?: string }[],
) {
  await using world = serverWorld();
  const asked: Ask[] = [];
  const kit = await world.open(
    { s: serverEntry({ tools: [tool], acts: { t: "form" }, form: given }) },
    {
      rules,
      onAsk: async (ask) => {
        const answer = answers[asked.length];
        asked.push(ask);
        return answer === undefined
          ? { kind: "deny" }
          : { kind: "answer", choices: answer.choices ?? [], text: answer.text ?? "" };
      },
    },
  );
  const { text } = await kit.call(call);
  return { result: JSON.parse(text) as unknown, asked: JSON.stringify(asked) };
}

describe("a form of a server", () => {
  test("is shown to the user field by field, with the server's name", async () => {
    const { result, asked } = await filled(
      form(
        {
          city: { type: "string", title: "City" },
          nights: { type: "integer" },
          class: { type: "string", enum: ["a", "b"], enumNames: ["First", "Second"] },
          pets: { type: "boolean" },
          extras: { type: "array", items: { type: "string", enum: ["x", "y", "z"] } },
        },
        ["city"],
      ),
      [
        { text: "Rome" },
        { text: "3" },
        { choices: ["Second"] },
        { choices: ["No"] },
        { choices: ["x", "z"] },
      ],
    );

    expect(result).toEqual({
      action: "accept",
      content: { city: "Rome", nights: 3, class: "b", pets: false, extras: ["x", "z"] },
    });
    expect(asked).toContain("The MCP server s asks: Where to? – City");
  });

  const suggesting = {
    city: { type: "string", title: "City", default: "Rome" },
    nights: { type: "integer", default: 2 },
    class: { type: "string", enum: ["a", "b"], enumNames: ["First", "Second"], default: "b" },
    pets: { type: "boolean", default: false },
    extras: { type: "array", items: { type: "string", enum: ["x", "y"] }, default: ["y"] },
    note: { type: "string" },
  };

  test("shows the values that it suggests in one question", async () => {
    const { result, asked } = await filled(form(suggesting), [
      { choices: ["Use these values"] },
      { text: "late" },
    ]);

    const content = { city: "Rome", nights: 2, class: "b", pets: false, extras: ["y"] };
    expect(result).toEqual({ action: "accept", content: { ...content, note: "late" } });
    expect(asked.replaceAll('\\"', "'")).toContain(
      "Use these values? City: 'Rome'; nights: 2; class: 'Second'; pets: 'No'; extras: 'y'",
    );
  });

  test("asks for each field where the user wants other values than it suggests", async () => {
    const { result } = await filled(form({ city: suggesting.city, nights: suggesting.nights }), [
      { choices: ["Answer each field"] },
      { text: "Bern" },
      { text: "3" },
    ]);

    expect(result).toEqual({ action: "accept", content: { city: "Bern", nights: 3 } });
  });

  test.each([
    [{ type: "integer", default: 1.5 }],
    [{ type: "string", enum: ["a"], default: "b" }],
    [{ type: "array", items: { type: "string", enum: ["a"] }, default: ["b"] }],
    [{ type: "string", default: "x".repeat(2000) }],
    [{ type: "string", default: "\u202E".repeat(200) }],
  ])("suggests no value that does not fit or cannot be shown (%#)", async (field) => {
    const { asked } = await filled(form({ a: field }), []);

    expect(asked).toContain("asks: Where to? – a");
    expect(asked).not.toContain("Use these values");
  });

  test("is declined where the user refuses", async () => {
    const { result } = await filled(form({ city: { type: "string" } }), []);

    expect(result).toEqual({ action: "decline" });
  });

  test("is canceled where an answer that it needs does not fit", async () => {
    const { result } = await filled(form({ nights: { type: "integer" } }, ["nights"]), [
      { text: "many" },
    ]);

    expect(result).toEqual({ action: "cancel" });
  });

  test.each([
    { message: "Enter your password.", field: { type: "string" }, isShown: false },
    { message: "Enter your p\u0430ssw\u043Erd.", field: { type: "string" }, isShown: false },
    { message: "May the token be renewed?", field: { type: "boolean" }, isShown: true },
    {
      message: "\u0413\u0434\u0435 \u0432\u044B \u0436\u0438\u0432\u0451\u0442\u0435?",
      field: { type: "string" },
      isShown: true,
    },
  ])("with the message $message is shown: $isShown", async ({ message, field, isShown }) => {
    const { asked } = await filled({ ...form({ a: field }), message }, [{ text: "x" }]);

    expect(asked !== "[]").toBe(isShown);
  });

  test.each([
    [{ password: { type: "string" } }],
    [{ a: { type: "string", title: "Your API key" } }],
    [{ a: { type: "string", description: "The one-time token" } }],
    [{ a: { type: "string", title: "p\u0430ssw\u043Erd" } }],
    [{ a: { type: "string", title: "pass\u200Bword" } }],
    [
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`f${index}`, { type: "string" }]),
      ),
    ],
  ])("that asks for secrets, or far too much, reaches no user (%#)", async (properties) => {
    const { result, asked } = await filled(form(properties), [{ text: "x" }]);

    expect(result).toEqual({ action: "decline" });
    expect(asked).toBe("[]");
  });

  test("is canceled where nobody can be asked", async () => {
    await using world = serverWorld();
    const given = form({ city: { type: "string" } });
    const entry = serverEntry({ tools: [tool], acts: { t: "form" }, form: given });
    const kit = await world.open({ s: entry }, { rules });

    expect((await kit.call(call)).text).toBe('{"action":"cancel"}');
  });

  test("does not make the call late while the user thinks", async () => {
    await using world = serverWorld();
    const given = form({ city: { type: "string" } });
    const entry = serverEntry({ tools: [tool], acts: { t: "form" }, form: given });
    const kit = await world.open(
      { s: { ...entry, timeout: 1000 } },
      {
        rules,
        onAsk: async () => {
          await new Promise((resolve) => setTimeout(resolve, 2500));
          return { kind: "answer", choices: [], text: "Rome" };
        },
      },
    );

    expect(await kit.call(call)).toMatchObject({ status: "ok" });
  });
});

test("a server learns the directories of the workspace", async () => {
  await using world = serverWorld();
  const kit = await world.open(
    { s: serverEntry({ tools: [tool], acts: { t: "roots" } }) },
    { rules },
  );

  const { text } = await kit.call(call);

  expect(JSON.parse(text)).toEqual({ roots: [{ uri: `file://${world.workspace}` }] });
});

test("ToolSearch says which servers may have a tool and are off, failing or not listed yet", async () => {
  await using world = serverWorld();
  const kit = await world.open(
    {
      s: serverEntry({
        tools: Array.from({ length: 20 }, (_, at) => ({ ...tool, name: `t${at}` })),
      }),
      "issue-tracker": { command: "x", disabled: true },
      broken: serverEntry({ onStart: "exit" }),
      slow: serverEntry({ onStart: "silent" }),
    },
    { deferral: { threshold: 3 } },
  );
  await kit.mcp.check("s");
  await kit.mcp.check("broken");
  const search = async (query: string): Promise<string> =>
    (await kit.call({ name: "ToolSearch", input: { query } })).text;

  const nothing = await search("weather");

  expect(nothing).toContain("The MCP server issue-tracker is not used. It is switched off by");
  expect(nothing).toContain("The MCP server broken ended with code 3.");
  expect(nothing).toContain(
    "The MCP server slow has not listed its tools yet, although the search",
  );
  expect(await search("tool tracker")).toContain("issue-tracker");
  expect(await search("select:mcp__s__t3")).not.toContain("MCP server");
});

test("the first search of a session finds the tools of a server that it has to wait for", async () => {
  await using world = serverWorld();
  const extra = Array.from({ length: 5 }, (_, at) =>
    simpleTool(`Office${at}`, () => ({ content: "" })),
  );
  const forecast = { ...tool, name: "forecast", description: "Says the weather." };
  const kit = await world.open(
    { climate: serverEntry({ tools: [forecast] }) },
    { deferral: { threshold: 3 }, tools: { extra } },
  );

  const { text } = await kit.call({ name: "ToolSearch", input: { query: "weather" } });

  expect(text).toContain("- mcp__climate__forecast: Says the weather.");
});

const read = (uri: string, server = "s") => ({
  name: "ReadMcpResource",
  input: { server, uri },
});

describe("resources of servers", () => {
  const resources = [
    { uri: "notes://one", name: "One", mimeType: "text/plain" },
    { uri: "notes://two", description: "Hidden\u202E text" },
    { name: "no address" },
  ];
  const contents = {
    "notes://one": [{ uri: "notes://one", text: "first" }],
    "notes://two": [{ uri: "notes://two", blob: "not base64!" }],
  };

  test("are listed and read where a server has some, under the rule for the server", async () => {
    await using world = serverWorld();
    const entry = serverEntry({ tools: [tool], resources, contents });
    const kit = await world.open({ s: entry, plain: serverEntry({ tools: [tool] }) }, { rules });
    expect(kit.registry.getNames()).not.toContain("ReadMcpResource");
    await kit.mcp.check("s");
    await kit.mcp.check("plain");

    const listed = await kit.call({ name: "ListMcpResources", input: {} });
    const outcome = await kit.call(read("notes://one"));

    expect(listed).toMatchObject({ status: "ok", trust: "untrusted" });
    expect(listed.text).toBe(
      "s:\n- notes://one (One, text/plain)\n- notes://two (Hidden\\u{202e} text)",
    );
    expect(outcome).toMatchObject({
      status: "ok",
      text: "first",
      trust: "untrusted",
      decision: { rule: { rule: "mcp__s" } },
    });
    expect((await kit.call(read("notes://two"))).text).toBe(
      "(left out: a resource that is not base64)",
    );
    expect((await kit.call(read("notes://three"))).text).toContain("No such resource");
    expect((await kit.call(read("notes://one", "plains"))).text).toContain("Did you mean plain?");
  });

  test.each([
    ["ask", {}, "APPROVAL_REQUIRED"],
    ["ask", { allow: ["mcp__s__t", "mcp__other"] }, "APPROVAL_REQUIRED"],
    ["deny", { allow: ["mcp__s"], deny: ["mcp__s"] }, "PERMISSION_DENIED"],
  ])("need a rule for the server (%s %j)", async (_kind, given, code) => {
    await using world = serverWorld();
    const entry = serverEntry({ tools: [tool], resources, contents });
    const kit = await world.open({ s: entry }, { rules: given });
    await kit.mcp.check("s");

    expect((await kit.call(read("notes://one"))).error?.code).toBe(code);
  });
});
