import { describe, expect, test } from "vitest";
import {
  foldName,
  isEverydayPart,
  leadsToRunningPart,
  mayBeProtected,
  mayLeadToProtected,
  protectedMatch,
} from "./match-protected.ts";

function matchOf(path: string) {
  const match = protectedMatch(path);
  if (match === undefined) throw new TypeError(`${path} is not protected.`);
  return match;
}

describe("a protected path", () => {
  test.each([
    { path: "/ws/.git/config", pattern: ".git", end: "/ws/.git".length },
    { path: "/ws/.GIT", pattern: ".git", end: "/ws/.GIT".length },
    { path: "/ws/a/.config/git/x", pattern: ".config/git", end: "/ws/a/.config/git".length },
    { path: "/ws/.github/workflows/x", pattern: ".github/workflows" },
    { path: "/ws/bare.git/hooks/x", pattern: "*.git/hooks" },
    { path: "/ws/x.code-workspace", pattern: "*.code-workspace" },
    { path: "/ws/.envrc.local", pattern: ".envrc*" },
    { path: "/ws/lefthook.yml", pattern: "lefthook*" },
  ])("$path is $pattern or in it", ({ path, pattern, end }) => {
    const match = matchOf(path);

    expect(match.pattern).toBe(pattern);
    expect(match.end).toBe(end ?? match.end);
    expect(path.slice(0, match.end)).not.toMatch(/\/$/u);
    expect(mayBeProtected(path)).toBe(true);
  });

  test.each([
    "/ws/git",
    "/ws/.config/other",
    "/ws/workflows/x",
    "/ws/x/.github/other/workflows",
    "/ws/hooks/x",
    "/ws/bare.git.txt/hooks/x",
    "/ws/config.git/other/hooks",
    "/ws/x.code-workspaces",
    "/ws/my.envrc",
    "/ws/src/a.ts",
  ])("%s is not protected", (path) => {
    expect(protectedMatch(path)).toBeUndefined();
  });

  test("is looked for from where it is said to begin", () => {
    expect(protectedMatch("/ws/.haft/a/x", "/ws/.haft/a".length)).toBeUndefined();
    expect(protectedMatch("/ws/.haft/a/.git", "/ws/.haft/a".length)?.pattern).toBe(".git");
  });

  test.each([
    { name: ".config", is: true },
    { name: ".CONFIG", is: true },
    { name: ".github", is: true },
    { name: "bare.git", is: true },
    { name: "bare.GIT", is: true },
    { name: "src", is: false },
    { name: "bare.git.txt", is: false },
    { name: ".npmrc", is: false },
  ])("may begin with a directory $name: $is", ({ name, is }) => {
    expect(mayLeadToProtected(name)).toBe(is);
  });
});

describe("in git's own directory, a program may write", () => {
  test.each([
    { path: "/ws/.git/index", is: true, because: "it is data" },
    { path: "/ws/.git/refs/heads/main", is: true, because: "it is data" },
    { path: "/ws/.git/hooks", is: false, because: "they run" },
    { path: "/ws/.git/hooks/pre-commit", is: false, because: "it runs" },
    { path: "/ws/.git/HOOKS/pre-commit", is: false, because: "some file system takes it for one" },
    { path: "/ws/.git/hooks2/x", is: true, because: "that is another name" },
    { path: "/ws/.git/x/hooks/y", is: true, because: "those are not hooks of git" },
    { path: "/ws/.git/config", is: false, because: "it names what runs" },
    { path: "/ws/.git/info/attributes", is: false, because: "they name what runs" },
    { path: "/ws/.git/info/exclude", is: true, because: "it names what is ignored" },
    { path: "/ws/.git", is: false, because: "it is the whole of it" },
    { path: "/ws/.git/modules/a/hooks/x", is: false, because: "it is a hook of a submodule" },
    { path: "/ws/.git/modules/a/b/config", is: false, because: "it is one of a deeper one" },
    { path: "/ws/.git/modules/a/index", is: true, because: "it is data of a submodule" },
    { path: "/ws/.git/worktrees/a/config.worktree", is: false, because: "it is of a worktree" },
    { path: "/ws/.git/worktrees/a/HEAD", is: true, because: "it is data of a worktree" },
    { path: "/ws/.git/modules2/hooks/x", is: true, because: "that is not a submodule" },
  ])("$path, $is: $because", ({ path, is }) => {
    expect(isEverydayPart(matchOf(path), path)).toBe(is);
  });

  test.each([
    { path: "/ws/.npmrc", is: false, because: "all of it counts" },
    { path: "/ws/.jj/repo/config.toml", is: false, because: "it names what runs" },
    { path: "/ws/.jj/repo/store/x", is: true, because: "it is data" },
    { path: "/ws/.jj/modules/a/repo/config.toml", is: true, because: "only git has submodules" },
  ])("and elsewhere $path, $is: $because", ({ path, is }) => {
    expect(isEverydayPart(matchOf(path), path)).toBe(is);
  });

  test.each([
    { path: "/ws/.git/info", is: true, because: "the attributes are looked for in it" },
    { path: "/ws/.git/INFO", is: true, because: "some file system takes it for one" },
    { path: "/ws/.git/modules", is: true, because: "submodules are looked for in it" },
    { path: "/ws/.git/modules/a/b", is: true, because: "a submodule is" },
    { path: "/ws/.git/worktrees/a", is: true, because: "a worktree is" },
    { path: "/ws/.git/refs", is: false, because: "nothing that runs is" },
    { path: "/ws/.git/inf", is: false, because: "that is another name" },
    { path: "/ws/.jj/repo", is: true, because: "its settings are looked for in it" },
    { path: "/ws/.jj/modules", is: false, because: "only git has submodules" },
  ])("a link at $path leads to a part that runs something, $is: $because", ({ path, is }) => {
    expect(leadsToRunningPart(matchOf(path), path)).toBe(is);
  });
});

test.each([
  [".GIT", ".git"],
  ["GIT~1", ".git"],
  ["agit~1", "agit~1"],
  ["g\u0131t~1", ".git"],
  ["\uff47it~1", ".git"],
  [".\uff47it", ".git"],
  [".gi\u200ct", ".git"],
  [".git. .", ".git"],
  [".git::$DATA", ".git"],
  ["README.md", "readme.md"],
  ["\u00c4.md", "\u00e4.md"],
])("%j is compared as %j", (name, folded) => {
  expect(foldName(name)).toBe(folded);
});
