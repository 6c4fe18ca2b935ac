// Settings that choose among the servers of `.mcp.json`, in the meaning that other programs give them.
import { expect, test, vi } from "vitest";
import { hookWorld } from "../../hooks/hook-world.ts";

const server = { command: "true" };
const files = (settings: Readonly<Record<string, object>>) => ({
  ".mcp.json": JSON.stringify({ mcpServers: { a: server, b: server, c: server } }),
  ...Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]),
  ),
});
const local = ".claude/settings.local.json";
const shared = ".claude/settings.json";

test.each([
  ["all where nothing is chosen", {}, ["a", "b", "c"]],
  ["not those that are disabled", { [local]: { disabledMcpjsonServers: ["b"] } }, ["a", "c"]],
  ["only those that are enabled", { [local]: { enabledMcpjsonServers: ["b"] } }, ["b"]],
  [
    "those that any file enables",
    { [local]: { enabledMcpjsonServers: ["b"] }, [shared]: { enabledMcpjsonServers: ["a"] } },
    ["a", "b"],
  ],
  [
    "all that are not disabled, where all are enabled",
    {
      [local]: { enableAllProjectMcpServers: true, disabledMcpjsonServers: ["c"] },
      [shared]: { enabledMcpjsonServers: ["a"] },
    },
    ["a", "b"],
  ],
  ["none where all are disabled", { [local]: { disabledMcpjsonServers: ["*"] } }, []],
  ["none where not all are enabled", { [local]: { enableAllProjectMcpServers: false } }, []],
])("the servers of .mcp.json that are used are %s", async (_which, settings, used) => {
  await using world = await hookWorld({}, files(settings));
  await using kit = await world.open();

  const listed = kit.mcp.list();

  const usable = listed.filter(({ status }) => status !== "excluded").map(({ name }) => name);
  expect(usable).toEqual(used);
  expect(listed).toHaveLength(3);
  expect(kit.workspace.problems).toEqual([]);
});

test.each([
  ["a list with a number", ["a", 5]],
  ["a text", "a"],
  ["an object", { a: true }],
])("%s for servers that are not started starts none", async (_what, disabledMcpjsonServers) => {
  await using world = await hookWorld({}, files({ [local]: { disabledMcpjsonServers } }));
  await using kit = await world.open();

  expect(kit.mcp.list().map(({ status }) => status)).toEqual(["excluded", "excluded", "excluded"]);
  expect(kit.workspace.problems).toMatchObject([{ hint: "No server of .mcp.json is started." }]);
});

test("an untrusted workspace enables none of its servers", async () => {
  await using world = await hookWorld({}, files({ [local]: { enableAllProjectMcpServers: true } }));
  await using kit = await world.open({ trust: false });

  expect(kit.mcp.list().map(({ status }) => status)).toEqual(
    Array.from({ length: 3 }, () => "needs-trust"),
  );
});

test("a server that is excluded names the setting", async () => {
  await using world = await hookWorld({}, files({ [local]: { disabledMcpjsonServers: ["b"] } }));
  await using kit = await world.open();

  expect(kit.mcp.list().find(({ name }) => name === "b")).toMatchObject({
    reason: "The setting disabledMcpjsonServers names it.",
  });
});

test("a server of the project that is excluded hides no server of the user with its name", async () => {
  await using world = await hookWorld(
    {},
    files({ "../home/.claude/settings.json": { mcpServers: { a: { command: "mine" } } } }),
  );
  vi.stubEnv("HOME", world.at("../home"));
  await world.write(local, JSON.stringify({ disabledMcpjsonServers: ["a"] }));
  await using kit = await world.open();

  expect(kit.mcp.list().map(({ name, scope, status }) => [name, scope, status])).toEqual([
    ["a", "user", "stopped"],
    ["b", "project", "stopped"],
    ["c", "project", "stopped"],
  ]);
});
