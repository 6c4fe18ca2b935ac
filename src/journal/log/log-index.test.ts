import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { journalLog } from "./log.ts";
import { logIndex } from "./log-index.ts";
import { recordLine, runningLine } from "./log-line.ts";

const directory = "/data/log";

test("that a call still ran is known of what its record says next as well", async () => {
  const host = memoryHost({ root: directory });
  const log = journalLog({
    fs: host.fs,
    directory,
    clock: host.clock,
    setAside: async () => false,
  });
  const index = logIndex(log, { read: async () => ({ notes: [], damaged: new Map() }) });
  const record = {
    kind: "call",
    id: "a",
    seq: 0,
    callId: "1",
    tool: "Bash",
    at: 1,
    state: "open",
    level: "full",
    skipped: [],
    paths: [],
  } as const;
  await log.append([recordLine(record), runningLine(["a"], 5)], { durable: false });
  await log.append([recordLine({ ...record, state: "applying" })], { durable: false });

  await index.refresh();

  expect(index.records.get("a")).toMatchObject({ state: "applying", at: 1, seenAt: 5 });
});
