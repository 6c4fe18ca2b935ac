import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { DirectLauncher } from "../launch/direct-launcher.ts";
import { openOwnEnd, PipePool } from "./pipe-pool.ts";
import { moduleFlags } from "../../../../test/support/from-source.ts";

const asked: (readonly string[])[] = [];
const withMkfifo = async ([program = "", ...words]: readonly string[]): Promise<boolean> => {
  asked.push(words);
  execFileSync(program, words);
  return true;
};

const imports = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

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
    const folder = path.dirname(String(asked.at(-1)?.[2]));
    expect(path.basename(folder)).toMatch(/^haft-pipes-/u);
    expect(existsSync(folder)).toBe(false);
    // While the pipes have names, no sandboxed program can see them.
    expect(path.dirname(folder)).toBe(path.join(tmpdir(), `haft-sandboxes-${process.getuid?.()}`));
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

describe("without a free descriptor", () => {
  const program = `
    import { execFileSync } from "node:child_process";
    import { closeSync, openSync, readdirSync } from "node:fs";
    const { PipePool } = await import(${imports("./pipe-pool.ts")});
    const { DirectLauncher } = await import(${imports("../launch/direct-launcher.ts")});
    const hogs = [];
    const fill = (left) => {
      try {
        for (;;) hogs.push(openSync("/dev/null"));
      } catch {
        for (const hog of hogs.splice(0, left)) closeSync(hog);
      }
    };
    let after = 5;
    const pool = new PipePool(async ([program, ...words]) => {
      execFileSync(program, words);
      fill(after);
      return true;
    });
    const told = [await pool.take(8)];
    for (const hog of hogs.splice(0)) closeSync(hog);
    told.push(readdirSync(process.env.TMPDIR));
    after = 200;
    const start = { argv: ["cat"], cwd: "/", env: {}, hasInput: true };
    pool.giveBack(await pool.take(8));
    fill(2);
    told.push(await new DirectLauncher(pool).start(start).catch((error) => error.code));
    for (const hog of hogs.splice(0)) closeSync(hog);
    const child = await new DirectLauncher(pool).start({ ...start, env: process.env });
    child.onExit(async (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      await pool.dispose();
      console.log(JSON.stringify([...told.map((one) => one ?? null), code]));
    });
    child.stdin.end();`;

  test("there are no pipes, no names are left, and a program is not started for now", () => {
    const TMPDIR = mkdtempSync(path.join(tmpdir(), "haft-exhausted-"));
    try {
      const told = execFileSync(
        "/bin/sh",
        ["-c", 'ulimit -n 300; exec "$@"', "sh", process.execPath, ...moduleFlags, program],
        { encoding: "utf8", env: { ...process.env, TMPDIR } },
      );

      expect(JSON.parse(told)).toEqual([null, [], "UNAVAILABLE", 0]);
    } finally {
      rmSync(TMPDIR, { recursive: true });
    }
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

  test("is asked again after a while", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(1000);
    try {
      let works = false;
      const pool = new PipePool(async (argv) => works && (await withMkfifo(argv)));
      for (let time = 0; time < 3; time += 1) await pool.take(1);
      works = true;
      now.mockReturnValue(30_999);
      expect(await pool.take(1)).toBeUndefined();
      now.mockReturnValue(31_000);

      const taken = await pool.take(1);

      expect({ count: taken?.length, isBroken: pool.isBroken }).toEqual({
        count: 1,
        isBroken: false,
      });
      pool.giveBack(taken ?? []);
      await pool.dispose();
    } finally {
      now.mockRestore();
    }
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
