import { rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { watchFile } from "../sqlite/sqlite.ts";
import { Writer } from "./writer.ts";

const at = temporaryFolder("writer");

function twoConnections(): readonly [DatabaseSync, DatabaseSync] {
  const file = at("a.db");
  const [one, other] = [new DatabaseSync(file), new DatabaseSync(file)];
  one.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x TEXT)");
  one.exec("PRAGMA busy_timeout = 0");
  return [one, other];
}

test("a file that stays locked is an error that names it, after a minute", async () => {
  const [database, other] = twoConnections();
  let waitedMs = 0;
  const writer = new Writer(database, {
    file: "/data/sessions.db",
    wait: async (milliseconds) => void (waitedMs += milliseconds),
  });
  other.exec("BEGIN IMMEDIATE");

  const written = writer.write(() => database.exec("INSERT INTO t VALUES ('a')"));

  await expect(written).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "Another program has locked /data/sessions.db.",
    hint: "End that program, then continue the session.",
  });
  expect(waitedMs).toBeGreaterThanOrEqual(60_000);
  database.close();
  other.close();
});

test("a file that was deleted or replaced takes nothing more, which would be lost", async () => {
  const [database, other] = twoConnections();
  const file = at("a.db");
  const writer = new Writer(database, { file, isGone: watchFile(file) });
  const insert = async (): Promise<void> =>
    await writer.write(() => database.exec("INSERT INTO t VALUES ('a')"));
  await insert();

  for (const change of [async () => await rm(file), async () => await writeFile(file, "")]) {
    await change();

    await expect(insert()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: `${file} was deleted or replaced while it was open.`,
    });
  }
  database.close();
  other.close();
});

test("a failed transaction leaves nothing and does not stop the next", async () => {
  const [database, other] = twoConnections();
  const writer = new Writer(database, { file: "a.db" });

  const broken = writer.write(() => {
    database.exec("INSERT INTO t VALUES ('half')");
    throw new Error("broken");
  });
  const next = writer.write(() => database.exec("INSERT INTO t VALUES ('whole')"));

  await expect(broken).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "a.db cannot be written: broken",
  });
  await next;
  expect(database.prepare("SELECT x FROM t").all()).toEqual([{ x: "whole" }]);
  database.close();
  other.close();
});

test("what must be durable is flushed, and what follows is not", async () => {
  const [database, other] = twoConnections();
  const writer = new Writer(database, { file: "a.db" });
  const level = (): unknown => database.prepare("PRAGMA synchronous").get()?.["synchronous"];
  const levels: unknown[] = [];

  await writer.write(() => levels.push(level()), { isDurable: true });
  await writer.write(() => levels.push(level()));

  // FULL and NORMAL.
  expect(levels).toEqual([2, 1]);
  database.close();
  other.close();
});
