import { expect, test } from "vitest";
import type { HostFs } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";
import { journalOwner, ownTurn, type OwnTurn } from "./owner.ts";

const directory = "/data/journal";
const file = "/project/a.txt";
const write = { kind: "write", path: file, scope: "file", change: "modify" } as const;

/** Two journals in one directory; one stops in the middle of an undo until it may continue. */
async function world({ isRunning }: { readonly isRunning: boolean | undefined }) {
  const host = memoryHost({ files: { [file]: "before" } });
  const inMiddle = Promise.withResolvers<void>();
  const goingOn = Promise.withResolvers<void>();
  let isStopping = false;
  const slow: HostFs = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      return (...given: unknown[]): unknown => {
        const act = (): unknown => Reflect.apply(method, target, given);
        if (key !== "writeAtomic" || !isStopping || given[0] !== file) return act();
        inMiddle.resolve();
        return goingOn.promise.then(act);
      };
    },
  });
  const clock = {
    ...host.clock,
    now: () => host.clock.now(),
    sleep: async (): Promise<void> => {
      goingOn.resolve();
      await first;
    },
  };
  const one = createJournal({
    host: { fs: slow, clock },
    directory,
    processes: { own: "1/a", isRunning: () => true },
  });
  const other = createJournal({
    host: { fs: host.fs, clock },
    directory,
    processes: { own: "2/b", isRunning: () => isRunning },
  });
  await one.checkpoint("c1", [write], { tool: "Write" });
  await host.fs.writeAtomic(file, new TextEncoder().encode("after"));
  await one.settle("c1");
  isStopping = true;
  const first = one.undo({ last: 1 });
  await inMiddle.promise;
  return { host, one, other, first, letGo: () => goingOn.resolve() };
}

test("an undo that another program is at is left to it", async () => {
  const { host, other, first, letGo } = await world({ isRunning: true });

  expect(await other.recover()).toEqual([]);
  expect(host.control.texts()[file]).toBe("after");
  letGo();
  await first;

  expect(host.control.texts()[file]).toBe("before");
  expect((await other.history()).map(({ state }) => state)).toEqual(["undone"]);
});

test("an undo waits for the one of another program, and takes nothing back twice", async () => {
  const { host, other, first } = await world({ isRunning: true });

  await expect(other.undo({ last: 1 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await first;

  expect(host.control.texts()[file]).toBe("before");
  await other.redo();
  expect(host.control.texts()[file]).toBe("after");
  await expect(other.redo()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an undo whose program is gone is finished", async () => {
  const { host, other } = await world({ isRunning: false });
  const left = "/project/.a.txt.0123456789ab.draft";
  const others = [
    "/project/.b.txt.0123456789ab.draft",
    "/project/.a.txt.draft",
    "/project/a.txt.0123456789ab.draft",
    "/.a.txt.0123456789ab.draft",
  ];
  for (const path of [left, ...others]) host.control.plant(path, { kind: "file", content: "" });

  expect((await other.recover()).map(({ calls }) => calls)).toEqual([["c1"]]);

  const texts = host.control.texts();
  expect(texts[file]).toBe("before");
  // Its unfinished draft is removed, and similar names are not.
  expect(texts).not.toHaveProperty([left]);
  for (const path of others) expect(texts).toHaveProperty([path]);
});

test("a call that another program still runs is not undone, also when it is taken for an interrupted one", async () => {
  const { host, one, other, first, letGo } = await world({ isRunning: true });
  letGo();
  await first;
  await one.checkpoint("c2", [write], { tool: "Write" });
  await host.fs.writeAtomic(file, new TextEncoder().encode("half"));

  for (const target of [{ last: 1 }, { call: "c2" }]) {
    await expect(other.undo(target)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  }
  expect(host.control.texts()[file]).toBe("half");
});

test("an undo of which nobody can tell whether its program runs is left to it for a minute", async () => {
  const { host, other } = await world({ isRunning: undefined });

  expect(await other.recover()).toEqual([]);
  expect(host.control.texts()[file]).toBe("after");
  host.control.advance(60_000);
  expect((await other.recover()).map(({ calls }) => calls)).toEqual([["c1"]]);
  expect(host.control.texts()[file]).toBe("before");
});

test("what another thread of this process is at is left to it for as long as nothing of a journal takes", () => {
  const { clock } = memoryHost();
  const processes = { own: "1/a", isRunning: () => true };
  const owner = journalOwner(processes, clock);
  const isElsewhere = (by: string, age: number): boolean =>
    owner.isElsewhere({ by, at: clock.now() - age });

  expect(isElsewhere("1/a 0123abcd", 1000)).toBe(true);
  expect(isElsewhere("1/a 0123abcd", 60_000)).toBe(false);

  const closed = journalOwner(processes, clock);
  const { by = "" } = closed.mark;
  closed.open();
  expect(isElsewhere(by, 60_000)).toBe(true);
  closed.close();
  expect(isElsewhere(by, 1000)).toBe(false);
});

test("of a journal that was closed a thousand others ago nobody can tell either", () => {
  const { clock } = memoryHost();
  const processes = { own: "1/b", isRunning: () => true };
  const closed = (): string => {
    const owner = journalOwner(processes, clock);
    owner.open();
    owner.close();
    return owner.mark.by ?? "";
  };
  const owner = journalOwner(processes, clock);
  const [oldest = "", ...others] = Array.from({ length: 1001 }, closed);

  expect(owner.isElsewhere({ by: oldest, at: clock.now() })).toBe(true);
  expect(others.filter((by) => owner.isElsewhere({ by, at: clock.now() }))).toEqual([]);
});

const draftMarkOf = (name: string): string => `00000${name.slice(0, 1)}`;

test.for([
  {
    isRunning: false,
    left: ["/project/.a.txt.00000b0123456789ab.draft", "/project/.a.txt.0123456789ab.draft"],
  },
  { isRunning: true, left: undefined },
  { isRunning: undefined, left: undefined },
])(
  "a draft of a killed call is removed by the next program, if its own is gone: running $isRunning",
  async ({ isRunning, left }) => {
    const host = memoryHost({ files: { "a.txt": "before" } });
    const processes = (own: string) => ({ own, isRunning: () => isRunning, draftMarkOf });
    const killed = createJournal({ host, directory, processes: processes("a/1") });
    await killed.checkpoint("c1", [write], { tool: "Write" });
    const drafts = [
      "/project/.a.txt.00000a0123456789ab.draft",
      // Drafts of other processes, which may still be writing.
      "/project/.a.txt.00000b0123456789ab.draft",
      "/project/.a.txt.0123456789ab.draft",
    ];
    for (const path of drafts) host.control.plant(path, { kind: "file", content: "half" });

    await createJournal({ host, directory, processes: processes("b/2") }).recover();

    const texts = Object.keys(host.control.texts()).filter((path) => path.endsWith(".draft"));
    expect(texts).toEqual(left ?? drafts.toSorted((one, other) => (one < other ? -1 : 1)));
  },
);

test.each([
  { record: { kind: "undo" }, what: "An undo or redo in another haft process is" },
  {
    record: { kind: "call", tool: "Bash", callId: "c1", state: "applying" },
    what: "The changes of Bash (c1) in another haft process are",
  },
])("a wait that cannot go on names what it waits for: $what", async ({ record, what }) => {
  const found = [{ ...record, steps: [{ path: file }] }];
  const records = {
    undos: async () => await Promise.resolve(record.kind === "undo" ? found : []),
    calls: async () => await Promise.resolve(record.kind === "call" ? found : []),
  };
  const turn = { records, clock: {}, owner: { isElsewhere: () => true } } as unknown as OwnTurn;

  await expect(ownTurn([file], turn)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `${what} still being written to ${file}.`,
  });
});
