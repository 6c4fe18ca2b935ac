import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import {
  answered,
  aRun,
  called,
  done,
  said,
  secret,
  sessionWorld,
  withRun,
} from "../../../test/support/sessions.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { userMessage, type Message } from "../messages/messages.ts";
import { sessionSchema } from "./schema.ts";
import { storeOn } from "./sqlite-store.ts";

const world = sessionWorld();

/** Overwrites the page of the table with this text. */
async function damagePage(text: string): Promise<void> {
  const bytes = await readFile(world.file());
  const at = Math.floor(bytes.indexOf(text) / 4096) * 4096;
  bytes.fill(0xff, at, at + 4096);
  await writeFile(world.file(), bytes);
}

async function manySessions(): Promise<void> {
  const store = await world.open();
  for (let n = 100; n < 200; n += 1) {
    const title = `title ${n} `.padEnd(200);
    await store.create({ sessionId: `session ${n}`, title });
    const run = await store.begin(
      aRun(`run ${n}`, { sessionId: `session ${n}`, task: `task ${n} `.padEnd(200) }),
    );
    await run.log.append([userMessage("go")]);
    await run.end(done);
  }
  await store.close();
}

describe("a session", () => {
  test("is listed with what its runs add up to, the latest first", async () => {
    let now = 1000;
    const store = await world.open({ now: () => (now += 1) });
    await withRun(store, [userMessage("fix the test"), called("c1"), answered("c1"), said("ok")]);
    await store.create({ sessionId: "later" });

    const [later, first] = await store.list();

    expect(later).toMatchObject({ sessionId: "later", title: "", status: "new", runs: 0 });
    expect(first).toEqual({
      sessionId: "s",
      title: "fix the test",
      task: "fix the test",
      model: "fake:m",
      runs: 1,
      status: "done",
      workspace: "/work",
      messages: 4,
      turns: 2,
      calls: 1,
      usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 0, reasoning: 0 },
      costUsd: 0.25,
      createdAt: 1001,
      updatedAt: 1009,
    });
    expect(await store.list({ limit: 1 })).toHaveLength(1);
  });

  test("gives back its messages exactly, with what a provider needs, also from a later process", async () => {
    const messages = [userMessage(`use ${secret}`), called("c1"), answered("c1"), said("ok")];
    await withRun(await world.open(), messages);

    const again = await world.open();

    expect(await again.messages("s")).toEqual(messages);
    expect(await again.messages("s", "child")).toEqual([]);
  });

  test("keeps the conversation of each agent apart", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });
    const parent = await store.begin(aRun("r1"));
    const child = await store.begin(aRun("r2", { agentId: "child" }));
    await parent.log.append([userMessage("parent")]);
    await child.log.append([userMessage("child")]);

    expect(await store.messages("s")).toEqual([userMessage("parent")]);
    expect(await store.messages("s", "child")).toEqual([userMessage("child")]);
    expect(await store.agents("s")).toEqual(["child"]);
  });

  test("shows the model what a compaction left, and loses nothing", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    await log.append([userMessage("one"), said("two")]);
    await log.replace([userMessage("summary"), said("two")], "compaction");
    await log.append([userMessage("three")]);

    const { entries, damaged } = await store.conversation("s");

    expect(await store.messages("s")).toEqual([
      userMessage("summary"),
      said("two"),
      userMessage("three"),
    ]);
    expect(entries.map(({ number, kind, messages }) => [number, kind, messages])).toEqual([
      [1, "message", [userMessage("one")]],
      [2, "message", [said("two")]],
      [2, "compaction", [userMessage("summary"), said("two")]],
      [3, "message", [userMessage("three")]],
    ]);
    expect(damaged).toBe(0);
  });

  test("is renamed, and the title has no secret", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });

    const { title } = await store.rename("s", `about ${secret}`);

    expect(title).toBe("about [hidden]");
    await expect(store.rename("s", " ")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(store.rename("x", "y")).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: "List the sessions with haft sessions list.",
    });
  });

  test("is forked at a message, and the fork goes its own way", async () => {
    const store = await world.open();
    await withRun(store, [userMessage("one"), said("two"), userMessage("three")]);

    const fork = await store.fork("s", { sessionId: "f", message: 2 });
    const { log } = await store.begin(aRun("r2", { sessionId: "f" }));
    await log.append([userMessage("other")]);

    expect(fork).toMatchObject({
      title: "fix the test (fork)",
      status: "new",
      workspace: "/work",
      messages: 2,
      forkedFrom: { sessionId: "s", message: 2 },
    });
    expect(await store.messages("f")).toEqual([
      userMessage("one"),
      said("two"),
      userMessage("other"),
    ]);
    expect(await store.messages("s")).toHaveLength(3);
    await expect(store.fork("s", { sessionId: "g", message: 4 })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "s has no message 4.",
      hint: "Use a number from 1 to 3.",
    });
  });

  test("a fork before a compaction has the messages that it replaced", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    await log.append([userMessage("one"), said("two")]);
    await log.replace([userMessage("summary")], "compaction");
    await log.append([userMessage("three")]);

    await store.fork("s", { sessionId: "before", message: 1 });
    await store.fork("s", { sessionId: "after" });

    expect(await store.messages("before")).toEqual([userMessage("one")]);
    expect(await store.messages("after")).toEqual([userMessage("summary"), userMessage("three")]);
  });

  test("a deleted one leaves nothing in the file, and what a fork shares stays", async () => {
    const store = await world.open();
    const long = `${"long ".repeat(5000)}${secret}`;
    await withRun(store, [userMessage(long), said("unique words of the first")]);
    await store.fork("s", { sessionId: "f", message: 1 });

    await store.delete("s");

    expect(await store.get("s")).toBeUndefined();
    expect(await store.messages("f")).toEqual([userMessage(long)]);
    await store.delete("f");
    await store.close();
    expect(await readFile(world.file(), "latin1")).not.toContain(secret);
    expect(await readFile(world.file(), "latin1")).not.toContain("unique words of the first");
  });
});

describe("large content", () => {
  test("is stored once, however often it occurs", async () => {
    const store = await world.open();
    const image = "iVBORw0KGgo".repeat(20_000);
    const message: Message = {
      role: "user",
      content: [{ type: "image", data: image, mimeType: "image/png" }],
    };
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    await log.append([message, message]);
    await log.replace([message], "compaction");
    await store.fork("s", { sessionId: "f" });
    await log.steps.run("tool:c1", async () => ({ content: [image] }));

    expect(await store.messages("f")).toEqual([message]);
    await store.close();
    expect((await stat(world.file())).size).toBeLessThan(image.length * 2);
  });

  test("a text that looks like a reference is itself", async () => {
    const store = await world.open();
    const odd = [userMessage("\u0000blob:x"), userMessage(String.raw`"\u0000blob:y`)];
    await withRun(store, odd);

    expect(await store.messages("s")).toEqual(odd);
  });

  test.each([
    ["NUL characters", "a\u0000b"],
    ["half a surrogate pair", "a\uD800b"],
  ])("a long text with %s is stored whole", async (_name, piece) => {
    const store = await world.open();
    const messages = [userMessage(piece.repeat(10_000))];
    await withRun(store, messages);

    expect((await store.messages("s"))[0]).toEqual(messages[0]);
  });
});

describe("records about calls", () => {
  test("are kept in order, by session and call", async () => {
    const store = await world.open({ now: () => 5 });
    await store.create({ sessionId: "s" });

    const record = { sessionId: "s", callId: "c1", isDurable: true } as const;
    await store.recordCall({ ...record, kind: "intent", body: { tool: "Bash" } });
    await store.recordCall({ ...record, kind: "answer", body: "once" });
    await store.recordCall({ ...record, sessionId: "unknown", kind: "intent", body: 1 });

    expect(await store.callRecords("s", "c1")).toEqual([
      { kind: "intent", at: 5, body: { tool: "Bash" } },
      { kind: "answer", at: 5, body: "once" },
    ]);
    expect(await store.callRecords("s", "c2")).toEqual([]);
  });
});

describe("bad input", () => {
  test("a full disk while a step is stored is an error that says so, and the store works again later", async () => {
    const database = await openDatabase({ file: world.file(), schema: sessionSchema, busyMs: 1 });
    const store = storeOn(database, { file: world.file() });
    world.closeLater(store);
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
    database.exec(`PRAGMA max_page_count = ${pages}`);

    const step = log.steps.run("tool:c1", async () => "x".repeat(100_000));

    await expect(step).rejects.toMatchObject({
      code: "NO_SPACE",
      message: `The disk is full: ${world.file()} cannot be written.`,
      hint: "Free some space, then continue the session.",
    });
    database.exec("PRAGMA max_page_count = 1000000");
    await expect(log.steps.run("tool:c1", async () => "again")).resolves.toBe("again");
  });

  test("a store of a newer version is refused by name", async () => {
    await (await world.open()).close();
    const database = new DatabaseSync(world.file());
    database.exec("INSERT INTO migrations (id, name, applied_at) VALUES (99, 'later', 0)");
    database.close();

    await expect(world.open()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "The session store was written by a newer version of haft.",
      hint: "Update haft, or name another data directory.",
    });
  });

  test.each([
    { damage: `UPDATE messages SET body = '[{"type": "te' WHERE position = 2`, because: "cut" },
    { damage: `UPDATE messages SET body = '{"a": 1}' WHERE position = 2`, because: "no list" },
    {
      damage: `UPDATE messages SET body = '[{"type": "hologram"}]' WHERE position = 2`,
      because: "unknown part",
    },
    { damage: `UPDATE messages SET role = 'wizard' WHERE position = 2`, because: "unknown role" },
  ])("a damaged message hides none of the others ($because)", async ({ damage }) => {
    const store = await world.open();
    await withRun(store, [userMessage("one"), said("two"), userMessage("three")]);
    const database = new DatabaseSync(world.file());
    database.exec(damage);
    database.close();

    expect(await store.messages("s")).toEqual([userMessage("one"), userMessage("three")]);
    expect(await store.conversation("s")).toMatchObject({ damaged: 1 });
    expect(await store.list()).toHaveLength(1);
  });

  test("a damaged page hides none of the messages on others", async () => {
    const store = await world.open();
    const messages = Array.from({ length: 300 }, (_, n) =>
      userMessage(`message ${n} `.padEnd(900)),
    );
    await withRun(store, messages);
    await store.close();
    const bytes = await readFile(world.file());
    const at = Math.floor(bytes.indexOf("message 150 ") / 4096) * 4096;
    bytes.fill(0xff, at, at + 4096);
    await writeFile(world.file(), bytes);

    const again = await world.open();
    const { entries, damaged } = await again.conversation("s");

    expect(entries.length).toBeGreaterThan(290);
    expect(entries.length + damaged).toBe(300);
    expect((await again.messages("s")).length).toBe(entries.length);
    expect(await again.list()).toHaveLength(1);
  });

  test("a damaged page of the sessions hides no others, and its sessions are named", async () => {
    await manySessions();
    await damagePage("title 150 ");

    const again = await world.open();
    const found = await again.list();
    const whole = found.filter(({ isDamaged }) => isDamaged !== true);
    const named = found.find(({ sessionId }) => sessionId === "session 150");

    expect(found).toHaveLength(100);
    expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(100);
    expect(whole.length).toBeGreaterThan(70);
    expect(whole.every(({ title, turns }) => title.startsWith("title ") && turns === 2)).toBe(true);
    expect(named).toMatchObject({ isDamaged: true, title: expect.any(String), messages: 1 });
    expect(await again.get("session 150")).toMatchObject({ isDamaged: true });
    expect(await again.messages("session 150")).toEqual([userMessage("go")]);
    expect(await again.list({ limit: 3 })).toHaveLength(3);
  });

  test("a damaged page of the runs hides no session, and marks those that it concerns", async () => {
    await manySessions();
    await damagePage("task 150 ");

    const found = await (await world.open()).list();
    const damaged = found.filter(({ isDamaged }) => isDamaged === true);

    expect(found).toHaveLength(100);
    expect(found.every(({ title }) => title.startsWith("title "))).toBe(true);
    expect(damaged.length).toBeGreaterThan(0);
    expect(damaged.length).toBeLessThan(60);
  });

  test("a damaged step counts as not recorded", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    await log.steps.run("llm:1", async () => "first");
    const database = new DatabaseSync(world.file());
    database.exec("UPDATE steps SET body = '{'");
    database.close();

    await expect(log.steps.run("llm:1", async () => "second")).resolves.toBe("second");
  });
});

test("the file is for its owner alone", async () => {
  await (await world.open()).create({ sessionId: "s" });

  expect((await stat(world.file())).mode & 0o777).toBe(0o600);
  expect((await stat(`${world.file()}-wal`)).mode & 0o777).toBe(0o600);
  expect((await stat(path.dirname(world.file()))).mode & 0o777).toBe(0o700);
});

test("a locked file is waited for, and what waits keeps its order", async () => {
  const store = await world.open();
  await store.create({ sessionId: "s" });
  const { log } = await store.begin(aRun("r1"));
  const other = new DatabaseSync(world.file());
  other.exec("BEGIN IMMEDIATE");

  const first = log.append([userMessage("1")]);
  const second = log.append([userMessage("2")]);
  other.exec("ROLLBACK");
  other.close();
  await Promise.all([first, second]);

  expect(await store.messages("s")).toEqual([userMessage("1"), userMessage("2")]);
});
