// Complaints about many tools in runs of a model: what its requests hold before and after it searches.
import { describe, expect, test } from "vitest";
import { createToolkit, defineTool, memoryHost, type Kit, type Tool } from "../../src/index.ts";
import type { ScriptTurn } from "../../src/agent/index.ts";
import { agentKit, scenes, starts } from "../support/agent-world.ts";

/** A tool with a schema of the size that is usual for servers: about 500 tokens. */
function serverTool(server: string, index: number): Tool {
  const text = `Text ${index} that the service ${server} stores with the record and shows to its readers.`;
  return defineTool({
    name: `mcp__${server}__update_record_${index}`,
    description: `Update record ${index} of ${server}. ${text} ${text}`,
    source: { id: server, name: server, kind: "mcp" },
    input: {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [
          `field_${at}`,
          { type: "string", description: text },
        ]),
      ),
    },
    touches: [],
    run: () => ({ content: `record ${index} of ${server} was updated` }),
  });
}

const serverTools = (server: string, count: number): Tool[] =>
  Array.from({ length: count }, (_, index) => serverTool(server, index));

const sevenServers = ["crm", "wiki", "mail", "chat", "files", "maps", "bills"].flatMap((server) =>
  serverTools(server, 25),
);

const tokensOf = (tools: unknown): number => JSON.stringify(tools).length / 4;

const search = (name: string): ScriptTurn => ({
  calls: [{ name: "ToolSearch", input: { query: `select:${name}` } }],
});
const call = (name: string): ScriptTurn => ({ calls: [{ name, input: {} }] });

describe("complaints about many tools in a run", () => {
  test("opencode#9350: seven servers of more than 67,000 tokens cost a request at most 15 % of them", async () => {
    await using kit = await createToolkit({
      host: memoryHost(),
      tools: { extra: sevenServers, exclude: ["WebFetch"] },
    });
    const { tools: all } = await kit.definitions("anthropic", { all: true });
    const model = scenes({
      go: [
        search("mcp__bills__update_record_7"),
        call("mcp__bills__update_record_7"),
        { text: "Done." },
      ],
    });

    const { messages, tokensSaved } = await kit.run({ task: "go", model }).result;

    const requested = model.requests.map(({ tools }) => tokensOf(tools));
    expect(tokensOf(all)).toBeGreaterThan(67_000);
    expect(Math.max(...requested)).toBeLessThan(tokensOf(all) * 0.15);
    expect(tokensSaved).toBeGreaterThan(3 * 0.85 * 67_000);
    expect(JSON.stringify(messages)).toContain("record 7 of bills was updated");
  });

  test("opencode#8625: tools are deferred once their definitions take more than 10 % of the context", async () => {
    await using kit = await createToolkit({
      host: memoryHost(),
      tools: { extra: serverTools("crm", 5), exclude: ["WebFetch"] },
      settings: {
        models: {
          default: "own",
          aliases: { own: "script:plan.json" },
          catalog: { "script:plan.json": { contextTokens: 200_000 } },
        },
        toolSearch: { threshold: "auto:10%" },
      },
    });
    const before = kit.deferral.active();

    kit.registry.registerAll(serverTools("wiki", 40));

    expect(before).toContain("mcp__crm__update_record_1");
    expect(before).not.toContain("ToolSearch");
    expect(kit.deferral.active()).not.toContain("mcp__crm__update_record_1");
    expect(kit.deferral.active()).toContain("ToolSearch");
    expect((await kit.deferral.search("update record 33 in wiki")).found[0]?.name).toBe(
      "mcp__wiki__update_record_33",
    );
  });

  test("kilocode#9602: an agent begins with the core tools too, and finds its own", async () => {
    const { kit, model } = await agentKit(
      {
        go: [search("mcp__crm__update_record_1"), starts("help"), { text: "Done." }],
        help: [
          search("mcp__maps__update_record_2"),
          call("mcp__maps__update_record_2"),
          { text: "Done." },
        ],
      },
      { tools: { extra: sevenServers, exclude: ["WebFetch"] } },
    );

    await kit.run({ task: "go" }).result;

    const names = model.requests.map(({ tools }) =>
      tools.map(({ name }) => name).filter((name) => name.startsWith("mcp__")),
    );
    const [ofParent, ofAgent] = [["mcp__crm__update_record_1"], ["mcp__maps__update_record_2"]];
    expect(names).toEqual([[], ofParent, [], ofAgent, ofAgent, ofParent]);
    expect(JSON.stringify(model.requests)).toContain("record 2 of maps was updated");
  });

  test("qwen-code#6338: what a search finds is added at the end of a request, and nothing before it changes", async () => {
    await using kit = await createToolkit({
      host: memoryHost(),
      tools: { extra: sevenServers, exclude: ["WebFetch"] },
    });
    const turns = Array.from({ length: 10 }, (_, index) => [
      search(`mcp__wiki__update_record_${index}`),
      {
        calls: [
          {
            name: "tool_call",
            input: { name: `mcp__wiki__update_record_${index}`, arguments: {} },
          },
        ],
      },
    ]).flat();
    const model = { ...scenes({ go: [...turns, { text: "Done." }] }), cachesPrompts: true };

    await kit.run({ task: "go", model }).result;

    const texts = model.requests.map(({ system, tools, messages }) =>
      JSON.stringify([system, tools, ...messages]).slice(0, -1),
    );
    expect(texts).toHaveLength(21);
    expect(texts.filter((text, at) => !text.startsWith(texts[at - 1] ?? ""))).toEqual([]);
    expect(texts.at(-1)).toContain("record 9 of wiki was updated");
  });
});

async function blockOf(kit: Kit): Promise<string> {
  return JSON.stringify((await kit.definitions("anthropic")).tools);
}

describe("complaints about the order of tools", () => {
  const servers = ["crm", "wiki", "mail"];

  test.for([{ threshold: false }, { threshold: 15 }] as const)(
    "oh-my-pi#890: servers that reconnect in any order leave the tools the same, with threshold $threshold",
    async (deferral) => {
      await using kit = await createToolkit({ host: memoryHost(), deferral });
      const open = (server: string, isReversed: boolean) => {
        const scope = kit.registry.scope(server);
        const tools = serverTools(server, 10);
        scope.registerAll(isReversed ? tools.toReversed() : tools);
        return scope;
      };
      const scopes = new Map(servers.map((server) => [server, open(server, false)]));
      const before = await blockOf(kit);

      const blocks = new Set<string>();
      for (let turn = 0; turn < 100; turn += 1) {
        const server = servers[turn % servers.length] ?? "";
        scopes.get(server)?.dispose();
        scopes.set(server, open(server, turn % 2 === 0));
        blocks.add(await blockOf(kit));
      }

      expect([...blocks]).toEqual([before]);
      expect(before.includes("mcp__crm__update_record_1")).toBe(deferral.threshold === false);
    },
  );
});
