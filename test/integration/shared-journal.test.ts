import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openWork } from "../support/staged-work.ts";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-shared-")));
const workers = [0, 1, 2, 3];
const calls = 15;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const support = path.join(import.meta.dirname, "../support/staged-work.ts");
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
      const words = ["--input-type=module", "-e", program, `${worker}`];
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
