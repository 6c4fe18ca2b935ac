import { expect, test } from "vitest";
import type { HostAppender, HostFs } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { journalLog, type ClosedSegment, type JournalLog } from "./log.ts";
import { contentLine } from "./log-line.ts";

const directory = "/data/log";
const setAside = async (): Promise<boolean> => false;

async function closedOf(log: JournalLog): Promise<ClosedSegment> {
  for await (const closed of log.closed()) return closed;
  throw new Error("Nothing is closed.");
}

test("of two programs that make a segment smaller at once, the later one leaves it as it is", async () => {
  const host = memoryHost({ root: directory });
  const log = journalLog({ fs: host.fs, directory, clock: host.clock, setAside });
  const other = journalLog({ fs: host.fs, directory, clock: host.clock, setAside });
  const texts = ["one", "two", "three"];
  for (const text of texts) {
    const line = contentLine(`sha256:${text.length}`, new TextEncoder().encode(text));
    await log.append([line], { durable: true });
  }
  host.control.advance(3 * 60 * 60 * 1000);
  const seen = await closedOf(log);
  const seenByOther = await closedOf(other);
  await log.shrink(seen, seen.entries.slice(1));
  const [path = ""] = Object.keys(host.control.texts());
  const left = host.control.texts()[path];
  await other.shrink(seenByOther, seenByOther.entries.slice(2));

  expect(seen.entries).toHaveLength(3);
  expect(left).toContain('"text":"two"');
  expect(left).not.toContain('"text":"one"');
  expect(host.control.texts()[path]).toBe(left);
  const again = await closedOf(other);
  await other.shrink(again, []);
  expect(host.control.texts()).toEqual({});
});

/** File system that records its flushes; the flush of the first segment waits for `until`. */
function flushing(fs: HostFs, until: Promise<void>): { fs: HostFs; flushed: string[] } {
  const flushed: string[] = [];
  let first: string | undefined;
  const appender = async (path: string): Promise<HostAppender> => {
    first ??= path;
    return {
      append: async (data, { durable = false } = {}) => {
        await fs.append(path, data);
        if (!durable) return;
        if (path === first) await until;
        flushed.push(path === first ? "first" : "second");
      },
      close: async () => undefined,
    };
  };
  const watched = new Proxy(fs, {
    get(target, key) {
      if (key === "appender") return appender;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { fs: watched, flushed };
}

test("a writer that comes while a segment ends adds to the next one when all before is on the disk", async () => {
  const host = memoryHost({ root: directory });
  const gate = Promise.withResolvers<void>();
  const { fs, flushed } = flushing(host.fs, gate.promise);
  const log = journalLog({ fs, directory, clock: host.clock, setAside });
  await log.append(["{}"], { durable: false });
  host.control.advance(60 * 60 * 1000);

  const one = log.append(["{}"], { durable: true });
  const other = turns().then(() => log.append(["{}"], { durable: true }));
  await turns();
  await turns();
  expect(flushed).toEqual([]);
  gate.resolve();
  await Promise.all([one, other]);
  expect(flushed).toEqual(["first", "second", "second"]);
});

test("a segment that cannot be flushed fails those who wait, and not those who come later", async () => {
  const host = memoryHost({ root: directory });
  const gate = Promise.withResolvers<void>();
  const { fs, flushed } = flushing(host.fs, gate.promise);
  const log = journalLog({ fs, directory, clock: host.clock, setAside });
  const flush = await log.append(["{}"], { durable: false });
  host.control.advance(60 * 60 * 1000);
  gate.reject(new Error("The disk is broken."));

  await expect(log.append(["{}"], { durable: true })).rejects.toThrow("broken");
  await expect(flush()).rejects.toThrow("broken");
  await log.append(["{}"], { durable: true });
  expect(flushed).toEqual(["second"]);
});

test("additions at the same time stay what they are, however long they wait", async () => {
  const host = memoryHost({ root: directory });
  const gate = Promise.withResolvers<void>();
  const added: string[] = [];
  const memory: unknown[] = [];
  const waiting = new Proxy(host.fs, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key !== "appender") return typeof value === "function" ? value.bind(target) : value;
      return async (): Promise<HostAppender> => ({
        append: async (data) => {
          await gate.promise;
          added.push(new TextDecoder().decode(data));
          memory.push(data.buffer);
        },
        close: async () => undefined,
      });
    },
  });
  const log = journalLog({ fs: waiting, directory, clock: host.clock, setAside });
  const lines = ["one", "two\u{1F600}", "x".repeat(100_000), "last"];
  // Lines that just fit, have one character too many, or end with a character larger than the remaining space.
  const edges = ["x".repeat(131_070), "x".repeat(131_071), `${"x".repeat(131_069)}é`];
  const later = ["after", "é".repeat(70_000), "é".repeat(43_000), ...edges, "end"];

  const all = lines.map((line) => log.append([line], { durable: false }));
  await turns();
  gate.resolve();
  await Promise.all(all);
  for (const line of later) await log.append([line], { durable: false });

  expect(added).toEqual([...lines, ...later].map((line) => `\n${line}\n`));
  // One after the other they share memory, except for those that may be too long.
  expect(memory.slice(4).map((each) => each === memory[0])).toEqual([
    true,
    false,
    true,
    true,
    false,
    false,
    true,
  ]);
  const bytes = added.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  expect(log.takeWritten()).toBe(bytes);
});

async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await Promise.resolve();
}
