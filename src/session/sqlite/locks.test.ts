import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "./sqlite.ts";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "haft-locks-"));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const schema = { name: "notes", migrations: [{ name: "notes", sql: "CREATE TABLE notes (text)" }] };

// Only Linux lists the locks of a process.
test.skipIf(process.platform !== "linux")(
  "opening a database again in one process drops no lock of the first connection",
  async () => {
    const file = path.join(directory, "notes.db");
    const first = await openDatabase({ file, schema, busyMs: 0 });
    first.exec("INSERT INTO notes VALUES ('one')");
    const before = await ownLocks(file);

    const second = await openDatabase({ file, schema, busyMs: 0 });
    const after = await ownLocks(file);

    expect(before).not.toEqual([]);
    expect(after).toEqual(expect.arrayContaining([...before]));
    first.close();
    second.close();
  },
);

/** Kinds and ranges of the locks that this process holds on a file. */
async function ownLocks(target: string): Promise<readonly string[]> {
  const { ino } = await stat(target);
  const lines = (await readFile("/proc/locks", "utf8")).split("\n");
  return lines.flatMap((line) => {
    const [, , , kind, pid, place = "", ...range] = line.split(/ +/u);
    const isOwn = pid === String(process.pid) && place.endsWith(`:${ino}`);
    return isOwn ? [`${kind} ${range.join("-")}`] : [];
  });
}
