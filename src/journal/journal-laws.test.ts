import * as fc from "fast-check";
import { expect, test } from "vitest";
import { joinPath, parentPath } from "../text/index.ts";
import { ToolError, type HostAppender, type HostFs, type WriteEffect } from "../core/index.ts";
import { memoryHost, type MemoryHost } from "../host/index.ts";
import { createJournal, type Journal } from "./journal.ts";
import { runs } from "../../test/support/law-runs.ts";

const root = "/project";
const directory = "/data/journal";

/** Memory host with an entry of each kind. */
function completeHost(): MemoryHost {
  const host = memoryHost({
    root,
    files: { "a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c", "run.sh": "#!" },
  });
  host.control.plant("link", { kind: "symlink", target: "a.txt" });
  host.control.plant("empty", { kind: "directory", mode: 0o700 });
  host.control.plant("run.sh", { kind: "file", content: "#!", mode: 0o755 });
  return host;
}

/** Kind, mode, time and content of everything below a path, by path. */
async function treeOf(fs: HostFs, path: string = root): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for await (const { name } of fs.list(path)) {
    const at = joinPath(path, name);
    const { kind, mode, mtimeMs } = await fs.stat(at);
    if (kind === "file") {
      const { bytes } = await fs.readFile(at);
      tree[at] = `${mode.toString(8)} ${mtimeMs} ${new TextDecoder().decode(bytes)}`;
    } else if (kind === "symlink") tree[at] = `-> ${await fs.readLink(at)}`;
    else {
      tree[at] = `${mode.toString(8)}/`;
      Object.assign(tree, await treeOf(fs, at));
    }
  }
  // Sorted, so that two equal trees are equal as text.
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const somePath = fc
  .constantFrom(
    "a.txt",
    "run.sh",
    "link",
    "d",
    "d/b.txt",
    "d/e",
    "d/e/c.txt",
    "empty",
    "new",
    "new/x",
    "new/y/z",
  )
  .map((path) => joinPath(root, path));
const someText = fc.constantFrom("", "1", "2", "3");
const change = fc.oneof(
  fc.record({
    kind: fc.constant("write" as const),
    path: somePath,
    text: someText,
  }),
  fc.record({ kind: fc.constant("remove" as const), path: somePath }),
  fc.record({ kind: fc.constant("mkdir" as const), path: somePath }),
  fc.record({
    kind: fc.constant("link" as const),
    path: somePath,
    text: fc.constantFrom("a.txt", "d"),
  }),
  fc.record({
    kind: fc.constant("mode" as const),
    path: somePath,
    mode: fc.constantFrom(0o700, 0o755, 0o750),
  }),
  fc.record({ kind: fc.constant("move" as const), path: somePath, to: somePath }),
);

type SomeChange = typeof change extends fc.Arbitrary<infer C> ? C : never;

/** Makes a change as far as the host allows. */
async function act(host: MemoryHost, some: SomeChange): Promise<void> {
  const { fs } = host;
  try {
    switch (some.kind) {
      case "write":
        await fs.mkdir(parentPath(some.path));
        await fs.writeAtomic(some.path, new TextEncoder().encode(some.text));
        break;
      case "remove":
        await fs.remove(some.path, { recursive: true });
        break;
      case "mkdir":
        await fs.mkdir(some.path);
        break;
      case "link":
        await failureOf(fs.remove(some.path, { recursive: true }));
        await fs.makeLink?.(some.path, some.text);
        break;
      case "mode":
        if ((await fs.stat(some.path)).kind !== "symlink") await fs.setMode?.(some.path, some.mode);
        break;
      case "move":
        await fs.move(some.path, some.to);
        break;
    }
  } catch {
    // The call did not make a change that the host refused.
  }
}

const whole: readonly WriteEffect[] = [{ kind: "write", path: root, scope: "tree", change: "any" }];
const declared = (changes: readonly SomeChange[]): readonly WriteEffect[] =>
  changes.flatMap((some) =>
    [some.path, ...(some.kind === "move" ? [some.to] : [])].map((path): WriteEffect => {
      // Writing, linking and the like create one entry; removing and moving affect everything below.
      const scope =
        some.kind === "remove" || some.kind === "move" || some.kind === "link" ? "tree" : "file";
      return { kind: "write", path, scope, change: "any" };
    }),
  );

const calls = fc.array(
  fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 4 }), isWhole: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

type SomeCalls = typeof calls extends fc.Arbitrary<infer C> ? C : never;

/** Runs every call and returns the tree before the first and after each that changed something. */
async function runAll(
  host: MemoryHost,
  journal: Journal,
  all: SomeCalls,
): Promise<Record<string, string>[]> {
  const trees = [await treeOf(host.fs)];
  for (const [index, { changes, isWhole }] of all.entries()) {
    host.control.advance(index % 2 === 0 ? 5000 : 1);
    await journal.checkpoint(`call-${index}`, isWhole ? whole : declared(changes), {
      tool: "Test",
    });
    for (const some of changes) await act(host, some);
    const entry = await journal.settle(`call-${index}`);
    const tree = await treeOf(host.fs);
    expect(entry === undefined).toBe(JSON.stringify(tree) === JSON.stringify(trees.at(-1)));
    if (entry !== undefined) trees.push(tree);
  }
  return trees;
}

test("undone one by one, every tree on the way is exactly as it was; redone, too", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const host = completeHost();
      const journal = createJournal({ host, directory });
      const trees = await runAll(host, journal, all);

      for (const tree of trees.slice(0, -1).toReversed()) {
        const { kept } = await journal.undo({ last: 1 });
        expect(kept).toEqual([]);
        expect(await treeOf(host.fs)).toEqual(tree);
      }
      for (const tree of trees.slice(1)) {
        await journal.redo();
        expect(await treeOf(host.fs)).toEqual(tree);
      }
    }),
    { numRuns: runs(150) },
  );
});

test("undone all at once, also by another process, the tree is exactly as it was", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const host = completeHost();
      const trees = await runAll(host, createJournal({ host, directory }), all);
      fc.pre(trees.length > 1);
      const journal = createJournal({ host, directory });

      await journal.undo({ last: trees.length });
      expect(await treeOf(host.fs)).toEqual(trees[0]);
      await journal.redo();
      expect(await treeOf(host.fs)).toEqual(trees.at(-1));
    }),
    { numRuns: runs(100) },
  );
});

test("an edit from outside is never lost: undo refuses, or the edit is not touched by it", async () => {
  await fc.assert(
    fc.asyncProperty(calls, somePath, async (all, path) => {
      const host = completeHost();
      const journal = createJournal({ host, directory });
      const trees = await runAll(host, journal, all);
      fc.pre(trees.length > 1);
      await failureOf(host.fs.writeAtomic(path, new TextEncoder().encode("outside")));
      const edited = await treeOf(host.fs);
      const mine = Object.entries(edited).filter(([, text]) => text.endsWith("outside"));

      const refused = await failureOf(journal.undo({ last: trees.length }));
      expect(refused === undefined ? stale : codeOf(refused)).toBe(stale);
      const expected = refused === undefined ? mine : Object.entries(edited);
      const tree = await treeOf(host.fs);
      expect(expected.filter(([at, text]) => tree[at] !== text)).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

const stale = "STALE_READ";
const codeOf = (error: unknown): string | undefined =>
  ToolError.is(error) ? error.code : undefined;
const messageOf = (error: unknown): string | undefined =>
  error instanceof Error ? error.message : undefined;

/** Same file system, with a function called before every operation. */
function interceptedFs(fs: HostFs, enter: (key: string | symbol, path: string) => void): HostFs {
  const appender = async (path: string): Promise<HostAppender> => ({
    append: async (data) => {
      enter("append", path);
      await fs.append(path, data);
    },
    close: async () => undefined,
  });
  return new Proxy(fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      if (key === "appender") return appender;
      return (...given: unknown[]): unknown => {
        enter(key, String(given[0]));
        return Reflect.apply(method, target, given);
      };
    },
  });
}

/** Host on which every operation fails after this number of changes. */
function dyingHost(host: MemoryHost, after: number): Pick<MemoryHost, "fs" | "clock"> {
  let left = after;
  const fs = interceptedFs(host.fs, (key) => {
    if (changing.has(key)) left -= 1;
    if (left < 0) throw new Error("killed");
  });
  return { fs, clock: host.clock };
}

const changing: ReadonlySet<string | symbol> = new Set([
  "writeAtomic",
  "append",
  "mkdir",
  "remove",
  "move",
  "makeLink",
  "setMode",
  "setModified",
]);

const eventful: SomeCalls = [
  {
    isWhole: true,
    changes: [
      { kind: "write", path: "/project/a.txt", text: "1" },
      { kind: "remove", path: "/project/d" },
      { kind: "write", path: "/project/d", text: "2" },
      { kind: "mode", path: "/project/run.sh", mode: 0o700 },
    ],
  },
  {
    isWhole: true,
    changes: [
      { kind: "link", path: "/project/link", text: "d" },
      { kind: "write", path: "/project/new/y/z", text: "3" },
      { kind: "remove", path: "/project/empty" },
      { kind: "move", path: "/project/a.txt", to: "/project/new/x" },
    ],
  },
];

test("killed at any point of an undo or redo, the next process finishes it or finds it undone", async () => {
  for (let after = 0, ended = false; !ended; after += 1) {
    const host = completeHost();
    const trees = await runAll(host, createJournal({ host, directory }), eventful);
    const dying = createJournal({ host: dyingHost(host, after), directory });
    const failure = await failureOf(dying.undo({ last: 2 }).then(() => dying.redo()));
    ended = failure === undefined;
    expect(messageOf(failure) ?? "killed").toBe("killed");

    const next = createJournal({ host, directory });
    for (const { kept } of await next.recover()) expect(kept).toEqual([]);

    const history = await next.history();
    const isBack = history[0]?.state === "undone";
    expect(history.map(({ state }) => state)).toEqual(Array(2).fill(isBack ? "undone" : "done"));
    expect(await treeOf(host.fs)).toEqual(isBack ? trees[0] : trees[2]);
    // From either state, undo or redo leads to the other one.
    await (isBack ? next.redo() : next.undo({ last: 2 }));
    expect(await treeOf(host.fs)).toEqual(isBack ? trees[2] : trees[0]);
  }
});

/** Interrupts an undo and a redo at every point, and collects the work that the next process had to complete. */
async function recoveries(): Promise<
  readonly { readonly calls: readonly string[]; readonly state: string }[]
> {
  const found: { readonly calls: readonly string[]; readonly state: string }[] = [];
  for (let after = 0, ended = false; !ended; after += 1) {
    const host = completeHost();
    await runAll(host, createJournal({ host, directory }), eventful);
    const dying = createJournal({ host: dyingHost(host, after), directory });
    const failure = await failureOf(dying.undo({ last: 2 }).then(() => dying.redo()));
    ended = failure === undefined;
    const next = createJournal({ host, directory });
    const [recovered] = await next.recover();
    const [latest] = await next.history();
    if (recovered !== undefined) found.push({ calls: recovered.calls, state: latest?.state ?? "" });
  }
  return found;
}

test("an undo that was begun is finished, then a redo that was begun", async () => {
  const found = await recoveries();
  const states = found.map(({ state }) => state);

  expect(found[0]?.calls).toEqual(["call-1", "call-0"]);
  expect(found.at(-1)?.calls).toEqual(["call-0", "call-1"]);
  expect(states.indexOf("undone")).toBe(0);
  expect(states.lastIndexOf("undone")).toBeGreaterThan(5);
  expect(states.slice(states.lastIndexOf("undone") + 1).length).toBeGreaterThan(5);
  expect(new Set(states.slice(states.lastIndexOf("undone") + 1))).toEqual(new Set(["done"]));
});

test("killed before its checkpoint is durable, a call has not run; after, it can be undone", async () => {
  const knowns: boolean[] = [];
  for (let after = 0, ended = false; !ended; after += 1) {
    const host = completeHost();
    const before = await treeOf(host.fs);
    const dying = createJournal({ host: dyingHost(host, after), directory });
    const unkept = await failureOf(dying.checkpoint("1", whole, { tool: "Test" }));
    expect(messageOf(unkept) ?? "killed").toBe("killed");
    if (unkept !== undefined) continue;
    for (const some of eventful[0]?.changes ?? []) await act(host, some);
    ended = (await failureOf(dying.settle("1"))) === undefined;

    const next = createJournal({ host, directory });
    const refused = await failureOf(next.undo({ last: 1 }));
    knowns.push(refused === undefined);
    // The changes of an interrupted call are unknown, so the user has to force their loss.
    expect(messageOf(refused)).toBe(
      refused === undefined
        ? undefined
        : "Nothing was changed: /project/a.txt and 5 more are no longer as the call left it.",
    );
    const forced = await failureOf(next.undo({ last: 1 }, { force: true }));
    expect(codeOf(forced)).toBe(refused === undefined ? "NOT_FOUND" : undefined);
    expect(await treeOf(host.fs)).toEqual(before);
  }
  // The last step writes a note next to the log, without which the call is known completely anyway.
  expect(knowns).toEqual([...knowns.slice(0, -2).map(() => false), true, true]);
});

test("a failure in the middle of an undo is rolled back, and the next try goes through", async () => {
  for (let times = 0, ended = false; !ended; times += 1) {
    const host = completeHost();
    const trees = await runAll(host, createJournal({ host, directory }), eventful);
    let left = times;
    const failing = interceptedFs(host.fs, (key, path) => {
      if (!changing.has(key) || !path.startsWith(root)) return;
      left -= 1;
      if (left === -1) throw new Error("full");
    });
    const journal = createJournal({ host: { fs: failing, clock: host.clock }, directory });
    const failure = await failureOf(journal.undo({ last: 2 }));
    ended = failure === undefined;
    expect(messageOf(failure) ?? "full").toBe("full");
    expect(await treeOf(host.fs)).toEqual(ended ? trees[0] : trees[2]);

    const again = await failureOf(journal.undo({ last: 2 }));
    expect(codeOf(again)).toBe(ended ? "NOT_FOUND" : undefined);
    expect(await treeOf(host.fs)).toEqual(trees[0]);
  }
});
