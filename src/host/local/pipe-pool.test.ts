import { execFileSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { DirectLauncher } from "./direct-launcher.ts";
import { openOwnEnd, PipePool } from "./pipe-pool.ts";

const asked: (readonly string[])[] = [];
const withMkfifo = async ([program = "", ...words]: readonly string[]): Promise<boolean> => {
  asked.push(words);
  execFileSync(program, words);
  return true;
};

describe("pipes", () => {
  test("of two that share a folder never have the same name", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "haft-named-"));
    const pool = new PipePool(withMkfifo);
    const [one, two] = [pool.named(folder), pool.named(folder)];
    try {
      const taken = [...((await one.take(2)) ?? []), ...((await two.take(2)) ?? [])];

      expect(taken).toHaveLength(4);
      one.giveBack(taken.splice(0, 2));
      two.giveBack(taken);
      await one.dispose();
      await two.dispose();
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("are pipes, each taken once, and have no name", async () => {
    const pool = new PipePool(withMkfifo);
    const one = (await pool.take(3)) ?? [];
    const two = (await pool.take(3)) ?? [];

    expect(new Set([...one, ...two]).size).toBe(6);
    expect([...one, ...two].every((descriptor) => fstatSync(descriptor).isFIFO())).toBe(true);
    const folder = String(asked.at(-1)?.[2]).split("/").at(-2) ?? "";
    expect(folder).toMatch(/^haft-pipes-/u);
    expect(readdirSync(tmpdir())).not.toContain(folder);
    for (const descriptor of [...one, ...two]) closeSync(descriptor);
    await pool.dispose();
  });

  test("carry what is written into them", async () => {
    const pool = new PipePool(withMkfifo);
    const [pipe = -1] = (await pool.take(1)) ?? [];
    const ends = { read: openOwnEnd(pipe, "read"), write: openOwnEnd(pipe, "write") };
    closeSync(pipe);
    writeSync(ends.write, "hello");
    closeSync(ends.write);
    const bytes = Buffer.alloc(10);

    expect(readSync(ends.read, bytes)).toBe(5);
    expect(bytes.toString("utf8", 0, 5)).toBe("hello");
    expect(readSync(ends.read, bytes)).toBe(0);
    closeSync(ends.read);
    await pool.dispose();
  });

  test("are made many at once, and before they are needed", async () => {
    const pool = new PipePool(withMkfifo);
    const count = asked.length;
    const taken: number[] = [];
    for (let index = 0; index < 42; index += 1) taken.push(...((await pool.take(1)) ?? []));
    expect(asked).toHaveLength(count + 1);
    taken.push(...((await pool.take(1)) ?? []));

    expect(asked).toHaveLength(count + 2);
    for (const descriptor of taken) closeSync(descriptor);
    await pool.dispose();
  });

  test("are closed with the pool, and none is made afterwards", async () => {
    const pool = new PipePool(withMkfifo);
    const before = readdirSync("/proc/self/fd").length;
    const [taken = -1] = (await pool.take(1)) ?? [];
    expect(readdirSync("/proc/self/fd")).toHaveLength(before + 48);
    await pool.dispose();
    closeSync(taken);

    expect(readdirSync("/proc/self/fd")).toHaveLength(before);
    expect(await pool.take(1)).toBeUndefined();
  });
});

describe("a machine without mkfifo", () => {
  test("is asked three times", async () => {
    let count = 0;
    const pool = new PipePool(async () => {
      count += 1;
      return false;
    });
    const taken = [await pool.take(1), await pool.take(1)];
    expect(pool.isBroken).toBe(false);
    taken.push(await pool.take(1), await pool.take(1));

    expect(taken).toEqual([undefined, undefined, undefined, undefined]);
    expect({ count, isBroken: pool.isBroken }).toEqual({ count: 3, isBroken: true });
  });

  test("still starts programs, with the sockets Node makes", async () => {
    const launcher = new DirectLauncher(
      new PipePool(async () => {
        throw new Error("no");
      }),
    );
    const { PATH = "" } = process.env;
    const child = await launcher.start({
      argv: ["cat"],
      cwd: "/",
      env: { PATH },
      hasInput: true,
    });
    const exit = new Promise((resolve) => {
      child.onExit((code) => resolve(code));
    });
    child.stdin?.end("hello");
    let text = "";
    for await (const bytes of child.stdout) text += String(bytes);

    expect({ text, exit: await exit }).toEqual({ text: "hello", exit: 0 });
  });
});
