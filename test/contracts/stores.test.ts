import { afterEach, describe, expect, test } from "vitest";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStore, filesOf, localStore, memoryStore } from "../../src/host/store/index.ts";
import { systemClock } from "../../src/host/clock.ts";
import { storeContract } from "../../src/testing/index.ts";
import { storeAreas, type Store, type StoreArea } from "../../src/core/index.ts";
import { withoutFiles } from "../support/plain-store.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "haft-store-"));
  folders.push(made);
  return made;
}

describe("store contract", () => {
  const open = {
    memory: async () => ({ store: memoryStore() }),
    local: async () => {
      const directory = join(await newFolder(), "data");
      return {
        store: await localStore(directory),
        again: async () => await localStore(directory),
      };
    },
    "files of areas": async () => ({ store: ofFiles(withoutFiles(memoryStore())) }),
  };
  for (const [name, opened] of Object.entries(open)) {
    test.each(storeContract(name, opened))("$name", async ({ run }) => await run());
  }
});

test("a data directory keeps its layout", async () => {
  const directory = await newFolder();
  const store = await localStore(directory);
  const bytes = new TextEncoder().encode("x");

  await store.area("trust").replace("trust.json", bytes);
  await store.area("settings").replace("saved-rules.json", bytes);
  await store.area("journal").replace("log/0000000001.jsonl", bytes);
  await store.area("journal").replace("undo/call.json", bytes);
  await store.area("tasks").replace("task-1.json", bytes);
  await store.area("artifacts").replace("call.txt", bytes);

  expect((await readdir(directory, { recursive: true })).toSorted()).toEqual([
    "artifacts",
    "artifacts/call.txt",
    "journal",
    "journal/log",
    "journal/log/0000000001.jsonl",
    "saved-rules.json",
    "tasks",
    "tasks/task-1.json",
    "trust.json",
    "undo",
    "undo/call.json",
  ]);
});

test("an area lists what an earlier version left next to its directory, and nothing else", async () => {
  const directory = await newFolder();
  await mkdir(join(directory, "undo"));
  await writeFile(join(directory, "undo", "call.json"), "old");
  await writeFile(join(directory, "trust.json"), "{}");
  const store = await localStore(directory);

  const names = await Promise.all(
    storeAreas.map(async (area) => [area, await namesIn(store.area(area))] as const),
  );

  expect(Object.fromEntries(names)).toEqual({
    journal: ["undo/call.json"],
    trust: ["trust.json"],
    settings: [],
    tasks: [],
    artifacts: [],
    sessions: [],
  });
});

test("a local store needs an absolute path", async () => {
  await expect(localStore("data")).rejects.toThrow("localStore takes an absolute path.");
});

async function namesIn(area: StoreArea): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of area.list()) names.push(name);
  return names;
}

/** The store as its files show it, which haft builds from the areas: the laws hold for them too. */
function ofFiles(store: Store): Store {
  const shown = fileStore({ files: filesOf(store), clock: systemClock, isOnDisk: false });
  return {
    area: (areaName) => ({
      ...shown.area(areaName),
      lock: async (name, options) => await store.area(areaName).lock(name, options),
    }),
  };
}
