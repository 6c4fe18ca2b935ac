import { expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { journalLog, type ClosedSegment, type JournalLog } from "./log.ts";
import { contentLine } from "./log-line.ts";

const directory = "/data/log";

async function closedOf(log: JournalLog): Promise<ClosedSegment> {
  for await (const closed of log.closed()) return closed;
  throw new Error("Nothing is closed.");
}

test("of two programs that make a segment smaller at once, the later one leaves it as it is", async () => {
  const host = memoryHost({ root: directory });
  const log = journalLog(host.fs, directory, host.clock);
  const other = journalLog(host.fs, directory, host.clock);
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
