import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { localHost } from "../../src/host/index.ts";
import { createToolkit, type ToolkitOptions } from "../../src/kit/index.ts";
import { scenes, type Scenes } from "./agent-world.ts";

type Place = (name: string) => string;

export const write = (file_path: string, content = "evil\n") => ({
  name: "Write",
  input: { file_path, content },
});
export const bash = (command: string) => ({ name: "Bash", input: { command } });

/** Output of git, without the settings of the user. */
export function git(directory: string, ...words: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", ["-C", directory, ...words], {
    encoding: "utf8",
    env,
    stdio: "pipe",
  }).trim();
}

/** A repository with two files, two commits and another branch. */
export function repository(at: Place): string {
  const root = path.join(at(""), "repo");
  mkdirSync(path.join(root, "src"), { recursive: true });
  git(at(""), "init", "--quiet", "--initial-branch=main", root);
  git(root, "config", "user.name", "Test");
  git(root, "config", "user.email", "test@example.org");
  writeFileSync(path.join(root, "a.txt"), "one\n");
  writeFileSync(path.join(root, "src/b.txt"), "two\n");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "-m", "First");
  git(root, "branch", "other");
  writeFileSync(path.join(root, "a.txt"), "one more\n");
  git(root, "commit", "--quiet", "-am", "Second");
  return root;
}

/** Hash of the files, the index, HEAD, the settings and hooks, and all refs but the agents' own. */
export function stateOf(root: string): string {
  const hash = createHash("sha256");
  const add = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const name = path.join(directory, entry.name);
      if (name === path.join(root, ".git/objects")) continue;
      if (name === path.join(root, ".git/refs/heads/haft")) continue;
      if (name === path.join(root, ".git/logs")) continue;
      hash.update(`${name}\n`);
      if (entry.isDirectory()) add(name);
      else if (entry.isFile()) hash.update(readFileSync(name));
    }
  };
  add(root);
  hash.update(git(root, "fsck", "--full", "--no-progress"));
  return hash.digest("hex");
}

/** A kit with agents on the scenes; worktrees are in a home of its own. */
export async function openedAt(
  at: Place,
  { root, table }: { readonly root: string; readonly table: Scenes },
  options: ToolkitOptions = {},
) {
  const home = path.join(at(""), "home");
  mkdirSync(home, { recursive: true });
  vi.stubEnv("HOME", home);
  const host = await localHost();
  const model = scenes(table);
  const kit = await createToolkit({
    host,
    workspace: root,
    dataDirectory: path.join(at(""), "data"),
    sessions: "memory",
    mode: "bypassPermissions",
    model,
    ...options,
  });
  return {
    kit,
    model,
    home,
    [Symbol.asyncDispose]: async () => {
      await kit.dispose();
      await host[Symbol.asyncDispose]();
    },
  };
}
