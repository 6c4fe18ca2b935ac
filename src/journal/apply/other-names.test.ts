import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { localHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";
import type { UndoResult } from "../undo/finish-undo.ts";

const at = temporaryFolder("names");

/** Call that changes `name`, one of two names of a file, and its undo. */
async function undone(
  act: (path: string) => void,
  between: () => void = () => undefined,
): Promise<UndoResult> {
  writeFileSync(at("one"), "same\n");
  linkSync(at("one"), at("other"));
  await using host = await localHost();
  const journal: Journal = createJournal({ host, directory: at("journal") });
  const write = { kind: "write", path: at("other"), scope: "file", change: "delete" } as const;
  await journal.checkpoint("1", [write], { tool: "Bash" });
  act(at("other"));
  await journal.settle("1");
  between();
  const result = await journal.undo({ last: 1 });
  await journal.close();
  return result;
}

const apart = "it was another name of a file, and is a file of its own now";

test("undo of a removed hard link makes it a name of the same file again", async () => {
  const { kept, skipped } = await undone((path) => rmSync(path));

  expect([kept, skipped]).toEqual([[], []]);
  expect(statSync(at("other")).ino).toBe(statSync(at("one")).ino);
  expect(readFileSync(at("other"), "utf8")).toBe("same\n");
});

test.for([
  { because: "it changed", change: () => writeFileSync(at("one"), "mine\n"), one: "mine\n" },
  { because: "it was removed", change: () => rmSync(at("one")), one: undefined },
  {
    because: "another file with its content took its place",
    change: () => {
      const { mtimeMs } = statSync(at("one"));
      writeFileSync(at("copy"), "same\n");
      rmSync(at("one"));
      writeFileSync(at("one"), "same\n");
      expect(statSync(at("one")).mtimeMs).not.toBe(mtimeMs);
    },
    one: "same\n",
  },
])(
  "where the other name cannot be linked, because $because, undo restores the content and says so",
  async ({ change, one }) => {
    const { changes, skipped } = await undone((path) => rmSync(path), change);

    expect(changes).toEqual([{ path: at("other"), change: "created" }]);
    expect(skipped).toEqual([{ path: at("other"), because: apart }]);
    expect(readFileSync(at("other"), "utf8")).toBe("same\n");
    expect(statSync(at("other")).nlink).toBe(1);
    const left = existsSync(at("one")) ? readFileSync(at("one"), "utf8") : undefined;
    expect(left).toBe(one);
  },
);

test("undo of a hard link that another file replaced says that it is a file of its own", async () => {
  const { skipped } = await undone((path) => {
    rmSync(path);
    writeFileSync(path, "new\n");
  });

  expect(skipped).toEqual([{ path: at("other"), because: apart }]);
  expect(readFileSync(at("one"), "utf8")).toBe("same\n");
  expect(readFileSync(at("other"), "utf8")).toBe("same\n");
});
