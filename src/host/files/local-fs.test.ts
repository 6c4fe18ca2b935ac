import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { LocalFs } from "./local-fs.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const at = temporaryFolder("local-fs");
let fs: LocalFs;

beforeEach(() => {
  fs = new LocalFs();
});

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

describe("a file that is not regular is never opened", () => {
  test.for(["/dev/zero", "/dev/null", "/dev/full", "/dev/tty"])("%s", async (device) => {
    for (const use of [
      () => fs.readFile(device),
      () => fs.readRange(device, { offset: 0, length: 1 }),
      () => fs.writeAtomic(device, encode("x")),
      () => fs.append(device, encode("x")),
    ]) {
      await expect(use()).rejects.toMatchObject({ code: "NOT_A_FILE" });
    }
    expect(await fs.stat(device)).toMatchObject({ kind: "device" });
  });

  test("a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(at("socket"), resolve);
    });

    await expect(fs.readFile(at("socket"))).rejects.toMatchObject({ code: "NOT_A_FILE" });
    expect(await fs.stat(at("socket"))).toMatchObject({ kind: "socket" });
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  test("a FIFO with nobody at the other end does not hang, nor wake who waits there", async () => {
    execFileSync("mkfifo", [at("fifo")]);
    const writer = spawn("sh", ["-c", `echo secret > ${at("fifo")}`]);

    await expect(fs.readFile(at("fifo"))).rejects.toMatchObject({ code: "NOT_A_FILE" });
    await expect(fs.append(at("fifo"), encode("x"))).rejects.toMatchObject({ code: "NOT_A_FILE" });
    await expect(fs.writeAtomic(at("fifo"), encode("x"))).rejects.toMatchObject({
      code: "NOT_A_FILE",
    });
    expect(writer.exitCode).toBeNull();
    expect(execFileSync("cat", [at("fifo")]).toString()).toBe("secret\n");
  });

  test("a file of the kernel without a size is read to its end", async () => {
    const status = `/proc/${process.pid}/status`;
    const file = await fs.readFile(status);
    const start = await fs.readRange(status, { offset: 0, length: 5 });

    expect(file.stat.size).toBe(0);
    expect(new TextDecoder().decode(file.bytes)).toContain("Pid:");
    expect(new TextDecoder().decode(start)).toBe("Name:");
    await expect(fs.readFile(status, { maxBytes: 10 })).rejects.toMatchObject({
      code: "TOO_LARGE",
    });
  });
});

describe("links", () => {
  test("writing through a link that was resolved keeps the link", async () => {
    writeFileSync(at("real.txt"), "old");
    symlinkSync("real.txt", at("link.txt"));
    await fs.writeAtomic(await fs.canonical(at("link.txt")), encode("new"));

    expect(readlinkSync(at("link.txt"))).toBe("real.txt");
    expect(readFileSync(at("real.txt"), "utf8")).toBe("new");
  });

  test("a directory swapped for a link again and again never lets a write out", async () => {
    mkdirSync(at("inside"));
    mkdirSync(at("outside"));
    writeFileSync(at("inside/file"), "inside");
    writeFileSync(at("outside/file"), "precious");
    const swapper = spawn(
      "sh",
      ["-c", "while :; do mv inside kept; ln -s outside inside; rm inside; mv kept inside; done"],
      { cwd: at(""), stdio: "ignore", detached: true },
    );
    const codes = new Map<string, number>();
    const seen = new Set<string>();
    const end = performance.now() + 1500;
    // However busy the machine is, some of the uses must have met the directory.
    while (performance.now() < end || seen.size === 0 || !codes.has("done")) {
      const file = at("inside/file");
      const uses = [
        fs.writeAtomic(file, encode("inside")),
        fs.append(file, encode("")),
        fs.readFile(file).then(({ bytes }) => seen.add(new TextDecoder().decode(bytes))),
      ];
      for (const result of await Promise.allSettled(uses)) {
        const code = result.status === "fulfilled" ? "done" : codeOf(result.reason);
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    }
    // Kills the whole group, because a program it started may be renaming right now.
    process.kill(-(swapper.pid ?? process.pid), "SIGKILL");
    await new Promise((resolve) => {
      swapper.once("exit", resolve);
    });

    expect(readFileSync(at("outside/file"), "utf8")).toBe("precious");
    expect(readdirSync(at("outside"))).toEqual(["file"]);
    expect([...seen]).toEqual(["inside"]);
    expect(codes.get("done")).toBeGreaterThan(0);
    expect(new Set(codes.keys())).toEqual(
      new Set([...codes.keys()].filter((code) => /^(?:done|NOT_FOUND|PATH_CHANGED)$/u.test(code))),
    );
  });

  test("a tree that becomes a link while it is removed takes nothing else along", async () => {
    for (let round = 0; round < 20; round += 1) {
      mkdirSync(at("tree/sub"), { recursive: true });
      mkdirSync(at("precious"), { recursive: true });
      writeFileSync(at("precious/file"), "x");
      for (let index = 0; index < 40; index += 1) writeFileSync(at(`tree/sub/${index}`), "x");
      const removing = fs.remove(at("tree"), { recursive: true });
      // The removal has begun; another node is at the path when it continues.
      rmSync(at("tree/sub"), { recursive: true, force: true });
      if (existsSync(at("tree"))) symlinkSync(at("precious"), at("tree/sub"));
      await removing.catch(() => undefined);
      rmSync(at("tree"), { recursive: true, force: true });

      expect(readFileSync(at("precious/file"), "utf8")).toBe("x");
    }
  });

  test("a magic link of the kernel is no way to what it stands for", async () => {
    const canonical = await fs.canonical("/proc/self/fd/0");

    await expect(fs.readFile(canonical)).rejects.toBeInstanceOf(ToolError);
    expect(lstatSync(at("")).isDirectory()).toBe(true);
  });
});

test("a path leads where the kernel arrives, whatever the names on the way are", async () => {
  for (const name of ["plain", "gone (deleted)", "a\nb", "\u00E9"]) {
    mkdirSync(at(`places/${name}/inner`), { recursive: true });
    writeFileSync(at(`places/${name}/inner/file (deleted)`), "x");
    rmSync(at("places/way"), { force: true });
    symlinkSync(at(`places/${name}/inner`), at("places/way"));

    const folder = at(`places/${name}/inner`);
    const file = `${folder}/file (deleted)`;
    expect(await fs.locate(at("places/way"))).toEqual({
      path: folder,
      exists: true,
      isFolder: true,
    });
    expect(await fs.locate("way/../inner/./file (deleted)", { base: at("places") })).toEqual({
      path: file,
      exists: true,
      isFolder: false,
    });
    expect(await fs.canonical(at("places/way/none"))).toBe(`${folder}/none`);
  }
});

test("a directory is listed in full, however many entries it has", async () => {
  const names = Array.from({ length: 600 }, (_, index) => `${index}`);
  mkdirSync(at("many"));
  for (const name of names) writeFileSync(at(`many/${name}`), "");
  const before = openDescriptors();

  const listed: string[] = [];
  for await (const { name } of fs.list(at("many"))) listed.push(name);
  for (const stopAt of [1, 300]) {
    let count = 0;
    for await (const { kind } of fs.list(at("many"))) {
      count += kind === "file" ? 1 : 0;
      if (count === stopAt) break;
    }
  }

  expect(listed.toSorted()).toEqual(names.toSorted());
  expect(openDescriptors()).toBe(before);
});

test("no descriptor is left by anything, also when it fails", async () => {
  writeFileSync(at("file"), "x".repeat(300_000));
  symlinkSync("nowhere", at("dangling"));
  mkdirSync(at("directory"));
  const everything = async (): Promise<void> => {
    await Promise.allSettled([
      fs.readFile(at("file")),
      fs.readFile(at("file"), { maxBytes: 1 }),
      fs.readFile(at("missing")),
      fs.readFile(at("directory")),
      fs.readFile(at("file/below")),
      fs.readRange(at("file"), { offset: 0, length: 3 }),
      fs.writeAtomic(at("new"), encode("x")),
      fs.writeAtomic(at("file"), encode("x"), { ifMatch: "sha256:0" }),
      fs.writeAtomic(at("file"), encode("x"), { ifMatch: null }),
      fs.writeAtomic(at("dangling"), encode("x")),
      fs.append(at("directory"), encode("x")),
      fs.mkdir(at("deep/er/and")),
      fs.mkdir(at("file/below")),
      fs.remove(at("deep"), { recursive: true }),
      fs.remove(at("directory")),
      fs.move(at("missing"), at("x")),
      fs.move(at("new"), at("directory")),
      fs.readLink(at("file")),
      fs.stat(at("dangling/x")),
    ]);
    await begin(fs.open(at("file")));
    await begin(fs.list(at("")));
  };
  await everything();
  const before = openDescriptors();
  for (let round = 0; round < 20; round += 1) await everything();

  expect(openDescriptors()).toBe(before);
});

/** Takes one item and ends the iteration. */
async function begin<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

function codeOf(error: unknown): string {
  return ToolError.is(error) ? error.code : String(error);
}

test("pieces whose memory is used again are the same bytes in the same order", async () => {
  const bytes = Uint8Array.from(
    { length: 5_000_000 },
    (_, index) => (index * 31 + (index >> 8)) % 256,
  );
  writeFileSync(at("big"), bytes);
  for (const offset of [0, 1, 262_144, 4_999_999, 5_000_000]) {
    const copies: Uint8Array[] = [];
    for await (const piece of fs.open(at("big"), { offset, reuse: true })) {
      copies.push(Uint8Array.from(piece));
    }
    expect(Buffer.concat(copies).equals(bytes.subarray(offset))).toBe(true);
  }
});

test("ending a loop over reused pieces early closes the file", async () => {
  writeFileSync(at("big"), new Uint8Array(5_000_000));
  const before = openDescriptors();
  let pieces = 0;

  for await (const _ of fs.open(at("big"), { reuse: true })) if (++pieces === 6) break;

  expect(openDescriptors()).toBe(before);
});
