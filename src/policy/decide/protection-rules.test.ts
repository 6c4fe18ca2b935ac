import { describe, expect, test } from "vitest";
import { boundary, home, requestOf, verdict, writeOf } from "../../../test/policy/policy-world.ts";
import { decide } from "./decide.ts";
import { protectedPaths } from "../../core/index.ts";
import { protectedBy, protectedIn, protectedWithin } from "./protection-rules.ts";

const lists = { allow: ["Edit", "Edit(//**)", "Edit(/**)", "AnyTool"] };

describe("protected paths", () => {
  test.each([
    "/ws/.git/config",
    "/ws/.git",
    "/ws/sub/.git/hooks/pre-commit",
    "/ws/.GIT/config",
    "/ws/.haft/settings.json",
    "/ws/.claude/settings.json",
    "/ws/.claude.json",
    "/ws/.agents/skills/one/SKILL.md",
    "/ws/.mcp.json",
    "/ws/.vscode/tasks.json",
    "/ws/.idea/x",
    "/ws/.husky/pre-push",
    "/ws/.cargo/config.toml",
    "/ws/.devcontainer/devcontainer.json",
    "/ws/.yarn/releases/yarn.cjs",
    "/ws/.yarnrc.yml",
    "/ws/.mvn/jvm.config",
    "/ws/.npmrc",
    "/ws/.pnp.cjs",
    "/ws/bunfig.toml",
    "/ws/.bazelrc.user",
    "/ws/.pre-commit-config.yaml",
    "/ws/lefthook.yml",
    "/ws/gradle/wrapper/gradle-wrapper.properties",
    "/ws/.ripgreprc",
    "/ws/pyrightconfig.json",
    "/ws/.github/workflows/ci.yml",
    "/ws/.gitlab-ci.yml",
    "/ws/.circleci/config.yml",
    "/ws/Jenkinsfile",
    "/ws/azure-pipelines.yml",
    "/ws/bitbucket-pipelines.yml",
    "/ws/.gitmodules",
    "/ws/.envrc",
    `${home}/.bashrc`,
    `${home}/.zshenv`,
    `${home}/.profile`,
    `${home}/.config/git/config`,
    `${home}/.config/fish/config.fish`,
    `${home}/.ssh/authorized_keys`,
    `${home}/.gitconfig`,
  ])("%s is written by no rule and no mode but bypassPermissions", (path) => {
    expect(verdict([writeOf(path)], { lists, mode: "default" })).toBe("ask");
    expect(verdict([writeOf(path)], { lists, mode: "acceptEdits" })).toBe("ask");
    expect(verdict([writeOf(path)], { lists, mode: "dontAsk" })).toBe("deny");
    expect(verdict([writeOf(path)], { mode: "bypassPermissions" })).toBe("allow");
  });

  test.each([
    ["/ws/.vſcode/tasks.json", "a letter that folds to s"],
    ["/ws/.gi\u200ct/config", "a character that HFS+ ignores"],
    ["/ws/.git./config", "a dot that Windows drops"],
    ["/ws/.git::$INDEX_ALLOCATION/config", "a stream of NTFS"],
    ["/ws/GIT~1/config", "the short name"],
    ["/ws/PKG/.Mcp.JSON", "letter case"],
  ])("%s is protected, because some file system takes it for one: %s", (path) => {
    expect(protectedBy(path, ["/ws"])).toBeDefined();
  });

  test.each([
    "/ws/src/git/a.ts",
    "/ws/.gitignore",
    "/ws/.github/ISSUE_TEMPLATE.md",
    "/ws/.env",
    "/ws/package.json",
    "/ws/src/jenkins.ts",
    "/ws/.config/other",
    "/ws/git",
    "/ws/x.npmrc",
  ])("%s is like any other file", (path) => {
    expect(verdict([writeOf(path)], { lists })).toBe("allow");
  });

  test("no rule is offered for them", () => {
    const decision = decide(requestOf([writeOf("/ws/.npmrc")]));

    expect(decision).toMatchObject({
      kind: "ask",
      rule: { rule: "Edit(.npmrc)", scope: "built-in" },
    });
    expect(decision).not.toHaveProperty("suggestion");
  });

  test("a workspace that lies in one is judged from its own root", () => {
    const roots = ["/ws/.haft/worktrees/a"];

    expect(protectedBy("/ws/.haft/worktrees/a/src/x", roots)).toBeUndefined();
    expect(protectedBy("/ws/.haft/worktrees/a/.git", roots)?.rule).toBe("Edit(.git)");
    expect(protectedBy("/ws/.haft/worktrees/b/src/x", roots)?.rule).toBe("Edit(.haft)");
    expect(protectedBy("/ws/.haft/worktrees/a/x", ["/ws", ...roots])).toBeUndefined();
    expect(protectedBy("/ws/.git/x", ["/"])?.rule).toBe("Edit(.git)");
  });

  test("of two folders the inner one counts, whichever is named first", () => {
    const roots = ["/ws/.haft/worktrees/a", "/ws"];

    expect(protectedBy("/ws/.haft/worktrees/a/x", roots)).toBeUndefined();
    expect(protectedBy("/ws/.haft/worktrees/a/x", roots.toReversed())).toBeUndefined();
  });

  test("the root of the machine as a workspace protects what lies directly in it", () => {
    expect(protectedBy("/.npmrc", ["/"])?.rule).toBe("Edit(.npmrc)");
    expect(protectedBy("/.npmrc", [])?.rule).toBe("Edit(.npmrc)");
  });

  test("what settings of the repository name is protected as well, by its own path", () => {
    const around = { ...boundary, protected: ["/ws/hooks"] };

    expect(protectedIn("/ws/hooks/x", around)).toEqual({
      rule: "Edit(//ws/hooks)",
      list: "ask",
      scope: "built-in",
    });
    expect(protectedIn("/ws/.npmrc", around)).toEqual({
      rule: "Edit(.npmrc)",
      list: "ask",
      scope: "built-in",
    });
    expect(protectedIn("/ws/src", around)).toBeUndefined();
    expect(protectedIn("/ws/hooks/x", boundary)).toBeUndefined();
  });

  test("a written tree leaves them out at any depth", () => {
    const within = protectedWithin("/ws");

    expect(within).toContainEqual({ root: "/ws", pattern: ".npmrc", rule: "Edit(.npmrc)" });
    expect(within).toContainEqual({
      root: "/ws",
      pattern: "**/.github/workflows",
      rule: "Edit(**/.github/workflows)",
    });
  });

  test("every entry protects something", () => {
    const found = protectedPaths.map((entry) => {
      const path = `/ws/pkg/${entry.replace("*", "x")}`;
      return protectedBy(path, boundary.roots) !== undefined;
    });

    expect(found).toEqual(protectedPaths.map(() => true));
  });
});
