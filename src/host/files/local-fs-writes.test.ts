import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { LocalFs } from "./local-fs.ts";
import { moduleFlags } from "../../../test/support/from-source.ts";

const isRoot = process.getuid?.() === 0;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const openFiles = (): number => readdirSync("/proc/self/fd").length;

const at = temporaryFolder("local-fs");
let fs: LocalFs;

beforeEach(() => {
  fs = new LocalFs();
});

test("the last read does not prove the current content: a file that changed since is stale", async () => {
  writeFileSync(at("seen"), "as it was read");
  const { hash } = await fs.readFile(at("seen"));
  writeFileSync(at("seen"), "as it has gone");

  const write = fs.writeAtomic(at("seen"), encode("x"), { ifMatch: hash });
  await expect(write).rejects.toMatchObject({ code: "STALE_READ" });
  expect(readFileSync(at("seen"), "utf8")).toBe("as it has gone");

  writeFileSync(at("seen"), "as it was read");
  await fs.writeAtomic(at("seen"), encode("x"), { ifMatch: hash });
  expect(readFileSync(at("seen"), "utf8")).toBe("x");
});

test("nothing that was replaced stays open", async () => {
  writeFileSync(at("file"), "0");
  let { hash } = await fs.readFile(at("file"));
  await fs.dispose();
  const before = openFiles();

  for (let count = 1; count < 30; count += 1) {
    ({ hash } = await fs.writeAtomic(at("file"), encode(`${count}`), { ifMatch: hash }));
  }
  const stale = fs.writeAtomic(at("file"), encode("x"), { ifMatch: "sha256:0" });
  await expect(stale).rejects.toMatchObject({ code: "STALE_READ" });

  await fs.dispose();
  expect(openFiles()).toBe(before);
  expect(readFileSync(at("file"), "utf8")).toBe("29");
});

describe("a write that cannot be finished", () => {
  test("a full disk is NO_SPACE, leaves the old content and no draft", async (context) => {
    const disk = at("disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "pipe" });
    } catch (error) {
      context.skip(`no tmpfs can be mounted here: ${String(error)}`);
    }
    try {
      writeFileSync(`${disk}/a.txt`, "old");
      const tooMuch = new Uint8Array(200_000);

      await expect(fs.writeAtomic(`${disk}/a.txt`, tooMuch)).rejects.toMatchObject({
        code: "NO_SPACE",
      });
      await expect(
        fs.writeAtomic(`${disk}/new.txt`, tooMuch, { ifMatch: null }),
      ).rejects.toMatchObject({ code: "NO_SPACE" });
      await expect(fs.append(`${disk}/a.log`, tooMuch)).rejects.toMatchObject({
        code: "NO_SPACE",
      });
      expect(readFileSync(`${disk}/a.txt`, "utf8")).toBe("old");
      expect(readdirSync(disk).toSorted()).toEqual(["a.log", "a.txt"]);
    } finally {
      execFileSync("umount", [disk]);
    }
  });

  test("moving to another file system keeps content and mode and removes the original", async (context) => {
    const disk = at("disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "pipe" });
    } catch (error) {
      context.skip(`no tmpfs can be mounted here: ${String(error)}`);
    }
    try {
      writeFileSync(at("a.sh"), "content");
      chmodSync(at("a.sh"), 0o750);
      mkdirSync(at("tree"));
      await fs.move(at("a.sh"), `${disk}/b.sh`);

      expect(readFileSync(`${disk}/b.sh`, "utf8")).toBe("content");
      expect(statSync(`${disk}/b.sh`).mode & 0o777).toBe(0o750);
      expect(existsSync(at("a.sh"))).toBe(false);
      expect(readdirSync(disk)).toEqual(["b.sh"]);
      await expect(fs.move(at("tree"), `${disk}/tree`)).rejects.toMatchObject({
        code: "UNAVAILABLE",
      });
      writeFileSync(at("big"), new Uint8Array(200_000));
      await expect(fs.move(at("big"), `${disk}/big`)).rejects.toMatchObject({ code: "NO_SPACE" });
      expect(readdirSync(disk)).toEqual(["b.sh"]);
      expect(statSync(at("big")).size).toBe(200_000);
    } finally {
      execFileSync("umount", [disk]);
    }
  });

  test("an abort before the last step leaves the old content and no draft", async () => {
    writeFileSync(at("a.txt"), "old");
    const stop = new AbortController();
    const writing = fs.writeAtomic(at("a.txt"), new Uint8Array(5_000_000), {
      signal: stop.signal,
    });
    stop.abort();

    await expect(writing).rejects.toMatchObject({ code: "ABORTED" });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("old");
    expect(readdirSync(at(""))).toEqual(["a.txt"]);
  });

  test.skipIf(!isRoot)(
    "what may not be written is ACCESS_DENIED, also where renaming could",
    async () => {
      // In a process without root privileges, because root may write anything.
      const file = at("a.txt");
      writeFileSync(file, "old", { mode: 0o444 });
      chmodSync(at(""), 0o777);
      mkdirSync(at("closed"), { mode: 0o555 });
      const codes = asNobody(`
      const codes = [];
      for (const use of [
        () => fs.writeAtomic(${JSON.stringify(file)}, new Uint8Array(1)),
        () => fs.append(${JSON.stringify(file)}, new Uint8Array(1)),
        () => fs.writeAtomic(${JSON.stringify(at("closed/new"))}, new Uint8Array(1)),
        () => fs.mkdir(${JSON.stringify(at("closed/new"))}),
        () => fs.readFile("/etc/shadow"),
        () => fs.canonical("/root/x"),
      ]) codes.push(await use().then(() => "done", (error) => error.code));
      console.log(codes.join());
    `);

      expect(codes).toBe(
        "ACCESS_DENIED,ACCESS_DENIED,ACCESS_DENIED,ACCESS_DENIED,ACCESS_DENIED,ACCESS_DENIED",
      );
      expect(readFileSync(file, "utf8")).toBe("old");
      expect(readdirSync(at("")).toSorted()).toEqual(["a.txt", "closed"]);
    },
  );

  test.skipIf(!isRoot)("replacing a file keeps its owner, group and mode", async () => {
    writeFileSync(at("a.txt"), "old");
    chownSync(at("a.txt"), 1234, 4321);
    chmodSync(at("a.txt"), 0o4750);
    await fs.writeAtomic(at("a.txt"), encode("new"));

    expect(statSync(at("a.txt"))).toMatchObject({ uid: 1234, gid: 4321, mode: 0o104750 });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("new");
  });

  test.skipIf(!isRoot)("a file whose owner could not be kept is left alone", async () => {
    writeFileSync(at("a.txt"), "old", { mode: 0o666 });
    chmodSync(at("a.txt"), 0o666);
    chmodSync(at(""), 0o777);
    const code = asNobody(`
      console.log(await fs.writeAtomic(${JSON.stringify(at("a.txt"))}, new Uint8Array(1)).then(() => "done", (error) => error.code));
    `);

    expect(code).toBe("ACCESS_DENIED");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("old");
    expect(readdirSync(at(""))).toEqual(["a.txt"]);
  });
});

test("a long name has room for its draft", async () => {
  const name = "ä".repeat(126);
  await fs.writeAtomic(at(name), encode("x"));
  await expect(fs.writeAtomic(at("a".repeat(300)), encode("x"))).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });

  expect(readdirSync(at(""))).toEqual([name]);
});

test("a new file's draft is never more open than asked for", async () => {
  const mode = await fs.writeAtomic(at("key"), encode("x"), { mode: 0o600 });

  expect(mode.mode).toBe(0o600);
  expect((await fs.writeAtomic(at("plain"), encode("x"))).mode).toBe(0o666 & ~process.umask());
});

test("a missing directory made with a mode gets just that one, its parents the usual", async () => {
  await fs.mkdir(at("a/b"), { mode: 0o707 });

  expect(statSync(at("a/b")).mode & 0o777).toBe(0o707);
  expect(statSync(at("a")).mode & 0o777).toBe(0o777 & ~process.umask());
});

/** Runs lines with `fs` in an unprivileged process and returns their output. */
function asNobody(lines: string): string {
  const moduleFile = path.join(import.meta.dirname, "local-fs.ts");
  const script = `
    const { LocalFs } = await import(${JSON.stringify(moduleFile)});
    const fs = new LocalFs();
    process.setgid(65534);
    process.setuid(65534);
    ${lines}
  `;
  const argv = [...moduleFlags, script];
  return execFileSync(process.execPath, argv, { encoding: "utf8" }).trim();
}
