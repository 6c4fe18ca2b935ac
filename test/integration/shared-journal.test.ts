import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openWork } from "../support/staged-work.ts";
import { moduleFlags } from "../support/from-source.ts";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-shared-")));
const workers = [0, 1, 2, 3];
const calls = 15;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const support = path.join(import.meta.dirname, "../support/staged-work.ts");
const hostModule = path.join(import.meta.dirname, "../../src/host/index.ts");
const program = `
  import { writeFileSync } from "node:fs";
  const { openWork } = await import(${JSON.stringify(support)});
  const [name] = process.argv.slice(1);
  const { journal, close } = await openWork(${JSON.stringify(folder)});
  const path = ${JSON.stringify(`${folder}/`)} + name;
  for (let index = 1; index <= ${calls}; index += 1) {
    const write = { kind: "write", path, scope: "file", change: "modify" };
    await journal.checkpoint(name + "." + index, [write], { tool: "Write" });
    writeFileSync(path, String(index).padStart(20_000, name));
    await journal.settle(name + "." + index);
  }
  await close();
`;

test("programs that share a journal lose nothing of each other's", async () => {
  for (const worker of workers) writeFileSync(path.join(folder, `${worker}`), "start");
  await Promise.all(
    workers.map(async (worker) => {
      const words = [...moduleFlags, program, `${worker}`];
      const [code] = (await once(spawn(process.execPath, words, { stdio: "inherit" }), "exit")) as [
        number,
      ];
      expect(code).toBe(0);
    }),
  );
  const { journal, close } = await openWork(folder);
  const history = await journal.history();
  const all = { calls: history.length, states: new Set(history.map(({ state }) => state)) };
  const { kept } = await journal.undo({ last: history.length });
  await close();

  expect(all).toEqual({ calls: workers.length * calls, states: new Set(["done"]) });
  for (const worker of workers) {
    const own = history.filter(({ callId }) => callId.startsWith(`${worker}.`));
    expect(own.map(({ callId }) => callId)).toEqual(
      Array.from({ length: calls }, (_, index) => `${worker}.${calls - index}`),
    );
    expect(readFileSync(path.join(folder, `${worker}`), "utf8")).toBe("start");
  }
  expect(kept).toEqual([]);
}, 60_000);

const restless = `
  import { writeFileSync } from "node:fs";
  const { openWork } = await import(${JSON.stringify(support)});
  const { localPathTurns } = await import(${JSON.stringify(hostModule)});
  const [folder, name, waiting] = process.argv.slice(1);
  const turns = waiting === "turns" ? localPathTurns({ directories: [folder + "/turns"] }) : undefined;
  const path = folder + "/" + name;
  const expected = new Set(["STALE_READ", "NOT_FOUND", "UNAVAILABLE"]);
  const attempt = async (work) => {
    try {
      await work();
    } catch (error) {
      if (!expected.has(error.code)) throw error;
    }
  };
  const { journal, close } = await openWork(folder, undefined, { turns });
  console.log("ready");
  for (let index = 1; index <= 8; index += 1) {
    const id = name + "." + index;
    await journal.checkpoint(id, [{ kind: "write", path, scope: "file", change: "modify" }], { tool: "Write" });
    writeFileSync(path, id.padStart(5000, name));
    await journal.settle(id);
    await attempt(() => journal.undo({ last: 1 }));
    if (index % 2 === 0) await attempt(() => journal.redo());
  }
  await close();
`;

test.each([
  { how: "take turns", waiting: "turns" },
  { how: "take no turns", waiting: "none" },
])(
  "processes that $how undo and redo each other's calls, one is killed: files are whole and undo is complete",
  async ({ waiting }) => {
    const shared = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-shared-")));
    try {
      for (const worker of workers) writeFileSync(path.join(shared, `${worker}`), "start");
      const ends = await Promise.all(
        workers.map(async (worker) => {
          const words = [...moduleFlags, restless, shared, `${worker}`, waiting];
          const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
          const exit = once(child, "exit");
          if (worker === 0) {
            await once(child.stdout, "data");
            // In the middle of something, at whichever point that is.
            setTimeout(() => child.kill("SIGKILL"), 30);
          }
          return await exit;
        }),
      );
      expect(ends.slice(1)).toEqual(workers.slice(1).map(() => [0, null]));
      const { journal, close } = await openWork(shared);
      await journal.recover();
      const standing = (await journal.history()).filter(({ state }) => state !== "undone");
      for (const worker of workers) {
        const text = readFileSync(path.join(shared, `${worker}`), "utf8");
        expect(text === "start" || text.length === 5000).toBe(true);
      }
      // The content that was being written when its program was killed is unknown, so that is forced.
      if (standing.length > 0) await journal.undo({ last: standing.length }, { force: true });
      await close();

      for (const worker of workers) {
        expect(readFileSync(path.join(shared, `${worker}`), "utf8")).toBe("start");
      }
    } finally {
      rmSync(shared, { recursive: true, force: true });
    }
  },
  60_000,
);
