import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { localStore, memoryStore } from "../../src/host/store/index.ts";
import { createToolkit } from "../../src/kit/index.ts";
import { kitLibrary, kitTasks } from "../../src/server/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("local-host-store");
const bash = (command: string) => ({ name: "Bash", input: { command } });

test("commands on this machine run, keep their directory and are undone with a store in memory", async () => {
  mkdirSync(at("work"));
  const kit = await createToolkit({
    workspace: at("work"),
    store: memoryStore(),
    mode: "acceptEdits",
    rules: { allow: ["Bash"] },
  });

  await kit.call(bash("mkdir sub; cd sub"));
  const { text } = await kit.call(bash("pwd"));
  await kit.call({ name: "Write", input: { file_path: at("work/a.txt"), content: "x" } });
  await kit.undo({ last: 1 });
  await kit.dispose();

  expect(text).toContain(at("work/sub"));
  expect(readdirSync(at("work"))).toEqual(["sub"]);
  expect(existsSync(kit.storage.directory)).toBe(false);
});

test("MCP clients find artifacts and tasks of a store in memory, and nothing is on the disk", async () => {
  mkdirSync(at("work"));
  const kit = await createToolkit({
    workspace: at("work"),
    store: memoryStore(),
    rules: { allow: ["Bash"] },
    maxChars: 2000,
  });
  await kit.call(bash("seq 1 20000"));
  const tasks = await kitTasks(async () => kit).store();
  const record = {
    id: crypto.randomUUID(),
    tool: "Bash",
    callId: "mcp-1",
    status: "working",
    createdAt: Date.now(),
    updatedAt: Date.now(),
    ttlMs: 60_000,
  } as const;
  await tasks.save(record);

  const library = kitLibrary(kit);
  const uris = (await library.resources()).map(({ uri }) => uri);
  const artifact = uris.find((uri) => uri.startsWith("haft://artifacts/")) ?? "";
  const [read] = (await library.read(artifact)) ?? [];
  const stored = await (await kitTasks(async () => kit).store()).get(record.id);
  await kit.dispose();

  expect(read).toMatchObject({ text: expect.stringContaining("\n12345\n") });
  expect(stored).toEqual({ record, isOwned: true });
  expect(existsSync(kit.storage.directory)).toBe(false);
});

test("a data directory of earlier toolkits opens unchanged as a store", async () => {
  mkdirSync(at("work"));
  const common = { workspace: at("work"), mode: "acceptEdits" } as const;
  const earlier = await createToolkit({ ...common, dataDirectory: at("data") });
  await earlier.call({ name: "Write", input: { file_path: at("work/a.txt"), content: "x" } });
  await earlier.dispose();
  const format = readFileSync(at("data/journal/format.json"), "utf8");

  const later = await createToolkit({ ...common, store: await localStore(at("data")) });
  const history = await later.history();
  await later.undo({ last: 1 });
  await later.dispose();

  expect(history).toHaveLength(1);
  expect(readdirSync(at("work"))).toEqual([]);
  expect(readFileSync(at("data/journal/format.json"), "utf8")).toBe(format);
});
