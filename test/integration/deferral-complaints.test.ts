import { describe, expect, test } from "vitest";
import { createToolkit, defineTool, memoryHost, type Kit, type Tool } from "../../src/index.ts";

function toolNamed(name: string, description: string): Tool {
  return defineTool({
    name,
    description,
    source: { id: "office", name: "office", kind: "mcp" },
    input: { type: "object", properties: { text: { type: "string" } } },
    touches: [],
    run: () => ({ content: `${name} ran` }),
  });
}

const office = (count: number): Tool[] =>
  Array.from({ length: count }, (_, index) =>
    toolNamed(`office_task_${index}`, `Handle case ${index} of the office and file its forms.`),
  );

async function kitWith(extra: readonly Tool[]): Promise<Kit> {
  return await createToolkit({ host: memoryHost(), tools: { extra, exclude: ["WebFetch"] } });
}

async function block(kit: Kit): Promise<string> {
  return JSON.stringify((await kit.definitions("anthropic", { sessionId: "s" })).tools);
}

async function search(kit: Kit, query: string): Promise<string> {
  return (await kit.call({ name: "ToolSearch", input: { query } }, { sessionId: "s" })).text;
}

describe("complaints about many tools", () => {
  test("claude-code#7336, opencode#8277: 500 tools of a server cost at most 4,000 tokens before the first search", async () => {
    await using kit = await kitWith(office(500));

    expect((await block(kit)).length / 4).toBeLessThanOrEqual(4000);
  });

  test("qwen-code#4777, claude-code#92033: only a search that finds something changes the tools of a request", async () => {
    const tools = office(40);
    await using kit = await kitWith(tools);
    await search(kit, "select:office_task_7");
    const before = await block(kit);

    const blocks = new Set<string>();
    for (let turn = 0; turn < 50; turn += 1) {
      await search(kit, turn % 2 === 0 ? "zzzz qqqq" : "select:office_task_7");
      await kit.call({ name: "office_task_7", input: { text: "x" } }, { sessionId: "s" });
      kit.registry.unregister("office_task_7");
      kit.registry.register(tools[7] ?? toolNamed("office_task_7", "x"));
      blocks.add(await block(kit));
    }

    expect([...blocks]).toEqual([before]);
  });

  test("claude-code#66084: a search that finds nothing says how many tools could be found", async () => {
    await using kit = await kitWith(office(40));

    expect(await search(kit, "zzzz")).toContain("other tools can be found");
  });
});

describe("odd queries over many tools", () => {
  const shared = Array.from({ length: 10_000 }, (_, index) =>
    toolNamed(`report_${index}`, `Report number ${index}.`),
  );

  test.each([
    [
      "of a stem that 10,000 tools share",
      "report reports reporting",
      /^Found 10 tool\(s\)[\s\S]*9990 more match/u,
    ],
    [
      "of one tool among 10,000 of its stem",
      "select:report_7777",
      /^Found 1 tool\(s\)[\s\S]*- report_7777/u,
    ],
    ["of 10 kB", `report 4242 ${"and then some more words ".repeat(400)}`, /^Found 10 tool\(s\)/u],
    ["of no word", " !?… ", /^Found no tool matching/u],
    ["in another script", "отчёт 報告 تقرير", /^Found no tool matching/u],
    ["of control characters", "\u0000\u0007\u001B", /^Found no tool matching/u],
  ])("a query %s is answered in a few lines", async (_, query, expected) => {
    await using kit = await kitWith(shared);

    const answer = await search(kit, query);

    expect(answer).toMatch(expected);
    expect(answer.length).toBeLessThan(3000);
    expect(answer).not.toContain("\u001B");
  });
});
