// Servers of a trusted workspace: the files that they run are covered like their definition.
import { describe, expect, test } from "vitest";
import { hookWorld } from "../../hooks/hook-world.ts";
import { localHost } from "../../../src/host/index.ts";
import { verifyServer } from "../../../src/workspace/index.ts";
import { recordTrust } from "../../../src/workspace/trust/change-trust.ts";
import { leaveNothing } from "../../support/leftovers.ts";

leaveNothing();

const server = { command: "sh", args: ["tools/server.sh"] };
const agent = `---\nname: helper\ndescription: Works.\nmcpServers:\n  - s: ${JSON.stringify(server)}\n---\nWork.\n`;

describe.each([
  [".mcp.json", JSON.stringify({ mcpServers: { s: server } })],
  [".haft/settings.json", JSON.stringify({ mcpServers: { s: server } })],
])("a server of %s", (file, text) => {
  test("starts with the script that was trusted, and with no other one", async () => {
    await using world = await hookWorld(
      {},
      { [file]: text, "tools/server.sh": "touch started\n", "a.txt": "x" },
    );
    await world.trust();
    await using kit = await world.openRecorded({ sandbox: { require: "off" } });
    await kit.mcp.check("s");
    expect(await world.read("started")).toBe("");

    await world.write("tools/server.sh", "touch replaced\n");
    const { server: info } = await kit.mcp.check("s");

    expect(info.reason).toMatch(/tools\/server\.sh changed after the workspace was trusted/u);
    expect(await world.read("replaced")).toBeUndefined();
    await using later = await world.openRecorded();
    expect(later.mcp.list()).toMatchObject([{ name: "s", status: "needs-trust" }]);
    expect((await later.call({ name: "mcp__s__t", input: {} })).error).toMatchObject({
      code: "UNKNOWN_TOOL",
      message:
        'There is no tool named "mcp__s__t". The MCP server s is not used. The workspace that defines it is not trusted.',
      hint: "If it is yours, haft trust add lets it start.",
    });
  });
});

test("a server of an agent is checked against the files that it runs", async () => {
  await using world = await hookWorld(
    {},
    { ".haft/agents/helper.md": agent, "tools/server.sh": "touch started\n" },
  );
  await world.trust();
  await using host = await localHost();
  const { workspace, dataDirectory } = world;
  const file = world.at(".haft/agents/helper.md");
  const verify = async (): Promise<void> =>
    await verifyServer(
      { entry: server, file, what: "The MCP server s" },
      { host, workspace, dataDirectory },
    );
  await verify();

  await world.write("tools/server.sh", "touch replaced\n");

  await expect(verify()).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
    message: expect.stringContaining("tools/server.sh changed"),
  });

  await recordTrust({ host, workspace, dataDirectory }, undefined);

  await expect(verify()).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
    message: "The MCP server s was not started: the workspace is not trusted any more.",
  });
});

test("a language server starts only with the script that was trusted", async () => {
  const servers = { fake: { command: ["sh", "tools/server.sh"], files: ["*.txt"] } };
  await using world = await hookWorld(
    {},
    {
      ".haft/settings.json": JSON.stringify({ diagnostics: { servers } }),
      "tools/server.sh": "exit 3\n",
      "a.txt": "x",
    },
  );
  await world.trust();
  const ask = { name: "LSP", input: { operation: "diagnostics", file_path: "a.txt" } };
  await using kit = await world.openRecorded({ sandbox: { require: "off" } });
  expect((await kit.call(ask)).text).not.toContain("changed after");
  await world.write("tools/server.sh", "touch replaced\n");
  await using other = await world.openRecorded({ sandbox: { require: "off" }, trust: true });

  expect((await kit.call(ask)).text).toContain("tools/server.sh changed after the workspace");
  expect(await world.read("replaced")).toBeUndefined();
  expect((await other.call(ask)).text).not.toContain("changed after");
});
