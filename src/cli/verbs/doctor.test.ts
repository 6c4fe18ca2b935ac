import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft, settingsWorld } from "../../../test/support/cli.ts";

test("doctor says what works, a line each, and exits with 0 where nothing is broken", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["doctor"], { world });

  expect(code).toBe(0);
  expect(out).toMatch(/^haft \d+\.\d+\.\d+, Node \d+/u);
  for (const check of ["workspace", "data directory", "shell", "search", "confinement"]) {
    expect(out).toMatch(new RegExp(`^[✓!] ${check}: `, "mu"));
  }
});

test("doctor --json is one document", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["doctor", "--json"], { world });

  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    confinement: { provider: expect.any(String), drivers: expect.any(Array) },
  });
});

test("a data directory that cannot be written is broken", async () => {
  await using world = await cliWorld();
  const blocker = path.join(world.folder, "file");
  await writeFile(blocker, "");
  const words = ["doctor", "-C", world.workspace, "--data-dir", path.join(blocker, "data")];

  const { code, out } = await haft(words);

  expect(code).toBe(1);
  expect(out).toContain("✗ data directory:");
});

const brought = {
  ".claude/settings.json": JSON.stringify({
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }] }] },
  }),
  ".claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: x\n---\nHi.",
  ".claude/skills/odd/SKILL.md": "---\nname: odd\ndescription: x\ndisallowed-tools: Bash\n---\nHi.",
  ".claude/commands/git/sync.md": "Sync.",
  ".claude/agents/reader.md": "---\nname: reader\ndescription: x\n---\nRead.",
  ".mcp.json": JSON.stringify({ mcpServers: { files: { command: "true" } } }),
  "AGENTS.md": "Be brief.",
};

test("doctor counts the tools by origin, and names the file of everything that the project brings", async () => {
  await using world = await settingsWorld(brought);

  const { out } = await haft(["doctor", "--trust"], { world });
  const { out: untrusted } = await haft(["doctor"], { world });

  expect(out).toMatch(/^✓ tools: \d+ built in, 3 for skills/mu);
  expect(out).toMatch(/^✓ settings: \d+: .*project \(\.claude\/settings\.json\)/mu);
  expect(out).toMatch(/^✓ hooks: 1: PreToolUse true \(\.claude\/settings\.json:1\)$/mu);
  expect(out).toContain("greet (.claude/skills/greet/SKILL.md)");
  expect(out).toContain("odd (.claude/skills/odd/SKILL.md; cannot be used)");
  expect(out).toMatch(/^✓ commands: 1: \/git:sync \(\.claude\/commands\/git\/sync\.md\)$/mu);
  expect(out).toContain("reader (.claude/agents/reader.md)");
  expect(out).toContain("files (.mcp.json)");
  expect(out).toMatch(/^✓ instructions: 1: .*\(AGENTS\.md\)$/mu);
  expect(untrusted).toContain("reader (.claude/agents/reader.md; needs trust)");
  expect(untrusted).toContain("files (.mcp.json; needs trust)");
  expect(untrusted).toContain("PreToolUse true (.claude/settings.json:1; needs trust)");
});
