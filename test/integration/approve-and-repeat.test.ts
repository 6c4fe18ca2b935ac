import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Ask } from "../../src/core/index.ts";
import { testKit } from "../support/kit.ts";

const commands = readCommands();

/** Asked about every time, because no rule that could be saved would be as narrow as the command. */
const neverOffered: Readonly<Record<string, string>> = {
  "python3 - <<'E'\nprint(1)\nE":
    "the code on its standard input is not an argument of the command",
  "xargs rm": "what xargs adds is not known before it runs",
  "ls | xargs wc -l": "what xargs adds may lie outside",
  "cat files.txt | xargs npm test": "what xargs adds is not known before it runs",
  "git ls-files | xargs prettier --write": "what xargs adds is not known before it runs",
  "find . -name '*.tmp' -exec rm {} ';'": "so much at once is never removed unasked",
  "git worktree add ../b": "a relative path outside is another path from another directory",
  "ls ..": "everything next to the workspace is more than one click should give",
};

function readCommands(): readonly string[] {
  const file = new URL("everyday-commands.json", import.meta.url);
  const read: unknown = JSON.parse(readFileSync(file, "utf8"));
  return Array.isArray(read) ? read.filter((each) => typeof each === "string") : [];
}

test("there are enough commands to mean something", () => {
  expect(new Set(commands).size).toBeGreaterThanOrEqual(260);
  expect(commands.filter((command) => Object.hasOwn(neverOffered, command))).toHaveLength(
    Object.keys(neverOffered).length,
  );
});

test.each(commands)("P11: %j is asked about at most once", async (command) => {
  const asks: Ask[] = [];
  const { kit } = await testKit(
    {
      onAsk: async (ask) => {
        asks.push(ask);
        return ask.suggestion === undefined
          ? { kind: "once" }
          : { kind: "save", rule: ask.suggestion, scope: "session" };
      },
    },
    { programs: { bash: () => 0 } },
  );

  await kit.call({ id: "1", name: "Bash", input: { command } });
  const first = asks.length;
  await kit.call({ id: "2", name: "Bash", input: { command } });
  await kit.dispose();

  // A command for which no rule is offered is asked about again, and still offers none.
  const again = Object.hasOwn(neverOffered, command) ? [undefined] : [];
  expect(asks.slice(first).map(({ suggestion }) => suggestion)).toEqual(again);
});
