import { readFile, realpath, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { haft, settingsWorld, treeHash, type CliWorld } from "../../../test/support/cli.ts";

const brought = {
  ".haft/settings.json": JSON.stringify({
    permissions: { allow: ["Edit(a.txt)"], defaultMode: "acceptEdits" },
  }),
  ".claude/agents/a.md": "x",
};
const write = ["call", "Write", "file_path=a.txt", "content=x"];

/** Replaces the path of the workspace in printed text. */
function said(text: string, world: CliWorld): string {
  return text.replaceAll(world.workspace, "WORKSPACE");
}

test("who is asked reads what the workspace brings and what trust permits, and yes lets it", async () => {
  await using world = await settingsWorld(brought);
  const before = await treeHash(world.workspace);

  const refused = await haft(write, { world });
  const { code, out, err, terminal } = await haft(["trust", "add"], { world, answers: ["y"] });
  const unchanged = await treeHash(world.workspace);
  const allowed = await haft(write, { world });

  expect(refused.code).toBe(4);
  expect(code).toBe(0);
  expect(terminal.questions).toEqual(["Trust this workspace? [y/N] "]);
  expect(said(err, world)).toMatchInlineSnapshot(`
    "WORKSPACE is not trusted: its own settings may only forbid things.
    It contains:
      .haft/settings.json
      .claude/agents/a.md
    If you trust it, its settings ask for:
      .haft/settings.json: 1 allow rule
      .haft/settings.json: mode acceptEdits
      allow  Edit(a.txt)
    In a trusted workspace, its own files may run hooks, checkers, language servers and tools, start agents and MCP
    servers, set environment variables, allow calls without a question, name directories that count as inside, choose
    models and the mode, and loosen limits and the sandbox.
    Trust applies to these files as they are now; when one changes, trust ends.
    "
  `);
  expect(said(out, world)).toBe("WORKSPACE is trusted: its own settings may allow things.\n");
  expect(unchanged).toBe(before);
  expect(allowed).toMatchObject({ code: 0, err: "" });
});

test("show names the hooks of the workspace with their commands", async () => {
  const hooks = [{ matcher: "Read", hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }];
  await using world = await settingsWorld({
    ".haft/settings.json": JSON.stringify({ hooks: { PreToolUse: hooks } }),
  });

  const { out } = await haft(["trust"], { world });

  expect(out).toContain(
    "Its hooks, which run only while it is trusted:\n  PreToolUse(Read): echo no >&2; exit 2\n",
  );
});

test("show names the commands of hooks that a skill brings", async () => {
  await using world = await settingsWorld({
    ".haft/skills/own/SKILL.md":
      "---\nname: own\ndescription: d\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: sh tools/check.sh\n---\nDo.\n",
  });

  const { out } = await haft(["trust"], { world });

  expect(out).toContain("Programs that it starts, only while it is trusted:");
  expect(out).toContain("  hook PreToolUse: sh tools/check.sh\n");
  expect(out).not.toContain("ask for nothing");
});

test("show names the programs that it starts, and what trust cannot cover", async () => {
  const checkers = [{ name: "check", command: ["make", "check"], files: ["*"] }];
  await using world = await settingsWorld({
    ".mcp.json": JSON.stringify({ mcpServers: { s: { command: "node", args: ["tools/s.mjs"] } } }),
    ".haft/settings.json": JSON.stringify({ diagnostics: { checkers } }),
    "tools/s.mjs": "",
  });

  const { out } = await haft(["trust"], { world });

  expect(said(out, world)).toMatchInlineSnapshot(`
    "WORKSPACE is not trusted: its own settings may only forbid things.
    It contains:
      .haft/settings.json
      .mcp.json
      tools/s.mjs
    If you trust it, its settings ask for:
      .haft/settings.json: diagnostics.checkers
    Programs that it starts, only while it is trusted:
      checker: make check
      MCP server s: node tools/s.mjs
    Trust covers the files that its commands name, but not what these parts of them run:
      checker: make
    If this is yours, haft trust add trusts it as it is now.
    "
  `);
});

test("the name of a program cannot be taken for its command", async () => {
  const servers = { "s: node": { command: "sh", args: ["x.sh"] } };
  await using world = await settingsWorld({
    ".mcp.json": JSON.stringify({ mcpServers: servers }),
  });

  const { out } = await haft(["trust"], { world });

  expect(out).toContain('  "MCP server s: node": sh x.sh\n');
});

test.each([[["n"]], [[""]], [["what"]], [[]]])("the answer %j records nothing", async (answers) => {
  await using world = await settingsWorld(brought);

  const { code, err } = await haft(["trust", "add"], { world, answers });

  expect(code).toBe(1);
  expect(err).toContain("Nothing was recorded.");
  expect((await haft(write, { world })).code).toBe(4);
});

test("where nobody can be asked only --yes trusts", async () => {
  await using world = await settingsWorld(brought);

  const unasked = await haft(["trust", "add"], { world });
  const still = await haft(["trust"], { world });
  const yes = await haft(["trust", "add", "--yes"], { world });

  expect(unasked).toMatchObject({ code: 4, out: "" });
  expect(unasked.err).toContain("Add --yes");
  expect(still.out).toContain("is not trusted");
  expect(yes.code).toBe(0);
  expect((await haft(write, { world })).code).toBe(0);
});

test("removing trust revokes it, and only once", async () => {
  await using world = await settingsWorld(brought);
  await haft(["trust", "add", "--yes"], { world });

  const removed = await haft(["trust", "remove"], { world });
  const again = await haft(["trust", "remove"], { world });

  expect(removed).toMatchObject({ code: 0, err: "" });
  expect(said(removed.out, world)).toBe("WORKSPACE is not trusted any more.\n");
  expect(again.code).toBe(1);
  expect(said(again.err, world)).toBe("haft: WORKSPACE was not trusted.\n");
  expect((await haft(write, { world })).code).toBe(4);
});

test("what changed since is named, by doctor too, and ends it", async () => {
  await using world = await settingsWorld(brought);
  await haft(["trust", "add", "--yes"], { world });
  await writeFile(path.join(world.workspace, ".mcp.json"), "{}");

  const shown = await haft(["trust", "show"], { world });
  const doctor = await haft(["doctor", "--confine", "off"], { world });
  const call = await haft(write, { world });

  expect(said(shown.out, world)).toMatchInlineSnapshot(`
    "WORKSPACE was trusted but has changed since: .mcp.json. Its own settings may only forbid things.
    It contains:
      .haft/settings.json
      .claude/agents/a.md
      .mcp.json
    If you trust it, its settings ask for:
      .haft/settings.json: 1 allow rule
      .haft/settings.json: mode acceptEdits
      allow  Edit(a.txt)
    If this is yours, haft trust add trusts it as it is now.
    "
  `);
  expect(doctor.out).toContain(
    "! trust: the workspace's own settings may only forbid things: the workspace was trusted, and has changed since: .mcp.json\n",
  );
  expect(call.code).toBe(4);
  await haft(["trust", "add", "--yes"], { world });
  expect((await haft(write, { world })).code).toBe(0);
});

test("it is the folder's real path that is trusted, by whatever name it is reached", async () => {
  await using world = await settingsWorld(brought);
  const name = path.join(world.folder, "name");
  await symlink(world.workspace, name);
  const [, , ...places] = world.places;
  const through = { ...world, places };

  await haft(["trust", "add", name, "--yes"], { world: through });
  const trusted = await haft(["trust", "--json"], { world });
  const moved = path.join(world.folder, "moved");
  await rename(world.workspace, moved);
  const elsewhere = await haft(["trust", "show", moved, "--json"], { world: through });

  expect(JSON.parse(trusted.out)).toMatchObject({
    workspace: await realpath(moved).then(() => world.workspace),
    trusted: true,
    changed: [],
    brings: [".haft/settings.json", ".claude/agents/a.md"],
    allows: ["Edit(a.txt)"],
  });
  expect(JSON.parse(elsewhere.out)).toMatchObject({ workspace: moved, trusted: false });
});

test("a file that changes while the user reads it is not trusted", async () => {
  await using world = await settingsWorld(brought);
  const file = path.join(world.workspace, ".haft/settings.json");
  const text = await readFile(file, "utf8");

  const { code } = await haft(["trust", "add"], {
    world,
    answers: ["y"],
    onQuestion: async () => await writeFile(file, text.replace("Edit(a.txt)", "Edit")),
  });

  expect(code).toBe(1);
  expect((await haft(write, { world })).code).toBe(4);
});

test("names that would paint over the question are made visible", async () => {
  await using world = await settingsWorld({ ".haft/skills/a\u202Eb\n/x": "x" });

  const { err } = await haft(["trust", "add"], { world, answers: ["n"] });

  expect(err).not.toContain("\u202E");
  expect(err).toContain("\\u{202e}");
});

test("a workspace that brings nothing may be trusted until it brings something", async () => {
  await using world = await settingsWorld();

  const { code, err } = await haft(["trust", "add", "--yes"], { world });

  expect(code).toBe(0);
  expect(err).toContain("It contains nothing that needs trust.");
});

test.each([
  { words: ["trust", "ad"], says: "Did you mean" },
  { words: ["trust", "add", "a", "b"], says: "Unexpected argument" },
  { words: ["trust", "show", "."], says: "two directories" },
  { words: ["trust", "show", "no-such-folder"], says: "no-such-folder", places: [] },
])("haft $words is an error of usage", async ({ words, says, places }) => {
  await using world = await settingsWorld();
  const used = places === undefined ? world : { ...world, places: world.places.slice(2) };

  const { code, err } = await haft(words, { world: used });

  expect(code).toBe(2);
  expect(err).toContain(says);
});
