import { expect, test } from "vitest";
import type { CallRecord } from "../records.ts";
import { wholeCalls } from "./merge-records.ts";

const part = (id: string, path: string): CallRecord => ({
  kind: "call",
  id,
  seq: 1,
  callId: "1",
  tool: "Bash",
  at: 1,
  state: "done",
  level: "full",
  skipped: [],
  paths: [{ path, before: { kind: "absent" } }],
});

test("a call of several records says what it left only where it left something", () => {
  const left = [{ path: "/ws/c", because: "It is in use." }];
  const parts = [{ ...part("b", "/ws/b"), partOf: "a" }, part("a", "/ws/a")];

  const [whole, ...others] = wholeCalls(parts);

  expect(others).toEqual([]);
  expect(whole?.paths).toHaveLength(2);
  expect(whole).not.toHaveProperty("left");
  expect(wholeCalls(parts.map((each) => ({ ...each, left })))[0]?.left).toHaveLength(2);
});
