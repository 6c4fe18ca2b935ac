// Definitions of one server that two processes remember.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { leaveNothing } from "../../support/leftovers.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };
const changed = { ...tool, description: "Another tool." };
const call = { name: "mcp__s__t", input: {} };

test("a kit that did not know a server asks about what changed since another one saw it", async () => {
  await using world = serverWorld();
  const toolsFile = path.join(world.workspace, "tools.json");
  const settings = { s: serverEntry({ tools: [tool], toolsFile }) };
  const rules = { allow: ["mcp__s"] };
  // Both are open before either has listed the tools.
  const first = await world.open(settings, { rules });
  const second = await world.open(settings, { rules });
  await first.mcp.check("s");
  writeFileSync(toolsFile, JSON.stringify([changed]));

  await second.mcp.check("s");

  const [info] = await second.mcp.tools("s");
  expect(info?.change).toContain("Another tool.");
  expect((await second.call(call)).error?.code).toBe("APPROVAL_REQUIRED");
});
