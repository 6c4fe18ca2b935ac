import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { movesDirectories } from "./predict-moves.ts";

test.each([
  { argv: ["git", "mv", "a", "b"], moves: true, because: "git does not copy where it cannot move" },
  { argv: ["git", "-C", "mv", "status"], moves: false, because: "mv is a folder here" },
  {
    argv: ["/usr/bin/git", "-C", "sub", "mv", "a", "b"],
    moves: true,
    because: "options may precede",
  },
  { argv: ["git", "commit", "-m", "mv"], moves: false, because: "mv is only a message" },
  { argv: ["mv", "a", "b"], moves: false, because: "mv copies where it must" },
  { argv: ["python3", "-c", "import os; os.rename('a', 'b')"], moves: true, because: "it says so" },
  { argv: ["node", "-e", "fs.renameSync('a', 'b')"], moves: true, because: "it says so" },
  { argv: ["perl", "-e", "rename 'a', 'b'"], moves: true, because: "it says so" },
  { argv: ["python3", "-c", "print(1)"], moves: false, because: "it does not" },
  { argv: ["python3", "-u", "tools/move.py"], moves: true, because: "its script says so" },
  { argv: ["python3", "tools/plain.py"], moves: false, because: "its script does not" },
  { argv: ["python3", "tools/none.py"], moves: false, because: "there is no such script" },
  { argv: ["grep", "os.rename", "tools/move.py"], moves: false, because: "it only looks" },
])("$argv moves directories in one step: $moves, because $because", async ({ argv, moves }) => {
  const host = memoryHost({
    root: "/project",
    files: { "tools/move.py": "os.rename(a, b)", "tools/plain.py": "print(1)" },
  });
  const span = { start: 0, end: 0 };

  const effects = [
    { kind: "execute", argv, assigns: [], via: [], consequences: "open", span },
  ] as const;

  expect(await movesDirectories(effects, { host, workspace: "/project" })).toBe(moves);
});
