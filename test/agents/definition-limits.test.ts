import { expect, test } from "vitest";
import { agentKit, starts, type Scenes } from "../support/agent-world.ts";

/** A kit whose user has this definition of an agent; it works in a mode that asks nothing. */
async function withDefinition(fields: string, table: Scenes) {
  const definition = `---\nname: x\n${fields}\n---\nDo it.\n`;
  return await agentKit(
    table,
    { settings: "load", mode: "bypassPermissions" },
    { files: { "private.txt": "alpha", "/home/user/.haft/agents/x.md": definition } },
  );
}

test("a call cannot widen what the definition of its agent allows", async () => {
  const reads = { name: "Read", input: { file_path: "private.txt" } };
  const { kit, model } = await withDefinition("tools: Read(docs/**)", {
    go: [starts("work", { agent: "x", tools: ["Read(private.txt)"] }), { text: "end" }],
    work: [{ calls: [reads] }, { text: "tried" }],
  });

  await kit.run({ task: "go" }).result;
  const said = JSON.stringify(model.requests[2]?.messages);

  expect(said).toContain("PERMISSION_DENIED");
  expect(said).not.toContain("alpha");
});

test("a definition that forbids part of a tool is not used without that limit", async () => {
  const { kit } = await withDefinition("disallowedTools: Write(src/**)", {});

  const { agents, unused } = await kit.agents.definitions();

  expect(agents.map(({ name }) => name)).not.toContain("x");
  expect(unused).toMatchObject([
    {
      name: "x",
      message: expect.stringContaining("disallowedTools names whole tools, not Write(src/**)."),
    },
  ]);
});
