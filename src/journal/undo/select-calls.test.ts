import { expect, test } from "vitest";
import type { CallRecord, Step } from "../records.ts";
import { noteUntouched } from "./select-calls.ts";

const image = (hash: string) => ({ kind: "file", hash, size: 1, mode: 0o644 }) as const;
const record: CallRecord = {
  kind: "call",
  id: "a",
  seq: 1,
  callId: "1",
  tool: "Bash",
  at: 1,
  state: "open",
  level: "full",
  skipped: [],
  paths: [
    { path: "/ws/same", before: image("one") },
    { path: "/ws/changed", before: image("one") },
  ],
};
const stepAt = (path: string, hash: string): Step => ({
  path,
  from: image(hash),
  to: { kind: "absent" },
});

test("of an interrupted call the paths that it had not changed are noted, and the others remain its own", async () => {
  const replaced: CallRecord[] = [];
  const records = {
    calls: async () => await Promise.resolve([record]),
    replace: async (all: readonly CallRecord[]) => void replaced.push(...all),
  } as unknown as Parameters<typeof noteUntouched>[0]["records"];
  const steps = [stepAt("/ws/same", "one"), stepAt("/ws/changed", "two")];

  await noteUntouched({ records }, steps, () => false);

  expect(replaced.map(({ paths }) => paths.map(({ path }) => path))).toEqual([["/ws/changed"]]);
});
