// Servers of the settings over standard streams: from a line in a file to the answer of a call.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { leaveNothing } from "../../support/leftovers.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

const add = {
  name: "add",
  description: "Add two numbers.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
};
const allow = { allow: ["mcp__calc"] };

describe("a server of the settings", () => {
  test("is started by the first call of one of its tools, and answers", async () => {
    await using world = serverWorld();
    const { record } = world;
    const kit = await world.open(
      { calc: serverEntry({ record, tools: [add], acts: { add: "echo" } }) },
      { rules: allow },
    );

    expect(world.records()).toEqual([]);
    const outcome = await kit.call({ name: "mcp__calc__add", input: { a: "1", b: 2 } });

    expect(outcome).toMatchObject({
      status: "ok",
      text: '{"a":1,"b":2}',
      title: "calc: add",
      trust: "untrusted",
      decision: { kind: "allow", rule: { rule: "mcp__calc" } },
    });
    expect(world.records()).toEqual([expect.stringMatching(/^start/u), "call add"]);
  });

  test("needs approval, with its name as the origin", async () => {
    await using world = serverWorld();
    const kit = await world.open({ calc: serverEntry({ tools: [add] }) });

    const outcome = await kit.call({ name: "mcp__calc__add", input: { a: 1, b: 2 } });

    expect(outcome).toMatchObject({
      status: "denied",
      error: { code: "APPROVAL_REQUIRED" },
      effects: [{ kind: "unknown", origin: "mcp__calc" }, { kind: "interact" }],
    });
  });

  test.each(["mcp__calc", "mcp__calc__*", "mcp__calc__add"])("is allowed by %s", async (rule) => {
    await using world = serverWorld();
    const servers = { calc: serverEntry({ tools: [add] }) };
    const kit = await world.open(servers, { rules: { allow: [rule] } });

    const { status } = await kit.call({ name: "mcp__calc__add", input: { a: 1, b: 2 } });

    expect(status).toBe("ok");
  });

  test("does not delay a session, and its tools join the list once they are known", async () => {
    await using world = serverWorld();
    const servers = { calc: serverEntry({ tools: [add] }) };
    const kit = await world.open(servers, { rules: allow });
    const names = async (): Promise<readonly unknown[]> =>
      (await kit.definitions("mcp", { all: true })).tools.map((tool) => tool["name"]);

    expect(await names()).not.toContain("mcp__calc__add");
    await expect.poll(names).toContain("mcp__calc__add");

    const later = await world.open(servers, { rules: allow });
    expect((await later.definitions("mcp", { all: true })).tools).toContainEqual(
      expect.objectContaining({ name: "mcp__calc__add", inputSchema: expect.anything() }),
    );
    expect(later.mcp.list()).toMatchObject([{ name: "calc", status: "stopped", tools: 1 }]);
  });
});

describe("a server whose tools are remembered", () => {
  test("codex#9266: is searched without being started, and only a call of its tool starts it", async () => {
    await using world = serverWorld();
    const { record } = world;
    const tools = Array.from({ length: 20 }, (_, at) => ({ ...add, name: `add${at}` }));
    const servers = {
      calc: serverEntry({ record, tools, acts: { add7: "echo" } }),
      other: serverEntry({ record, tools }),
    };
    const first = await world.open(servers);
    await Promise.all([first.mcp.check("calc"), first.mcp.check("other")]);
    await first.dispose();
    const starts = (): number => world.records().filter((line) => line.startsWith("start")).length;
    const kit = await world.open(servers, { rules: allow });

    await kit.definitions("anthropic");
    const search = { name: "ToolSearch", input: { query: "add numbers +calc" } };
    const { text } = await kit.call(search);
    const startedBefore = starts();
    const { status } = await kit.call({ name: "mcp__calc__add7", input: { a: 1, b: 2 } });

    expect(text).toMatch(/^Found 10 tool\(s\)[\s\S]*mcp__calc__add/u);
    expect(startedBefore).toBe(2);
    expect(status).toBe("ok");
    expect(starts()).toBe(3);
    expect(kit.mcp.list()).toMatchObject([
      { name: "calc", status: "running" },
      { name: "other", status: "stopped" },
    ]);
  });
});

describe("a workspace that is not trusted", () => {
  test("starts none of its servers, and lists them", async () => {
    await using world = serverWorld();
    const { record } = world;
    const entry = serverEntry({ record, tools: [add] });
    writeFileSync(
      path.join(world.workspace, ".mcp.json"),
      JSON.stringify({ mcpServers: { evil: entry } }),
    );
    const kit = await world.open({}, { settings: "load", trust: false });
    const trusted = await world.open(
      {},
      { settings: "load", trust: true, rules: { allow: ["mcp__evil"] } },
    );

    await kit.definitions("mcp");
    expect((await kit.call({ name: "mcp__evil__add", input: {} })).error?.code).toBe(
      "UNKNOWN_TOOL",
    );
    expect(kit.mcp.list()).toMatchObject([{ name: "evil", status: "needs-trust" }]);
    await expect(kit.mcp.tools("evil")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(kit.workspace.problems.map(({ message }) => message).join()).toContain(
      "MCP server evil",
    );
    expect(world.records()).toEqual([]);

    const { status } = await trusted.call({ name: "mcp__evil__add", input: { a: 1, b: 1 } });
    expect(status).toBe("ok");
  });
});
