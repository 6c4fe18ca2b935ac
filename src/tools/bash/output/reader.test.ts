import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits, type ArtifactStream } from "../../../core/index.ts";
import { memoryHost } from "../../../testing/index.ts";
import { OutputDecoder } from "./output-decoder.ts";
import { TakenOutput } from "./reader.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Store whose only artifact accepts `maxChars` characters and counts the characters reported as left out. */
function taking(maxChars = Number.POSITIVE_INFINITY, redact = (text: string) => text) {
  const kept = { text: "", leftOut: 0 };
  const stream: ArtifactStream = {
    path: "/artifact",
    async write(text) {
      kept.text += text;
    },
    leaveOut(chars) {
      if (kept.text.length < maxChars) return false;
      kept.leftOut += chars;
      return true;
    },
    end: async () => undefined,
  };
  const written: string[] = [];
  const context = {
    callId: "c",
    host: memoryHost(),
    output: { write: (text: string) => void written.push(text) },
    progress: () => undefined,
  };
  const limits = defaultLimits.bash;
  const options = { limits, shownChars: 30_000, store: { open: () => stream }, redact };
  return { kept, written, taken: new TakenOutput(options, context) };
}

const line = `${"0123456789".repeat(8)}\n`;
const megabyte = line.repeat(13_000);

test("of a flood every character is counted, kept or left out, and its end is shown", async () => {
  const { taken, kept, written } = taking(2_000_000);
  const piece = encode(megabyte);
  for (let count = 0; count < 5; count += 1) await taken.bytes("stdout", piece);
  await taken.bytes("stderr", encode("the error\n"));
  await taken.bytes("stdout", encode("the end\n"));
  await taken.finish();
  const { text, leftOut } = taken.output.shown({ maxChars: 5000, tailShare: 0.5 });

  const total = 5 * megabyte.length + 10 + 8;
  expect(taken.output.total).toBe(total);
  expect(text).toMatch(/^0123456789/u);
  expect(text).toMatch(/0123456789\n\[stderr\]\nthe error\n\[stdout\]\nthe end$/u);
  const [before = "", after = ""] = text.split(/\[… [\d,]+ characters left out here …\]\n/u);
  const shown = before.length + after.replaceAll(/\[std(?:err|out)\]\n/gu, "").length;
  expect(shown + leftOut).toBe(total - 1);
  const marks = "[stderr]\n[stdout]\n".length;
  expect(kept.text.length + kept.leftOut).toBe(total + marks);
  expect(taken.kept.bytes).toBe(total + marks);
  expect(written.join("").length).toBeLessThan(1_200_000);
  expect(written.at(-1)).toMatch(/0123456789\n$|the end\n$/u);
});

test("whatever the bytes and wherever they are cut, the text is the same", async () => {
  const part = fc.constantFrom(encode("plain "), encode("é€😀"), Uint8Array.of(0xff));
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), fc.nat(7), async (parts, step) => {
      const all = Uint8Array.from(parts.flatMap((each) => [...each]));
      const { taken } = taking();
      for (let at = 0; at < all.length; at += step + 1) {
        await taken.bytes("stdout", all.subarray(at, at + step + 1));
      }
      await taken.finish();
      const decoder = new OutputDecoder();
      const expected = decoder.decode(all) + decoder.decode();
      const { text } = taken.output.shown({ maxChars: 30_000, tailShare: 0.2 });
      expect([text, taken.output.total]).toEqual([expected.trimEnd(), expected.length]);
    }),
  );
});

test("a flood of text outside ASCII is counted by characters too", async () => {
  const { taken } = taking(1_000_000);
  const text = "é€😀\n".repeat(200_000);
  const bytes = encode(text);
  for (let at = 0; at < bytes.length; at += 65_537) {
    await taken.bytes("stdout", bytes.subarray(at, at + 65_537));
  }
  await taken.bytes("stdout", encode(megabyte));
  await taken.finish();

  expect(taken.output.total).toBe(text.length + megabyte.length);
  expect(taken.output.shown({ maxChars: 2000, tailShare: 0.5 }).text).not.toContain("\uFFFD");
});

test("no cut shows half of a secret", async () => {
  const secret = "SECRET-OF-A-USER-X";
  const redact = (text: string): string => text.replaceAll(secret, "[hidden]");
  for (const before of [500, 505, 511, 99_990, 99_999, 100_005]) {
    const { taken } = taking(0, redact);
    await taken.bytes("stdout", encode("a".repeat(before) + secret));
    await taken.bytes("stdout", encode("b".repeat(300_000)));
    await taken.bytes("stdout", encode(`${secret}${"c".repeat(before)}`));
    await taken.finish();
    for (const maxChars of [1030, 200_200]) {
      const { text } = taken.output.shown({ maxChars, tailShare: 0.5 });
      expect(text).not.toMatch(/SECRET|BODY|ECRET/u);
    }
  }
});

test("a NUL is shown, in a short output and in the end of a long one", async () => {
  const { taken, kept } = taking(0);
  await taken.bytes("stdout", encode("one\0two\n"));
  expect(taken.output.shown({ maxChars: 100, tailShare: 0.2 }).text).toBe("one\u2400two");
  for (let count = 0; count < 3; count += 1) await taken.bytes("stdout", encode(megabyte));
  await taken.bytes("stdout", encode("end\0"));
  await taken.finish();

  expect(taken.output.shown({ maxChars: 1000, tailShare: 0.5 }).text).toMatch(/end\u2400$/u);
  expect(kept.text).not.toContain("\0");
});
