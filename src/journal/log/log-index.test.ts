import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { journalLog } from "./log.ts";
import { logIndex } from "./log-index.ts";
import { goneLine, recordLine, runningLine } from "./log-line.ts";

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

test("a record that was removed does not come back from its note", async () => {
  const { fs, clock } = memoryHost({ root: directory });
  const log = journalLog({ fs, directory, clock, setAside: async () => false });
  const call = { callId: "1", tool: "Bash" };
  const noteOf = (id: string) =>
    ({
      id,
      kind: "call",
      state: "done",
      line: "ffffffff",
      at: 1,
      call,
      paths: [],
      count: 1,
    }) as const;
  const notes = [noteOf("a"), noteOf("b")];
  const index = logIndex(log, { read: async () => ({ notes, damaged: new Map() }) });
  await log.append([goneLine(["a"])], { durable: false });

  await index.refresh();

  expect([...index.records.keys()]).toEqual(["b"]);
});
