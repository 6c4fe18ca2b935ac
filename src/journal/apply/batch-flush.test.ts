import { expect, test } from "vitest";
import type { HostFs } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";

const directory = "/data/journal";
const names = Array.from({ length: 600 }, (_, index) => `${index}.txt`);
const old = (name: string): string => `old ${name} ${"x".repeat(2000)}`;

/** Project of many files on a host that supports flush, with a record of its operations. */
async function world() {
  const host = memoryHost({
    files: Object.fromEntries(names.map((name) => [name, old(name)])),
    root: "/project",
  });
  const taken: string[] = [];
  const safe = new Set<string>();
  let held = 0;
  let most = 0;
  let isFailing = false;
  const own: Pick<HostFs, "flush" | "writeAtomic"> = {
    async flush(paths) {
      taken.push("flush");
      most = Math.max(most, paths.length);
      if (isFailing) throw new Error("The disk is broken.");
      for (const path of paths) safe.add(path);
    },
    async writeAtomic(path, data, options) {
      held += 1;
      if (options?.hold === undefined) taken.push("single");
      try {
        await options?.hold?.({ path: `${path}.draft`, flush: async () => undefined });
      } finally {
        held -= 1;
      }
      expect(options?.hold === undefined || safe.delete(`${path}.draft`)).toBe(true);
      taken.push("visible");
      return host.fs.writeAtomic(path, data, options);
    },
  };
  const fs: HostFs = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(own, key) ?? Reflect.get(target, key);
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
  const journal = createJournal({ host: { fs, clock: host.clock }, directory });
  const writes = names.map((name) => {
    return { kind: "write", path: `/project/${name}`, scope: "file", change: "any" } as const;
  });
  const edit = async (): Promise<void> => {
    for (const name of names) {
      await host.fs.writeAtomic(`/project/${name}`, new TextEncoder().encode(`new ${name}`));
    }
    await journal.settle("1");
  };
  /** Number of files that start with this word. */
  const begunBy = (age: string): number =>
    Object.entries(host.control.texts()).filter(
      ([path, text]) => path.startsWith("/project/") && text.startsWith(age),
    ).length;
  return {
    host,
    edit,
    begunBy,
    journal,
    taken,
    begin: async () => await journal.checkpoint("1", writes, { tool: "Write" }),
    fail: (is: boolean) => {
      isFailing = is;
    },
    states: () => ({ held, most }),
  };
}

function countOf(taken: readonly string[], step: string): number {
  return taken.filter((each) => each === step).length;
}

test("of many files the disk is waited for a few times, and each is seen only when it is safe", async () => {
  const { journal, taken, begin, edit, begunBy, states } = await world();
  await begin();
  const kept = taken.splice(0);
  await edit();
  taken.splice(0);

  await journal.undo({ last: 1 });

  expect(begunBy("old")).toBe(600);
  expect(countOf(taken, "visible")).toBe(600);
  expect(countOf(taken, "flush")).toBe(3);
  // Contents too large for the log: a few singly, the others together, and the last one makes all names durable.
  expect(countOf(kept, "flush")).toBe(2);
  expect(countOf(kept, "single")).toBe(18);
  expect(kept.slice(-2)).toEqual(["single", "visible"]);
  expect(states()).toEqual({ held: 0, most: 200 });
});

test("where the disk fails an undo changes nothing, and the next one does all", async () => {
  const { journal, begin, edit, begunBy, fail, states } = await world();
  await begin();
  await edit();
  fail(true);

  await expect(journal.undo({ last: 1 })).rejects.toThrow("The disk is broken.");
  expect(begunBy("new")).toBe(600);
  fail(false);
  await journal.undo({ last: 1 });

  expect(begunBy("old")).toBe(600);
  expect(states().held).toBe(0);
});

test("where the disk fails a call does not run, and the next one does not rely on what is not there", async () => {
  const { host, journal, begin, edit, begunBy, fail } = await world();
  fail(true);
  await expect(begin()).rejects.toThrow("The disk is broken.");
  fail(false);

  await begin();

  const [name] = (await host.fs.readFile("/project/99.txt")).hash.split(":").slice(-1);
  const texts = Object.entries(host.control.texts());
  const isKept = ([path, text]: readonly [string, string]): boolean =>
    path.endsWith(`sha256-${name}`) || (path.includes("/log/") && text.includes(`sha256:${name}`));
  expect(texts.some(isKept)).toBe(true);
  await edit();
  await journal.undo({ last: 1 });
  expect(begunBy("old")).toBe(600);
});
