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
])("a link at ~/%s to a path in a root protects the path", async (link, target) => {
  const host = memoryHost({ files: { [`${target}/file`]: "" } });
  host.control.plant(`/home/u/${link}`, { kind: "symlink", target });

  expect(await linkedUserPaths(host.fs, roots, user)).toEqual([target]);
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
