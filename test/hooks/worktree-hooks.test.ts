import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { scenes, type Scenes } from "../support/agent-world.ts";
import { hookWorld, type HookWorld } from "./hook-world.ts";

afterEach(() => void vi.unstubAllEnvs());

function git(directory: string, ...words: readonly string[]): void {
  execFileSync("git", ["-C", directory, ...words], { stdio: "pipe" });
}

/** Makes the workspace a repository and runs one agent in a worktree of it; returns where that is. */
async function inWorktree(world: HookWorld, child: Scenes[string]): Promise<string> {
  git(world.workspace, "init", "--quiet");
  git(world.workspace, "config", "user.name", "Test");
  git(world.workspace, "config", "user.email", "test@example.org");
  git(world.workspace, "add", ".");
  git(world.workspace, "commit", "--quiet", "-m", "First");
  const home = path.join(world.dataDirectory, "../home");
  mkdirSync(home);
  vi.stubEnv("HOME", home);
  await using kit = await world.open({
    mode: "bypassPermissions",
    sessions: "memory",
    model: scenes({ work: child }),
  });
  const { worktree } = await kit.agents.start({ prompt: "work", isWorktree: true });
  return worktree?.path ?? "";
}

const writes = (file_path: string, content: string): Scenes[string] => [
  { calls: [{ name: "Write", input: { file_path, content, overwrite: true } }] },
  { text: "done" },
];

test("hooks of an agent in a worktree run in the worktree and change its files", async () => {
  const seen =
    'cat > seen.json; pwd > cwd.txt; printf %s "$CLAUDE_PROJECT_DIR $HAFT_PROJECT_DIR" > project.txt';
  await using world = await hookWorld(
    { PostToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: seen }] }] },
    { "a.txt": "one\n" },
  );

  const worktree = await inWorktree(world, writes("a.txt", "two\n"));

  expect(worktree).not.toBe("");
  const at = (name: string): string => path.relative(world.workspace, path.join(worktree, name));
  expect(await world.read("seen.json")).toBeUndefined();
  expect(await world.read("a.txt")).toBe("one\n");
  expect(JSON.parse((await world.read(at("seen.json"))) ?? "{}")).toMatchObject({
    cwd: worktree,
    tool_input: { file_path: path.join(worktree, "a.txt") },
  });
  expect(await world.read(at("cwd.txt"))).toBe(`${worktree}\n`);
  expect(await world.read(at("project.txt"))).toBe(`${worktree} ${worktree}`);
});

test("a hook in a worktree cannot change the checkout of the parent", async () => {
  await using world = await hookWorld({}, { "a.txt": "one\n" });
  const evil = `echo evil > ${world.at("a.txt")}; echo ran > ran.txt`;
  await world.write(
    ".claude/settings.json",
    JSON.stringify({
      hooks: {
        PostToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: evil }] }],
      },
    }),
  );

  const worktree = await inWorktree(world, writes("b.txt", "two\n"));

  expect(await world.read("a.txt")).toBe("one\n");
  expect(await world.read("ran.txt")).toBeUndefined();
  expect(await world.read(path.relative(world.workspace, path.join(worktree, "ran.txt")))).toBe(
    "ran\n",
  );
});

test("a script that the agent changed in its worktree does not run as a hook", async () => {
  const hook = { type: "command", command: '"$CLAUDE_PROJECT_DIR"/scripts/check.sh' };
  await using world = await hookWorld(
    { PreToolUse: [{ matcher: "Write", hooks: [hook] }] },
    { "scripts/check.sh": "#!/bin/sh\nexit 0\n" },
  );

  const worktree = await inWorktree(world, [
    { calls: [{ name: "Bash", input: { command: "echo 'touch ran.txt' >> scripts/check.sh" } }] },
    ...(writes("b.txt", "two\n") ?? []),
  ]);

  const at = (name: string): string => path.relative(world.workspace, path.join(worktree, name));
  expect(await world.read(at("scripts/check.sh"))).toContain("ran.txt");
  expect(await world.read(at("ran.txt"))).toBeUndefined();
  expect(await world.read(at("b.txt"))).toBeUndefined();
});
