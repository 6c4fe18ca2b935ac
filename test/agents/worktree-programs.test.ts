import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentInfo } from "../../src/core/index.ts";
import { localHost } from "../../src/host/index.ts";
import { createToolkit } from "../../src/kit/index.ts";
import { scenes } from "../support/agent-world.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("worktree-programs");
afterEach(() => void vi.unstubAllEnvs());
const root = (): string => path.join(at(""), "repo");
const canary = (): string => path.join(at(""), "ran");

function git(directory: string, ...words: readonly string[]): void {
  execFileSync("git", ["-C", directory, ...words], { stdio: "pipe" });
}

/** A repository with a file that its attributes give a filter. */
function repository(): void {
  mkdirSync(root());
  git(root(), "init", "--quiet");
  git(root(), "config", "user.name", "Test");
  git(root(), "config", "user.email", "test@example.org");
  writeFileSync(path.join(root(), "a.txt"), "one\n");
  writeFileSync(path.join(root(), ".gitattributes"), "a.txt filter=x\n");
  git(root(), "add", ".");
  git(root(), "commit", "--quiet", "-m", "First");
}

/** Runs these commands by an agent in a worktree. */
async function worktreeAgent(commands: readonly string[]): Promise<AgentInfo> {
  const home = path.join(at(""), "home");
  mkdirSync(home, { recursive: true });
  vi.stubEnv("HOME", home);
  await using host = await localHost();
  const calls = commands.map((command) => ({ calls: [{ name: "Bash", input: { command } }] }));
  await using kit = await createToolkit({
    host,
    workspace: root(),
    dataDirectory: path.join(at(""), "data"),
    sessions: "memory",
    mode: "bypassPermissions",
    model: scenes({ work: [...calls, { text: "done" }] }),
  });
  return await kit.agents.start({ prompt: "work", isWorktree: true });
}

describe("git of haft itself runs no program that a repository names", () => {
  test("a filter of the repository from which a worktree is made", async () => {
    repository();
    git(root(), "config", "filter.x.clean", `touch ${canary()}; cat`);
    // Of the same size, so that git has to compare the contents.
    writeFileSync(path.join(root(), "a.txt"), "one\n");

    const { status } = await worktreeAgent([]);

    expect(status).toBe("done");
    expect(existsSync(canary())).toBe(false);
  });

  test("a filter of settings that the worktree takes from elsewhere", async () => {
    repository();

    const { worktree } = await worktreeAgent([
      "mkdir evil && cp -r .git/objects .git/refs .git/config evil && echo two > a.txt",
      `git config -f evil/config filter.x.clean 'touch ${canary()}; cat'`,
      "echo ../evil > .git/commondir",
    ]);

    expect(worktree?.isKept).toBe(true);
    expect(existsSync(canary())).toBe(false);
  });

  test("a filter of a repository inside the worktree", async () => {
    repository();
    const who = "-c user.name=a -c user.email=b";

    const { worktree } = await worktreeAgent([
      `git init -q sub && echo one > sub/f && git -C sub add f && git ${who} -C sub commit -qm x`,
      `git add sub && git -C sub config filter.x.clean 'touch ${canary()}; cat'`,
      "echo '* filter=x' > sub/.gitattributes && echo two > sub/f",
    ]);

    expect(worktree).toMatchObject({ changedFiles: 1, isKept: true });
    expect(existsSync(canary())).toBe(false);
  });
});
