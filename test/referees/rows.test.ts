import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Who decides each question about confinement, preview and undo, and where it is asked. */
const rows: readonly {
  readonly question: string;
  readonly referee: string;
  readonly asked: readonly string[];
}[] = [
  {
    question: "is the write outside really absent",
    referee: "all of the host's tree, before and after",
    asked: ["referees/environments.test.ts", "sandbox/escape.test.ts"],
  },
  {
    question: "is the network off",
    referee: "listeners that count: TCP, UDP, unix sockets by path and by name; AF_VSOCK by errno",
    asked: ["referees/environments.test.ts", "sandbox/escape.test.ts"],
  },
  {
    question: "are privileges gone",
    referee: "CapEff, NoNewPrivs and Seccomp of /proc/self/status",
    asked: ["referees/environments.test.ts"],
  },
  {
    question: "are processes gone, and mounts and files with them",
    referee: "the host's /proc, its mount table and the temporary directory, after every test",
    asked: [
      "support/leftovers.test.ts",
      "referees/environments.test.ts",
      "referees/killed.test.ts",
    ],
  },
  {
    question: "does git still work",
    referee: "git itself: init, commit, worktree, settings refused",
    asked: [
      "referees/environments.test.ts",
      "integration/sandbox.test.ts",
      "sandbox/confined.test.ts",
    ],
  },
  {
    question: "is preview exact",
    referee: "the same command on a copy",
    asked: ["sandbox/overlay-commands.test.ts", "integration/preview-commands.test.ts"],
  },
  {
    question: "is undo exact",
    referee: "all of the tree: modes, links, empty folders; and what somebody else changed",
    asked: ["integration/undo-laws.test.ts", "integration/command-changes.test.ts"],
  },
  {
    question: "does it work everywhere, or say why not",
    referee: "a program of a user's, in each place",
    asked: ["referees/environments.test.ts", "referees/nested.test.ts"],
  },
  {
    question: "are the holes of others closed",
    referee: "each hole, tried",
    asked: ["referees/holes.test.ts", "integration/hostile-workspace.test.ts"],
  },
];

test.each(rows)("$question: $referee", ({ asked }) => {
  const missing = asked.filter((name) => !existsSync(path.join(import.meta.dirname, "..", name)));

  expect(missing).toEqual([]);
});
