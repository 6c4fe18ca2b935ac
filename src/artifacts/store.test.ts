import { describe, expect, test } from "vitest";
import { artifactStore, type Limits } from "../core/index.ts";
import { memoryHost, type MemoryHost } from "../host/index.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";
import { sessionDirectory } from "./artifact-directory.ts";
import { artifacts } from "./store.ts";

const directory = "/data/artifacts";
const hourMs = 60 * 60 * 1000;

function store(quota: Partial<Limits["artifacts"]> = {}, host: MemoryHost = memoryHost()) {
  return { host, store: artifacts({ host, directory, quota }) };
}

const texts = (host: MemoryHost): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(host.control.texts()).filter(([path]) => path.startsWith(directory)),
  );

const old = (size: number, ageMs: number) => ({
  kind: "file" as const,
  content: "x".repeat(size),
  mtimeMs: memoryHost().clock.now() - ageMs,
});

test("what is written to, here or by a task that runs, stays however long it is silent", async () => {
  const { host } = store();
  const kept = artifacts({
    host,
    directory,
    quota: { days: 1 },
    inUse: async () => new Set([`${directory}/task.txt`]),
  });
  const stream = kept.open("c1");
  await stream.write("one");
  const { bytes } = await host.fs.readFile(stream.path);
  const longAgo = { ...old(3, 48 * hourMs), content: new TextDecoder().decode(bytes) };
  for (const path of [stream.path, `${directory}/task.txt`, `${directory}/over.txt`]) {
    host.control.plant(path, longAgo);
  }

  expect(await kept.collect()).toMatchObject({ files: 1 });
  expect(Object.keys(texts(host)).toSorted()).toEqual(
    [stream.path, `${directory}/task.txt`].toSorted(),
  );

  await stream.end();
  expect(await kept.collect()).toMatchObject({ files: 1 });
});

test("those of a session are in its directory, and are collected with all others", async () => {
  const { host, store: kept } = store({ days: 1 });
  const ref = await kept.of("s").keep("c1", "of s");
  const stream = kept.of("t").open("c1");
  await stream.write("of t");
  await stream.end();
  kept.share("child", "s");
  const shared = await kept.of("child").keep("c1", "of the child");

  expect(ref?.path).toBe(`${directory}/${sessionDirectory("s")}/c1.txt`);
  expect(stream.path).toMatch(`${directory}/${sessionDirectory("t")}/c1-`);
  expect(shared?.path).toBe(`${directory}/${sessionDirectory("s")}/c1-2.txt`);
  expect((await kept.of(undefined).keep("c1", "of none"))?.path).toBe(`${directory}/c1.txt`);
  expect(kept.taken("c1")?.path).toBe(stream.path);

  for (const path of Object.keys(texts(host))) host.control.plant(path, old(3, 48 * hourMs));
  expect(await kept.collect({ dryRun: true })).toMatchObject({ files: 4, left: 0 });
  expect(await kept.collect()).toMatchObject({ files: 4, left: 0 });
  expect(texts(host)).toEqual({});
});

describe("a streaming artifact", () => {
  test("is a private file from the first write on, and grows with each", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");
    expect(texts(host)).toEqual({});

    await stream.write("one\n");
    const early = texts(host)[stream.path];
    await stream.write("two");
    const ref = await stream.end();

    expect(early).toBe("one\n");
    expect(texts(host)[stream.path]).toBe("one\ntwo");
    expect(ref).toEqual({ path: stream.path, chars: 7, lines: 2 });
    expect((await host.fs.stat(stream.path)).mode & 0o777).toBe(0o600);
    expect((await host.fs.stat(directory)).mode & 0o777).toBe(0o700);
  });

  test("keeps the order of writes nobody waited for", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");

    const writes = Array.from({ length: 100 }, (_, index) => stream.write(`${index} `));
    const ref = await stream.end();
    await Promise.all(writes);

    const whole = Array.from({ length: 100 }, (_, index) => `${index} `).join("");
    expect(texts(host)[stream.path]).toBe(whole);
    expect(ref?.chars).toBe(whole.length);
  });

  test("puts a character together whose halves came apart", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");

    await stream.write("a\ud83d");
    await stream.write("\ude00b");
    await stream.end();

    expect(texts(host)[stream.path]).toBe("a\u{1f600}b");
  });

  test("has a name of its own, whatever the call is called", async () => {
    const { store: kept } = store();

    const paths = ["c1", "c1", "../../etc/passwd", "x".repeat(500)].map((id) => kept.open(id).path);

    expect(new Set(paths).size).toBe(4);
    for (const path of paths) {
      expect(path).toMatch(/^\/data\/artifacts\/[A-Za-z0-9_-]{1,120}\.txt$/u);
    }
  });

  test("without anything written there is neither a file nor an artifact", async () => {
    const { host, store: kept } = store();

    expect(await kept.open("c1").end()).toBeUndefined();
    expect(texts(host)).toEqual({});
  });

  test("that is ended twice at once is ended once, and what is written meanwhile is too late", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");
    await stream.write("one\n");
    await stream.writeAscii?.(new TextEncoder().encode("two\n"));

    const ends = [stream.end(), stream.end()];
    const late = stream.write("three\n");
    const [first, second] = await Promise.all(ends);
    await late;

    expect(texts(host)[stream.path]).toBe("one\ntwo\n");
    expect(first).toMatchObject({ chars: 8, lines: 2 });
    expect(second).toEqual(first);
    expect(await stream.end()).toEqual(first);
  });

  test("that was ended takes nothing more and answers the same again", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");
    await stream.write("one");
    const ref = await stream.end();

    await stream.write("two");

    expect(await stream.end()).toEqual(ref);
    expect(texts(host)[stream.path]).toBe("one");
  });

  test("stops at its quota, says so, and counts what is missing", async () => {
    const { host, store: kept } = store({ bytes: 10 });
    const stream = kept.open("c1");

    await stream.write("12345\n");
    await stream.write("\u{1f600}abc");
    await stream.write("more");
    const ref = await stream.end();

    expect(texts(host)[stream.path]).toMatchInlineSnapshot(`
      "12345
      😀
      (10 bytes are kept; what came after is not.)
      "
    `);
    expect(ref).toEqual({ path: stream.path, chars: 15, lines: 2, missingChars: 7 });
  });

  test("counts what it is not given only once it is full", async () => {
    const { store: kept } = store({ bytes: 10 });
    const stream = kept.open("c1");

    await stream.write("1234567890");
    expect(stream.leaveOut?.(5)).toBe(false);
    await stream.write("x");
    expect(stream.leaveOut?.(5)).toBe(true);
    await stream.write("\u{1f600}".slice(0, 1));
    expect(stream.leaveOut?.(5)).toBe(false);
    await stream.write("\u{1f600}".slice(1));

    expect(await stream.end()).toMatchObject({ chars: 18, missingChars: 8 });
    expect(stream.leaveOut?.(5)).toBe(true);
  });

  test("keeps many pieces at once in their order, also those larger than are added at once", async () => {
    const { host, store: kept } = store({});
    const stream = kept.open("c1");
    const pieces = [
      "a\n".repeat(200_000),
      "\u20ac".repeat(200_001),
      ...Array.from({ length: 50 }, (_, at) => `${at}\n`),
    ];

    await Promise.all(pieces.map(async (piece) => stream.write(piece)));
    const ref = await stream.end();

    expect(texts(host)[stream.path]).toBe(pieces.join(""));
    expect(ref).toEqual({ path: stream.path, chars: pieces.join("").length, lines: 200_050 });
  });

  test("takes bytes of ASCII as they are, in the order of what is written", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");
    const flood = "0123456789abcdef\n".repeat(100_000);

    await stream.write("first \ud83d");
    await stream.writeAscii?.(Buffer.from(flood));
    await stream.writeAscii?.(Buffer.from("then\n"));
    await stream.write("last");
    const early = texts(host)[stream.path];
    await stream.writeAscii?.(Buffer.from("\nend\n\n"));
    const ref = await stream.end();

    const whole = `first \ufffd${flood}then\nlast`;
    expect(early).toBe(whole);
    expect(texts(host)[stream.path]).toBe(`${whole}\nend\n\n`);
    expect(ref).toEqual({ path: stream.path, chars: whole.length + 6, lines: 100_004 });
  });

  test.each([10, 11, 12, 14, 15])("counts bytes beyond a quota of %i", async (bytes) => {
    const { host, store: kept } = store({ bytes });
    const stream = kept.open("c1");

    await stream.write("12345\n");
    await stream.writeAscii?.(Buffer.from("abcde\nxyz"));
    await stream.writeAscii?.(Buffer.from("more"));
    const ref = await stream.end();

    const whole = "12345\nabcde\nxyzmore";
    const first = whole.slice(0, bytes);
    const lines = first.split("\n").length - (first.endsWith("\n") ? 1 : 0);
    const note = `\n(${bytes} bytes are kept; what came after is not.)\n`;
    expect(texts(host)[stream.path]).toBe(first + note);
    const missingChars = whole.length - bytes;
    expect(ref).toEqual({ path: stream.path, chars: whole.length, lines, missingChars });
  });

  test("has no secret that came as bytes, wherever they are cut", async () => {
    const { RedactedStream } = await import("../redact/redact-text.ts");
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const line = `a line of text with ${secret} in it\n`;
    const all = Buffer.from(`${"ordinary text\n".repeat(2000)}${line}`.repeat(5));
    for (const step of [7, 1000, 8192, 65_536]) {
      const host = memoryHost();
      const kept = artifacts({ host, directory, filter: async () => new RedactedStream() });
      const stream = kept.open("c1");
      for (let at = 0; at < all.length; at += step) {
        await stream.writeAscii?.(all.subarray(at, at + step));
      }
      await stream.end();
      const expected = all.toString().replaceAll(secret, "[redacted: GitHub token]");
      expect(texts(host)[stream.path]).toBe(expected);
    }
  });

  test("that fills its quota exactly is whole", async () => {
    const { store: kept } = store({ bytes: 10 });
    const stream = kept.open("c1");

    await stream.write("1234567890");

    expect(await stream.end()).toEqual({ path: stream.path, chars: 10, lines: 1 });
  });

  test("that cannot be written harms nothing and is not stored", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");
    await stream.write("one");
    host.control.fail({ operation: "append", fails: "ENOSPC", times: 1 });

    await stream.write("two");
    await stream.write("three");

    expect(await stream.end()).toBeUndefined();
  });

  test("that another process swept while it was idle does not come back as half", async () => {
    const { host, store: kept } = store();
    const stream = kept.open("c1");
    await stream.write("one");
    await host.fs.remove(stream.path);
    host.control.advance(hourMs);

    await stream.write("two");

    expect(await stream.end()).toBeUndefined();
    expect(texts(host)).toEqual({});
  });
});

describe("a text kept whole", () => {
  test("is never replaced by one of the same call", async () => {
    const { host, store: kept } = store();

    const refs = await Promise.all(["one", "two", "three"].map((text) => kept.keep("c1", text)));

    expect(new Set(refs.map((ref) => ref?.path)).size).toBe(3);
    expect(Object.values(texts(host)).toSorted()).toEqual(["one", "three", "two"]);
  });
});

describe("what is kept", () => {
  test("is swept before the first artifact: what is too old, then the oldest until the rest fits", async () => {
    const { host, store: kept } = store({ totalBytes: 100, days: 7 });
    host.control.plant(`${directory}/ancient.txt`, old(1, 8 * 24 * hourMs));
    host.control.plant(`${directory}/older.txt`, old(60, 3 * hourMs));
    host.control.plant(`${directory}/newer.txt`, old(60, 2 * hourMs));

    await kept.keep("c1", "new");

    const names = Object.keys(texts(host)).map((path) => path.slice(directory.length + 1));
    expect(names.toSorted()).toEqual(["c1.txt", "newer.txt"]);
  });

  test("is left alone while another process may be using it, and then nothing more is taken", async () => {
    const { host, store: kept } = store({ totalBytes: 100 });
    host.control.plant(`${directory}/busy.txt`, old(200, hourMs / 2));

    expect(await kept.keep("c1", "new")).toBeUndefined();
    expect(Object.keys(texts(host))).toEqual([`${directory}/busy.txt`]);

    host.control.advance(hourMs);
    expect(await kept.keep("c2", "new")).toMatchObject({ chars: 3 });
    expect(Object.keys(texts(host))).toEqual([`${directory}/c2.txt`]);
  });

  test("goes by hand as well, and a dry run only counts", async () => {
    const { host, store: kept } = store({ days: 1 });
    host.control.plant(`${directory}/old.txt`, old(5, 25 * hourMs));
    host.control.plant(`${directory}/folder/deep.txt`, old(5, 25 * hourMs));

    expect(await kept.collect({ dryRun: true })).toEqual({ files: 1, bytes: 5, left: 0 });
    expect(texts(host)).toHaveProperty([`${directory}/old.txt`]);
    expect(await kept.collect()).toEqual({ files: 1, bytes: 5, left: 0 });
    expect(Object.keys(texts(host))).toEqual([`${directory}/folder/deep.txt`]);
  });

  test("is nothing where there is no folder yet", async () => {
    expect(await store().store.collect()).toEqual({ files: 0, bytes: 0, left: 0 });
  });
});

test("a tool that keeps what it prints has no second artifact, and its outcome names the first", async () => {
  const tool = simpleTool(
    "Prints",
    async (_input, context) => {
      const stream = context.service(artifactStore).open(context.callId);
      await stream.write("y\n".repeat(5000));
      await stream.end();
      return { content: "y\n".repeat(2000) };
    },
    { maxChars: 1000 },
  );
  const { kit, host } = await testKit({ tools: { extra: [tool] }, dataDirectory: "/data" });

  const outcome = await kit.call({ id: "c1", name: "Prints" });

  expect(outcome.artifact).toMatchObject({ chars: 10_000, lines: 5000 });
  expect(outcome.text).toContain(outcome.artifact?.path);
  expect(Object.keys(texts(host))).toEqual([outcome.artifact?.path]);
});

test("a secret printed in pieces is in no artifact, no event and no answer", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const seen: string[] = [];
  const tool = simpleTool("Prints", async (_input, context) => {
    const stream = context.service(artifactStore).open(context.callId);
    for (const piece of ["token gh", token.slice(2, 20), token.slice(20), "\nover"]) {
      context.output.write(piece);
      await stream.write(piece);
    }
    await stream.end();
    return { content: `token ${token}\nover` };
  });
  const options = { tools: { extra: [tool] }, dataDirectory: "/data" };
  const { kit, host } = await testKit({
    ...options,
    onEvent: (event) => {
      if (event.type === "call-output") seen.push(event.text);
    },
  });

  const outcome = await kit.call({ name: "Prints" });

  const hidden = "token [redacted: GitHub token]\nover";
  expect(outcome.text).toBe(hidden);
  expect(seen.join("")).toBe(hidden);
  expect(texts(host)[outcome.artifact?.path ?? ""]).toBe(hidden);

  const open = await testKit({ ...options, redactSecrets: false });
  const shown = await open.kit.call({ name: "Prints" });
  expect(texts(open.host)[shown.artifact?.path ?? ""]).toContain(token);
});

test("a folder that could not be made is made for the next artifact", async () => {
  const host = memoryHost({ files: { "/data": "in the way" } });
  const { store: kept } = store({}, host);

  expect(await kept.keep("c1", "lost")).toBeUndefined();
  await host.fs.remove("/data");
  const ref = await kept.keep("c2", "kept");

  expect(ref?.path).toBe(`${directory}/c2.txt`);
});
