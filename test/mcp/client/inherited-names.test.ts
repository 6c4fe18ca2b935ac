// Names that every object inherits are names of tools like any other.
import { expect, test } from "vitest";
import { leaveNothing } from "../../support/leftovers.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

test.each(["constructor", "toString", "valueOf", "__proto__"])(
  "a tool %s answers",
  async (name) => {
    await using world = serverWorld();
    const tools = [{ name, description: "A tool.", inputSchema: { type: "object" } }];
    const kit = await world.open(
      { s: serverEntry({ tools, acts: { [name]: "twice" } }) },
      { rules: { allow: ["mcp__s"] } },
    );

    const outcome = await kit.call({ name: `mcp__s__${name}`, input: {} });

    // Its effects are those of its server, and not those of a tool that fails to tell them.
    expect(outcome).toMatchObject({
      status: "ok",
      effects: [
        { kind: "unknown", because: "the MCP server s decides what it does", origin: "mcp__s" },
        { kind: "interact" },
      ],
    });
    expect(await kit.mcp.tools("s")).toMatchObject([{ name }]);
  },
);
