import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Referee of each question about confinement, preview and undo, and the tests that ask it. */
const rows: readonly (readonly [question: string, referee: string, asked: string])[] = [
  [
    "is the write outside really absent",
    "all of the host's tree, before and after",
    "referees/environments sandbox/escape",
  ],
  [
    "is the network off",
    "listeners that count: TCP, UDP, unix sockets by path and by name; AF_VSOCK by errno",
    "referees/environments sandbox/escape",
  ],
  [
    "are privileges gone",
    "CapEff, NoNewPrivs and Seccomp of /proc/self/status",
    "referees/environments",
  ],
  [
    "are processes gone, and mounts and files with them",
    "the host's /proc, its mount table and the temporary directory, after every test",
    "support/leftovers referees/environments referees/killed",
  ],
  [
    "does git still work",
    "git itself: init, commit, worktree, settings refused",
    "referees/environments integration/sandbox sandbox/confined sandbox/bwrap",
  ],
  [
    "is preview exact",
    "the same command on a copy",
    "sandbox/overlay-commands integration/preview-commands",
  ],
  [
    "is undo exact",
    "all of the tree: modes, links, empty folders; and what others changed",
    "integration/undo-laws integration/command-changes integration/command-sequences",
  ],
  [
    "does it work everywhere, or say why not",
    "a program of a user's, in each place",
    "referees/environments referees/nested",
  ],
  [
    "are the holes of others closed",
    "each hole, tried",
    "referees/holes integration/hostile-workspace",
  ],
];

test.each(rows)("%s: %s", (_question, _referee, asked) => {
  const files = asked
    .split(" ")
    .map((name) => path.join(import.meta.dirname, "..", `${name}.test.ts`));

  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
