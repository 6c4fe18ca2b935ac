import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ownProcess } from "../processes/own-process.ts";
import { localPathTurns } from "./path-turns.ts";

const at = temporaryFolder("path-turns");
const own = ownProcess() ?? "";
const one = { by: `${own} 1`, what: "Write (a)" };
const other = { by: `${own} 2`, what: "Bash (b)" };

function turns(maxWaitMs = 0) {
  return localPathTurns({ directories: [at("turns")], maxWaitMs });
}

test("a path is one program's at a time, and the other is refused by name", async () => {
  const held = await turns().take(["/w/a"], one);

  const refused = turns().take(["/w/a"], other);

  await expect(refused).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `/w/a is being changed by Write (a) of another haft program (process ${process.pid}).`,
    retryable: true,
  });
  held.release();
  (await turns().take(["/w/a"], other)).release();
});

test.each([
  ["/w", "/w/a", true],
  ["/w/a/b", "/w/a", true],
  ["/w/ab", "/w/a", false],
])("a turn at %s keeps one at %s waiting: %s", async (first, second, isMeeting) => {
  await turns().take([first], one);

  const taken = await turns()
    .take([second], other)
    .then(
      () => false,
      () => true,
    );

  expect(taken).toBe(isMeeting);
});

test("what waits continues when the other one is done", async () => {
  const held = await turns().take(["/w/a"], one);
  const order: string[] = [];
  const wait = async (): Promise<void> => {
    const turn = await turns(30_000).take(["/w/a"], other);
    order.push("other");
    turn.release();
  };
  const waiting = wait();

  order.push("one");
  held.release();
  await waiting;

  expect(order).toEqual(["one", "other"]);
});

test("a holder's own turns are never in its way", async () => {
  await turns().take(["/w/a"], one);

  await expect(turns().take(["/w/a", "/w"], one)).resolves.toBeDefined();
});

test("a turn of a process that is gone does not count, and is removed", async () => {
  mkdirSync(at("turns"), { mode: 0o700 });
  const gone = own.replace(/^\d+/u, "4194304");
  const claim = { by: `${gone} 1`, what: "Write (a)", paths: ["/w/a"] };
  symlinkSync(JSON.stringify(claim), at("turns/0-claim"));

  const turn = await turns().take(["/w/a"], other);

  expect(readdirSync(at("turns"))).toHaveLength(1);
  expect(turn.wasLeft).toBe(true);
  turn.release();
  expect((await turns().take(["/w/a"], other)).wasLeft).toBe(false);
});

test("the directory is made again where another program removed it, and left by the last one", async () => {
  const all = turns();
  (await all.take(["/w/a"], one)).release();
  rmSync(at("turns"), { recursive: true });

  const turn = await all.take(["/w/a"], one);

  expect(readdirSync(at("turns"))).toHaveLength(1);
  all.close();
  expect(readdirSync(at("turns"))).toHaveLength(1);
  turn.release();
  all.close();
  expect(readdirSync(at(""))).toEqual([]);
});

test("of many that want the same path, each has it alone", async () => {
  let inside = 0;
  let most = 0;
  const work = Array.from({ length: 8 }, async (_, index) => {
    const by = { by: `${own} ${index}`, what: "Write" };
    for (let round = 0; round < 5; round += 1) {
      const turn = await turns(60_000).take(["/w/a"], by);
      inside += 1;
      most = Math.max(most, inside);
      await Promise.resolve();
      inside -= 1;
      turn.release();
    }
  });

  await Promise.all(work);

  expect(most).toBe(1);
});

test.each([
  ["many paths", Array.from({ length: 5000 }, (_, index) => `/w/d/${index}`)],
  ["a path as long as paths are", ["/w/d".padEnd(4090, "/d")]],
])("%s are claimed by the directory that holds them", async (_, paths) => {
  await turns().take(paths, one);

  const inside = turns().take(["/w/d"], other);
  const outside = await turns().take(["/v"], other);

  await expect(inside).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(outside).toBeDefined();
});

test("where claims cannot be kept, nothing waits, and it says why", async () => {
  writeFileSync(at("turns"), "a file");

  const taken = [await turns().take(["/w/a"], one), await turns().take(["/w/a"], other)];

  expect(taken).toHaveLength(2);
  expect(turns().whyOff()).toBe(`${at("turns")} cannot be used.`);
});

test("a directory that is not private is not used, but the next one", async () => {
  // Like a directory that another user created first.
  mkdirSync(at("planted"));
  chmodSync(at("planted"), 0o777);
  const both = localPathTurns({ directories: [at("planted"), at("turns")], maxWaitMs: 0 });

  await both.take(["/w/a"], one);

  await expect(both.take(["/w/a"], other)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(both.whyOff()).toBeUndefined();
  expect(readdirSync(at("planted"))).toEqual([]);
  expect(readdirSync(at("turns"))).toHaveLength(1);
});

test("a turn that was taken before the first directory was planted still counts", async () => {
  await turns().take(["/w/a"], one);
  const second = localPathTurns({ directories: [at("first"), at("turns")], maxWaitMs: 0 });

  const refused = second.take(["/w/a"], other);

  await expect(refused).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("a wait ends at once when it is aborted, and leaves no claim", async () => {
  await turns().take(["/w/a"], one);
  const abort = new AbortController();
  const waiting = turns(600_000).take(["/w/a"], other, abort.signal);

  abort.abort();

  await expect(waiting).rejects.toMatchObject({
    code: "ABORTED",
    message: `The call was aborted while it waited for Write (a) of another haft program (process ${process.pid}), which is changing /w/a.`,
    hint: "Nothing was changed.",
  });
  expect(readdirSync(at("turns"))).toHaveLength(1);
});

test("one that was aborted has its turn where nobody is in the way", async () => {
  const turn = await turns().take(["/w/a"], one, AbortSignal.abort());

  expect(readdirSync(at("turns"))).toHaveLength(1);
  turn.release();
});

test("a call of a very long name has its turn, and no more than its paths", async () => {
  await turns().take(["/w/a"], { ...one, what: "x".repeat(100_000) });

  const same = turns().take(["/w/a"], other);
  const another = await turns().take(["/w/b"], other);

  await expect(same).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(another).toBeDefined();
});

test("of calls that wait for each other, the later is refused at once and the other has its turn", async () => {
  const [a, b] = [
    { ...one, callId: "a" },
    { ...other, callId: "b" },
  ];
  const [mine, its] = [turns(30_000), turns(30_000)];
  await mine.take(["/w/a"], a);
  const held = await its.take(["/w/nested/b"], b);
  const waiting = mine.take(["/w/nested"], a);
  await expect.poll(() => readdirSync(at("turns")).length).toBeGreaterThan(2);

  const refused = its.take(["/w/a"], b);

  await expect(refused).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `/w/a is being changed by Write (a) of another haft program (process ${process.pid}), and it waits for this call.`,
  });
  held.release();
  (await waiting).release();
});

test("a circle of three programs is found as well, and leaves no claim of the one that gave up", async () => {
  const names = ["x", "y", "z"];
  const all = names.map((name) => ({
    turns: turns(30_000),
    holder: { by: `${own} ${name}`, what: `Bash (${name})`, callId: name },
  }));
  const held = await Promise.all(
    all.map(async (each, index) => await each.turns.take([`/w/${index}`], each.holder)),
  );

  const ends = await Promise.all(
    all.map(async (each, index) => {
      const next = `/w/${(index + 1) % 3}`;
      const end = await each.turns.take([next], each.holder).catch((error: unknown) => error);
      held[index]?.release();
      if (!(end instanceof Error)) (end as { release: () => void }).release();
      return end instanceof Error ? "refused" : "done";
    }),
  );

  expect(ends.toSorted()).toEqual(["done", "done", "refused"]);
  expect(readdirSync(at("turns"))).toEqual([]);
});

test("a call that waits without holding anything is in no circle", async () => {
  const [mine, its] = [turns(30_000), turns(30_000)];
  const first = await mine.take(["/w/a"], { ...one, callId: "a" });
  const second = await its.take(["/w/b"], { ...other, callId: "b" });
  const order: string[] = [];
  const wait = async (by: typeof mine, path: string, holder: typeof one): Promise<void> => {
    const turn = await by.take([path], { ...holder, callId: "further" });
    order.push(path);
    turn.release();
  };
  const waiting = [wait(mine, "/w/b", one), wait(its, "/w/a", other)];

  first.release();
  second.release();
  await Promise.all(waiting);

  expect(order.toSorted()).toEqual(["/w/a", "/w/b"]);
});

/** Writes a claim as another program does, whose owner is this process. */
function plant(name: string, claim: object): string {
  mkdirSync(at("turns"), { mode: 0o700, recursive: true });
  const file = at(`turns/${name}`);
  symlinkSync(JSON.stringify({ ...other, callId: "b", ...claim }), file);
  return file;
}

test("calls that only ask for the same path at the same time wait for each other in no circle", async () => {
  const mine = turns(30_000);
  const held = await mine.take(["/w/a"], { ...one, callId: "a" });
  plant("0-held", { paths: ["/w/b"] });
  plant("0-wait", { paths: ["/w/c"], isWaiting: true });
  const request = plant("z-request", { paths: ["/w/c"] });
  const taking = mine.take(["/w/c"], { ...one, callId: "a" });

  // The other program sees the earlier request and withdraws its own.
  setTimeout(() => rmSync(request, { force: true }), 50);

  await expect(taking).resolves.toBeDefined();
  held.release();
});

test("a call that gets other paths while it waits is seen to wait from then on", async () => {
  const [mine, its] = [turns(30_000), turns(30_000)];
  const [a, b] = [
    { ...one, callId: "a" },
    { ...other, callId: "b" },
  ];
  await its.take(["/w/b"], b);
  const waiting = mine.take(["/w/b"], a);
  const further = await mine.take(["/w/a"], a);
  const itsTurn = its.take(["/w/a"], b);

  await expect(waiting).rejects.toMatchObject({
    message: expect.stringMatching(/and it waits for this call\.$/u),
  });
  further.release();
  (await itsTurn).release();
});

test("the work of a call waits for none of the calls around it, and what comes after does", async () => {
  const outer = { ...one, callId: "a" };
  const inner = { ...other, callId: "b" };
  await turns().take(["/w/a"], outer);
  await turns().take(["/w/b"], inner);
  const takeBoth = async () => await turns().take(["/w/a", "/w/b"], { by: `${own} 3`, what: "x" });

  const inside = turns().inside(outer, () =>
    turns().inside(inner, async () => {
      await new Promise(setImmediate);
      return await takeBoth();
    }),
  );
  const parallel = turns().inside(inner, takeBoth);

  await expect(parallel).rejects.toMatchObject({ code: "UNAVAILABLE" });
  (await inside).release();
  await expect(takeBoth()).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("what a call leaves running waits once the call has returned", async () => {
  const outer = { ...one, callId: "a" };
  await turns().take(["/w/a"], outer);
  const gate = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;

  await turns().inside(outer, async () => {
    late = gate.promise.then(() => turns().take(["/w/a"], { by: `${own} 3`, what: "x" }));
    await new Promise(setImmediate);
  });
  gate.resolve();

  await expect(late).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
