import { expect, test } from "vitest";
import { needsOf, type KnownWords } from "./program-needs.ts";

test.for<{ commands: readonly KnownWords[]; secrets: readonly string[]; because: string }>([
  {
    commands: [["git", "push", "origin"]],
    secrets: [".ssh", ".netrc", ".git-credentials", ".config/git/credentials", ".config/gh"],
    because: "it shows who pushes",
  },
  { commands: [["git", "status"]], secrets: [], because: "it stays on this machine" },
  { commands: [["/usr/bin/ssh", "host"]], secrets: [".ssh"], because: "a path names the same" },
  {
    commands: [["npm", "test"]],
    secrets: [],
    because: "what the project says runs, with anything",
  },
  { commands: [["npm", "install"]], secrets: [".npmrc"], because: "registries ask for it" },
  {
    commands: [["yarn"]],
    secrets: [".npmrc", ".yarnrc", ".yarnrc.yml"],
    because: "alone it installs",
  },
  { commands: [["yarn", "build"]], secrets: [], because: "it runs a script" },
  { commands: [[undefined, "push"]], secrets: [], because: "which program it is is not known" },
  { commands: [["git", undefined]], secrets: [], because: "what it does is not known" },
  {
    commands: [["ls"], ["aws", "s3", "ls"], ["gh", "pr", "list"]],
    secrets: [".aws", ".config/gh"],
    because: "each of a call's programs gets its own",
  },
])("$commands sees $secrets, because $because", ({ commands, secrets }) => {
  expect(needsOf(commands).secrets).toEqual(secrets);
});

test.for<{ words: KnownWords; changes: boolean }>([
  { words: ["git", "config", "user.name", "a"], changes: true },
  { words: ["git", "-C", "sub", "remote", "add", "o", "u"], changes: true },
  { words: ["git", "mv", "submodule", "elsewhere"], changes: true },
  { words: ["git", "commit", "-m", "x"], changes: false },
  { words: ["sh", "script.sh"], changes: false },
])("$words changes git's settings: $changes", ({ words, changes }) => {
  expect(needsOf([words]).changesGitSettings).toBe(changes);
});

test("a program no sandbox can hold is named with its reason, wherever in the call it stands", () => {
  expect(needsOf([["ls"], ["/usr/bin/sudo", "ls"]]).outside).toBe(
    "sudo works with rights that nothing in a sandbox has",
  );
  expect(needsOf([["ls"], ["echo", "sudo"]]).outside).toBeUndefined();
});
