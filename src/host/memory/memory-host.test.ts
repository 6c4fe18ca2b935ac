import { describe, expect, test } from "vitest";
import { memoryHost } from "./memory-host.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("files", () => {
  test("names are relative to the root or absolute, and the usual directories are there", async () => {
    const host = memoryHost({
      root: "/work/app",
      home: "/home/ada",
      files: { "src/a.ts": "one", "/etc/hosts": new Uint8Array([104, 105]) },
    });

    expect(host.control.texts()).toEqual({ "/work/app/src/a.ts": "one", "/etc/hosts": "hi" });
    for (const path of ["/work/app", "/home/ada", "/tmp"]) {
      expect(await host.fs.stat(path)).toMatchObject({ kind: "directory" });
    }
    expect(host.info).toMatchObject({ home: "/home/ada", temporary: "/tmp", os: "linux" });
  });

  test("what is read and written is a copy", async () => {
    const content = encode("one");
    const { fs, control } = memoryHost({ files: { a: content } });
    content[0] = 0;
    const read = (await fs.readFile("/project/a")).bytes;
    read[0] = 0;
    const data = encode("two");
    await fs.writeAtomic("/project/b", data);
    await fs.append("/project/c", data);
    data[0] = 0;

    expect(control.texts()).toEqual({
      "/project/a": "one",
      "/project/b": "two",
      "/project/c": "two",
    });
  });

  test("every kind of entry can be planted, over what was there", async () => {
    const { fs, control } = memoryHost({ files: { "a/b": "x" } });
    control.plant("a/b", { kind: "device" });
    control.plant("new/fifo", { kind: "fifo" });
    control.plant("new/socket", { kind: "socket" });
    control.plant("new/file", { kind: "file", content: "x", mode: 0o755, mtimeMs: 5 });
    control.plant("a", { kind: "directory", mode: 0o700, mtimeMs: 6 });

    expect(await fs.stat("/project/a/b")).toMatchObject({ kind: "device", size: 0 });
    expect(await fs.stat("/project/new/socket")).toMatchObject({ kind: "socket" });
    expect(await fs.stat("/project/new/file")).toMatchObject({ mode: 0o755, mtimeMs: 5 });
    expect(await fs.stat("/project/a")).toMatchObject({ mode: 0o700, mtimeMs: 6 });
    await expect(fs.readFile("/project/a/b")).rejects.toMatchObject({ code: "NOT_A_FILE" });
  });

  test.for([
    { path: "file", mode: 0o200, use: "read" },
    { path: "file", mode: 0o400, use: "write" },
    { path: "file", mode: 0o400, use: "append" },
    { path: "", mode: 0o500, use: "make" },
    { path: "", mode: 0o500, use: "remove" },
    { path: "", mode: 0o600, use: "read" },
    { path: "", mode: 0o300, use: "list" },
  ] as const)("mode $mode of '$path' does not let $use", async ({ path, mode, use }) => {
    const { fs, control } = memoryHost({ files: { file: "x" } });
    if (path === "") control.plant("/project", { kind: "directory", mode });
    else control.plant(path, { kind: "file", content: "x", mode });
    const uses = {
      read: () => fs.readFile("/project/file"),
      write: () => fs.writeAtomic("/project/file", encode("y")),
      append: () => fs.append("/project/file", encode("y")),
      make: () => fs.writeAtomic("/project/new", encode("y")),
      remove: () => fs.remove("/project/file"),
      list: () => fs.list("/project")[Symbol.asyncIterator]().next(),
    };

    await expect(uses[use]()).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(control.texts()).toEqual({ "/project/file": "x" });
  });

  test("the root cannot be removed", async () => {
    const { fs } = memoryHost();

    await expect(fs.remove("/", { recursive: true })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });
});

describe("faults", () => {
  test("a fault holds at its path, in its operation, as often as it says", async () => {
    const { fs, control } = memoryHost({ files: { a: "x", b: "x" } });
    control.fail({ path: "a", operation: "writeAtomic", fails: "ENOSPC", times: 2 });
    const write = async (path: string): Promise<unknown> => fs.writeAtomic(path, encode("y"));

    await expect(write("/project/a")).rejects.toMatchObject({ code: "NO_SPACE" });
    await write("/project/b");
    await fs.readFile("/project/a");
    await expect(write("/project/a")).rejects.toMatchObject({ code: "NO_SPACE" });
    await write("/project/a");
    expect(control.texts()["/project/a"]).toBe("y");
  });

  test("a fault everywhere leaves canonical paths alone and can be removed", async () => {
    const { fs, control } = memoryHost({ files: { a: "x" } });
    const heal = control.fail({ fails: "EACCES" });

    expect(await fs.canonical("/project/a")).toBe("/project/a");
    await expect(fs.stat("/project/a")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    heal();
    expect(await fs.stat("/project/a")).toMatchObject({ kind: "file" });
    control.fail({ operation: "canonical", fails: "EACCES" });
    await expect(fs.canonical("/project/a")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  test("what hangs ends when it is aborted", async () => {
    const { fs, control } = memoryHost({ files: { a: "x" } });
    control.fail({ fails: "hang" });
    const stop = new AbortController();
    const reading = fs.readFile("/project/a", { signal: stop.signal });
    stop.abort();

    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("the clock", () => {
  test("it stands still until it is moved, and calls timers on the way at their own time", () => {
    const { clock, control } = memoryHost({ now: 1000 });
    const calls: string[] = [];
    clock.timer(30, () => calls.push(`late at ${clock.now()}`));
    clock.timer(10, () => {
      calls.push(`early at ${clock.now()}`);
      clock.timer(5, () => calls.push(`nested at ${clock.now()}`));
    });
    clock.timer(10, () => calls.push("second"));
    const cancel = clock.timer(10, () => calls.push("never"));
    cancel();
    control.advance(29);
    expect(calls).toEqual(["early at 1010", "second", "nested at 1015"]);
    expect(clock.now()).toBe(1029);
    control.advance(1);

    expect(calls.at(-1)).toBe("late at 1030");
    expect(memoryHost().clock.now()).toBe(Date.UTC(2026, 0, 1));
  });

  test("sleep ends when time has passed", async () => {
    const { clock, control } = memoryHost();
    const sleeping = clock.sleep(100);
    control.advance(100);

    await expect(sleeping).resolves.toBeUndefined();
  });

  test("what is written carries the time", async () => {
    const { fs, control } = memoryHost({ now: 1000 });
    control.advance(500);
    await fs.writeAtomic("/project/a", encode("x"));

    expect((await fs.stat("/project/a")).mtimeMs).toBe(1500);
  });

  test("the real clock moves by itself only", async () => {
    const { clock, control } = memoryHost({ now: "real" });
    await clock.sleep(1);

    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
    expect(() => control.advance(1)).toThrow(TypeError);
  });
});

describe("programs", () => {
  test("a program is found by its name or the last part of its path", async () => {
    const programs = {
      bash: (argv: readonly string[]) => argv.length,
      "/bin/exact": () => 7,
      exact: () => 8,
    };

    expect((await run(["/bin/bash", "-c", "x"], programs)).exit).toMatchObject({ code: 3 });
    expect((await run(["/bin/exact"], programs)).exit).toMatchObject({ code: 7 });
    await expect(run(["toString"], programs)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("it sees its environment, its directory and the files, and says how it ended", async () => {
    const result = await run(["show"], {
      show: async (_argv, io) => {
        io.stdout(`${io.env["GREETING"]} ${io.env["NAME"]} ${io.env["HOME"]} ${io.cwd} `);
        await io.fs.writeAtomic(`${io.cwd}/made`, encode("x"));
        io.stderr((await io.fs.stat(`${io.cwd}/made`)).kind);
        for await (const bytes of io.stdin) io.stdout(bytes);
        return { code: null, signal: "SIGSEGV", leftRunning: [5] };
      },
    });

    expect(result).toEqual({
      text: "hello ada /home/user /project file",
      exit: { code: null, signal: "SIGSEGV", leftRunning: [5] },
    });
  });

  test("one that throws ends like one that crashes", async () => {
    expect(
      await run(["crash"], {
        crash: () => {
          throw new Error("boom");
        },
      }),
    ).toEqual({ text: "boom\n", exit: { code: 1, signal: null, leftRunning: [] } });
  });

  test("a timeout comes by the host's own clock", async () => {
    const host = memoryHost({ programs: { wait: () => new Promise<number>(() => undefined) } });
    const limits = { timeoutMs: 500 };
    await host.proc.start({ id: "p", argv: ["wait"], cwd: "/project", limits });
    host.control.advance(499);
    expect(await host.proc.list()).toHaveLength(1);
    host.control.advance(1);

    expect(await host.proc.list()).toEqual([]);
    expect((await host.proc.output("p", 0)[Symbol.asyncIterator]().next()).value).toMatchObject({
      exit: { endedBy: "timeout" },
    });
  });

  test("what a program does after it was ended is not seen", async () => {
    let printLate: (() => void) | undefined;
    const host = memoryHost({
      programs: {
        stubborn: (_argv, io) => {
          printLate = () => io.stdout("late");
          return new Promise<number>(() => undefined);
        },
      },
    });
    await host.proc.start({ id: "p", argv: ["stubborn"], cwd: "/project" });
    await Promise.resolve();
    await host.proc.signal("p", "TERM");
    printLate?.();

    expect((await host.proc.output("p", 0)[Symbol.asyncIterator]().next()).value).toMatchObject({
      exit: { signal: "SIGTERM" },
    });
  });
});

describe("the network", () => {
  test("it answers what was scripted, by address or by a function of the request", async () => {
    const { net } = memoryHost({
      responses: {
        "https://example.com": { body: "plain", headers: { "Content-Type": "text/plain" } },
        "https://example.com/api": (request) => ({
          status: 201,
          body: encode(`${request.method} ${String(request.body)}`),
        }),
      },
    });
    const plain = await net.fetch({ url: "https://EXAMPLE.com/" });
    const api = await net.fetch({ url: "https://example.com/api", method: "POST", body: "x" });

    expect(plain).toMatchObject({ status: 200, headers: { "content-type": "text/plain" } });
    expect(await textOf(plain.body)).toBe("plain");
    expect(api.status).toBe(201);
    expect(await textOf(api.body)).toBe("POST x");
    await expect(net.fetch({ url: "https://example.com/other" })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const bytes of body) text += new TextDecoder().decode(bytes);
  return text;
}

async function run(
  argv: readonly string[],
  programs: NonNullable<Parameters<typeof memoryHost>[0]>["programs"] = {},
): Promise<{ text: string; exit: unknown }> {
  const host = memoryHost({ programs, env: { GREETING: "hello" } });
  await host.proc.start({ id: "p", argv, cwd: "/project", env: { NAME: "ada" } });
  let text = "";
  for await (const chunk of host.proc.output("p", 0)) {
    if ("exit" in chunk) return { text, exit: chunk.exit };
    text += new TextDecoder().decode(chunk.bytes);
  }
  throw new Error("There was no exit.");
}
