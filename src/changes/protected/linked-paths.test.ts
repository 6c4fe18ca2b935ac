import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { linkedUserPaths } from "./linked-paths.ts";

const roots = ["/dotfiles", "/more"];
const user = { home: "/home/u", directories: [".claude/skills", ".claude/agents", ".haft/skills"] };

test.each([
  [".claude", "/dotfiles/claude"],
  [".claude/settings.json", "/dotfiles/settings.json"],
  [".claude/CLAUDE.md", "/more/CLAUDE.md"],
  [".claude/skills", "/dotfiles/skills"],
  [".claude/skills/my", "/dotfiles/skills/my"],
  [".claude/agents/x.md", "/dotfiles/x.md"],
  [".haft/skills/my", "/dotfiles/skills/my"],
  [".bashrc", "/dotfiles/bashrc"],
  [".gitconfig", "/dotfiles/gitconfig"],
  [".config/git", "/dotfiles/git"],
  [".config/fish", "/dotfiles/fish"],
  [".claude/hooks", "/dotfiles/hooks"],
  [".claude/hooks/check.sh", "/dotfiles/check.sh"],
  [".haft/plugins/p", "/dotfiles/p"],
  [".claude/rules/x.md", "/dotfiles/x.md"],
])("a link at ~/%s to a path in a root protects the path", async (link, target) => {
  const host = memoryHost({ files: { [`${target}/file`]: "" } });
  host.control.plant(`/home/u/${link}`, { kind: "symlink", target });

  expect(await linkedUserPaths(host.fs, roots, user)).toContain(target);
});

test("a link to a root itself protects what is obeyed in it", async () => {
  const host = memoryHost({ files: { "/dotfiles/settings.json": "{}" } });
  host.control.plant("/home/u/.claude", { kind: "symlink", target: "/dotfiles" });

  const found = await linkedUserPaths(host.fs, roots, user);

  expect(found).toEqual(
    expect.arrayContaining([
      "/dotfiles/settings.json",
      "/dotfiles/CLAUDE.md",
      "/dotfiles/skills",
      "/dotfiles/agents",
      "/dotfiles/hooks",
    ]),
  );
  expect(found).not.toContain("/dotfiles");
});

test("links in a directory that is itself a link count", async () => {
  const host = memoryHost({ files: { "/dotfiles/my/SKILL.md": "", "/elsewhere/CLAUDE.md": "" } });
  host.control.plant("/home/u/.claude", { kind: "symlink", target: "/elsewhere" });
  host.control.plant("/elsewhere/skills/my", { kind: "symlink", target: "/dotfiles/my" });

  expect(await linkedUserPaths(host.fs, roots, user)).toEqual(["/dotfiles/my"]);
});

test.each([
  ["outside the roots", ".claude/skills/my", "/elsewhere/my"],
  ["to a root itself", ".claude/skills/my", "/dotfiles"],
  ["with a name that no program obeys", "notes", "/dotfiles/notes"],
])("a link %s protects nothing", async (_which, link, target) => {
  const host = memoryHost({ files: { [`${target}/file`]: "" } });
  host.control.plant(`/home/u/${link}`, { kind: "symlink", target });

  expect(await linkedUserPaths(host.fs, roots, user)).toEqual([]);
});

test("a home without such directories has no links", async () => {
  expect(await linkedUserPaths(memoryHost().fs, roots, user)).toEqual([]);
});
