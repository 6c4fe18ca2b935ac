import { describe, expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { directory, hourMs, store, texts } from "../../test/support/artifact-world.ts";
import { artifacts } from "./store.ts";

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
