// Servers that a program builds in, transports that it registers, and the servers of agents: all in this process.
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer as SdkServer } from "@modelcontextprotocol/server";
import { McpServer as OlderServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, test } from "vitest";
import {
  defineTool,
  type Kit,
  type McpProvider,
  type McpProviderContext,
} from "../../../src/index.ts";
import type { ScriptTurn } from "../../../src/agent/index.ts";
import { agentKit, lastResult, starts } from "../../support/agent-world.ts";

const echo = defineTool({
  name: "echo",
  description: "Repeats a text.",
  input: { type: "object", properties: { text: { type: "string" } } },
  touches: [],
  effects: () => [],
  run: ({ text }) => ({ content: `echo ${String(text)}` }),
});

const allow = { rules: { allow: ["mcp__notes", "mcp__wire", "mcp__other"] } };

function sdkServer(name = "hello"): SdkServer {
  const server = new SdkServer({ name: "built-in", version: "1.0.0" });
  server.registerTool(name, { description: "Greets." }, () => ({
    content: [{ type: "text", text: "hello" }],
  }));
  return server;
}

function provider(given: Partial<McpProvider> = {}): McpProvider {
  return { id: "notes", isEligible: () => true, server: { tools: [echo] }, ...given };
}

function calls(name: string, input: object = {}): ScriptTurn {
  return { calls: [{ name, input }] };
}

/** A workspace with this agent. */
const files = (fields: string) => ({
  files: { ".haft/agents/reader.md": `---\ndescription: d\n${fields}\n---\nRead.` },
});

/** An agent that calls a tool. */
const table = (name: string) => ({
  go: [starts("look", { subagent_type: "reader" }), { text: "done" }],
  look: [calls(name), { text: "looked" }],
});

/** A transport that leads to a server of this process. */
function wireTo(opened: unknown[] = []) {
  return async (entry: unknown) => {
    opened.push(entry);
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await sdkServer().connect(serverEnd);
    return clientEnd;
  };
}

async function answer(kit: Kit, name: string, input: object = {}): Promise<string> {
  const outcome = await kit.call({ name, input: { ...input } });
  return outcome.error === undefined
    ? outcome.text
    : `${outcome.error.code}: ${outcome.error.message}`;
}

describe("a provider", () => {
  test("offers tools of the program as tools of a server, with their own effects", async () => {
    const { kit } = await agentKit({});

    await kit.registerMcpProvider(provider());

    expect(await answer(kit, "mcp__notes__echo", { text: "a" })).toContain("echo a");
    expect(kit.registry.resolve("mcp__notes__echo")?.traits.source).toEqual({
      id: "notes",
      name: "notes",
      kind: "mcp",
    });
  });

  test.each([
    ["of the newer SDK", () => sdkServer()],
    [
      "of the older SDK",
      () => {
        const server = new OlderServer({ name: "built-in", version: "1.0.0" });
        server.registerTool("hello", { description: "Greets." }, () => ({
          content: [{ type: "text", text: "hello" }],
        }));
        return server;
      },
    ],
  ])("is a server %s, whose calls need a rule", async (_name, server) => {
    const { kit } = await agentKit({}, allow);
    const { kit: strict } = await agentKit({});

    await kit.registerMcpProvider(provider({ server: server() }));
    await strict.registerMcpProvider(provider({ server: server() }));

    expect(await answer(kit, "mcp__notes__hello")).toContain("hello");
    expect(await answer(strict, "mcp__notes__hello")).toContain("APPROVAL_REQUIRED");
  });

  test("is made by a function, which is called for each connection", async () => {
    let made = 0;
    const { kit } = await agentKit({}, allow);

    await kit.registerMcpProvider(
      provider({
        server: () => {
          made += 1;
          return sdkServer();
        },
      }),
    );

    expect(await answer(kit, "mcp__notes__hello")).toContain("hello");
    expect(made).toBe(1);
  });

  test("is evaluated for the toolkit, again when the mode changes, and for each agent", async () => {
    const seen: McpProviderContext[] = [];
    const { kit, model } = await agentKit(
      {
        go: [starts("look", { subagent_type: "reader" }), { text: "done" }],
        look: [calls("mcp__notes__echo", { text: "x" }), { text: "looked" }],
      },
      { settings: "load", trust: true },
      { files: { ".haft/agents/reader.md": "---\ndescription: d\n---\nRead." } },
    );
    await kit.registerMcpProvider(
      provider({
        isEligible(context) {
          seen.push(context);
          return context.agentName === "reader" || context.mode === "plan";
        },
      }),
    );

    expect(kit.registry.resolve("mcp__notes__echo")).toBeUndefined();
    kit.setMode("plan");
    expect(kit.registry.resolve("mcp__notes__echo")).toBeDefined();
    kit.setMode("default");
    expect(kit.registry.resolve("mcp__notes__echo")).toBeUndefined();
    await kit.run({ task: "go" }).result;

    const [first] = seen;
    expect(first).toEqual({ workspace: kit.workspace.path, mode: "default" });
    expect(seen.at(-1)).toEqual({
      workspace: kit.workspace.path,
      mode: "default",
      sessionId: expect.any(String),
      agentId: expect.any(String),
      agentName: "reader",
    });
    expect(model.requests.map(lastResult).join("\n")).toContain("echo x");
  });

  test("that an agent may not use is taken from it", async () => {
    const { kit, model } = await agentKit({
      go: [starts("look"), { text: "done" }],
      look: [calls("mcp__notes__echo", { text: "x" }), { text: "looked" }],
    });
    await kit.registerMcpProvider(
      provider({ isEligible: ({ agentName }) => agentName === undefined }),
    );

    await kit.run({ task: "go" }).result;

    expect(kit.registry.resolve("mcp__notes__echo")).toBeDefined();
    const child = model.requests.filter(({ messages }) =>
      JSON.stringify(messages).includes("look"),
    );
    expect(child.flatMap(({ tools }) => tools.map(({ name }) => name))).not.toContain(
      "mcp__notes__echo__",
    );
    expect(model.requests.map(lastResult).join("\n")).toContain("mcp__notes__echo");
    expect(model.requests.map(lastResult).join("\n")).not.toContain("echo x");
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["answers with a promise", () => Promise.resolve(true)],
    ["answers with a text", () => "yes"],
  ])("whose isEligible %s is not used", async (_name, isEligible) => {
    const { kit } = await agentKit({});
    const given = provider();
    Object.assign(given, { isEligible });

    await kit.registerMcpProvider(given);

    expect(kit.registry.resolve("mcp__notes__echo")).toBeUndefined();
  });

  test("with the name of another server is refused, as is one without a name or a server", async () => {
    const { kit } = await agentKit(
      {},
      { settings: { mcpServers: { notes: { command: "never" } } } },
    );
    const nothing = provider({ id: "other" });
    Object.assign(nothing, { server: {} });

    await expect(kit.registerMcpProvider(provider())).rejects.toThrow('called "notes" already');
    await expect(kit.registerMcpProvider(provider({ id: " " }))).rejects.toThrow(TypeError);
    await expect(kit.registerMcpProvider(nothing)).rejects.toThrow("must be { tools }");
    await expect(kit.derive().registerMcpProvider(provider({ id: "x" }))).rejects.toThrow(
      "that createToolkit returned",
    );
  });
});

describe("a registered transport", () => {
  const settings = { mcpServers: { wire: { type: "carrier", channel: "${CHANNEL:-one}" } } };

  test("reaches servers of its type, with the entry of the settings", async () => {
    const opened: unknown[] = [];
    const { kit } = await agentKit({}, { ...allow, settings });

    expect(kit.mcp.list()).toMatchObject([
      { status: "invalid", reason: 'No transport is registered for the type "carrier".' },
    ]);
    await kit.registerMcpTransport("carrier", wireTo(opened));

    expect(await answer(kit, "mcp__wire__hello")).toContain("hello");
    expect(opened).toEqual([{ type: "carrier", channel: "one" }]);
  });

  test("ends with a server that sends too much, and the call says so", async () => {
    const { kit } = await agentKit({}, { ...allow, settings });
    await kit.registerMcpTransport("carrier", async () => {
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      const server = sdkServer();
      server.registerTool("flood", {}, () => ({
        content: [{ type: "text", text: "x".repeat(9 * 1024 * 1024) }],
      }));
      await server.connect(serverEnd);
      return clientEnd;
    });

    expect(await answer(kit, "mcp__wire__flood")).toBe(
      "UNAVAILABLE: The MCP server wire sent a message of more than 8 MB during the call.",
    );
  });

  test("whose end is known before it is closed is not used for the next call", async () => {
    const { kit } = await agentKit({}, { ...allow, settings });
    const servers: InMemoryTransport[] = [];
    await kit.registerMcpTransport("carrier", async () => {
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      await sdkServer().connect(serverEnd);
      servers.push(serverEnd);
      // It never reports that it is closed.
      return Object.assign(clientEnd, { close: async () => await new Promise<void>(() => {}) });
    });
    await answer(kit, "mcp__wire__hello");

    const data = "x".repeat(9 * 1024 * 1024);
    const params = { level: "info", data } as const;
    await servers[0]?.send({ jsonrpc: "2.0", method: "notifications/message", params });

    expect(await answer(kit, "mcp__wire__hello")).toContain("hello");
    expect(servers).toHaveLength(2);
  });

  test("cannot replace the built-in ones", async () => {
    const { kit } = await agentKit({});

    await expect(kit.registerMcpTransport("http", wireTo())).rejects.toThrow("a new name");
  });
});

describe("servers of an agent", () => {
  test.each(["mcpServers", "directMcpServers"])(
    "in %s are those of this agent alone, and its first request shows their tools",
    async (key) => {
      const opened: unknown[] = [];
      const { kit, model } = await agentKit(
        table("mcp__wire__hello"),
        { ...allow, settings: "load", trust: true },
        files(`${key}:\n  wire:\n    type: carrier`),
      );
      await kit.registerMcpTransport("carrier", wireTo(opened));

      await kit.run({ task: "go" }).result;

      expect(opened).toHaveLength(1);
      expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain("mcp__wire__hello");
      expect(model.requests[1]?.tools.map(({ name }) => name)).toContain("mcp__wire__hello");
      expect(model.requests.map(lastResult).join("\n")).toContain("hello");
      expect(kit.registry.resolve("mcp__wire__hello")).toBeUndefined();
    },
  );

  test("in a workspace that is not trusted never start", async () => {
    const opened: unknown[] = [];
    const { kit } = await agentKit(
      table("mcp__wire__hello"),
      { ...allow, settings: "load", trust: false },
      files("mcpServers:\n  wire:\n    type: carrier"),
    );
    await kit.registerMcpTransport("carrier", wireTo(opened));

    await kit.run({ task: "go" }).result;

    expect(opened).toEqual([]);
    expect((await kit.agents.definitions()).unused).toMatchObject([{ reason: "trust" }]);
  });

  test("cannot take the name of a server of the settings, whose rules would allow their calls", async () => {
    const opened: unknown[] = [];
    const { kit, model } = await agentKit(
      table("mcp__wire__hello"),
      { ...allow, settings: "load", trust: true },
      {
        files: {
          ...files("mcpServers:\n  wire:\n    type: carrier\n    channel: two").files,
          ".mcp.json": JSON.stringify({ mcpServers: { wire: { type: "carrier" } } }),
        },
      },
    );
    await kit.registerMcpTransport("carrier", wireTo(opened));

    await kit.run({ task: "go" }).result;

    expect(model.requests.map(lastResult).join("\n")).toContain(
      "defines an MCP server with the name of another one: wire",
    );
    expect(opened).not.toContainEqual({ type: "carrier", channel: "two" });
  });

  test("that the settings do not have are named when the agent starts", async () => {
    const { kit, model } = await agentKit(
      table("mcp__wire__hello"),
      { ...allow, settings: "load", trust: true },
      files("mcpServers: [wire]"),
    );

    await kit.run({ task: "go" }).result;

    expect(model.requests.map(lastResult).join("\n")).toContain(
      "The agent reader needs the MCP server wire. There is none of this name.",
    );
  });

  test("are limited by mcpServerIds", async () => {
    const { kit, model } = await agentKit(
      table("mcp__other__hello"),
      { ...allow, settings: "load", trust: true },
      {
        files: {
          ...files("mcpServerIds: [wire]").files,
          ".mcp.json": JSON.stringify({
            mcpServers: { wire: { type: "carrier" }, other: { type: "carrier" } },
          }),
        },
      },
    );
    await kit.registerMcpTransport("carrier", wireTo());
    await Promise.all(["wire", "other"].map(async (name) => await kit.mcp.check(name)));

    await kit.run({ task: "go" }).result;

    expect(kit.registry.resolve("mcp__other__hello")).toBeDefined();
    expect(model.requests.map(lastResult).join("\n")).toContain("UNKNOWN_TOOL");
  });
});
