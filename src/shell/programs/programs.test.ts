import { expect, test } from "vitest";
import { explainCommand } from "../../explain/index.ts";
import { gitRows } from "./git/git-options.ts";
import { knownPrograms } from "./index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };
const broken = (command: string): boolean =>
  explainCommand(command, place).reasons.some(({ text }) =>
    text.includes("could not be understood"),
  );

test("every program's row can be read", () => {
  const names = [...knownPrograms()];

  expect(names.length).toBeGreaterThan(250);
  expect(names.filter((name) => broken(`${name} --no-such-option a b`))).toEqual([]);
});

test("every sub-command of git can be read", () => {
  const names = Object.keys(gitRows).flatMap((row) => row.split(" "));

  expect(names.filter((name) => broken(`git ${name} --no-such-option a`))).toEqual([]);
});

test("an option no row knows is never taken to be harmless", () => {
  const lax = [...knownPrograms()].filter((name) => {
    const { readOnly } = explainCommand(`${name} --no-such-option`, place);
    return readOnly;
  });

  // Builtins that accept any words as text.
  expect(lax.toSorted()).toMatchInlineSnapshot(`
    [
      "[",
      "cd",
      "echo",
      "popd",
      "printf",
      "pushd",
      "test",
      "trap",
    ]
  `);
});
