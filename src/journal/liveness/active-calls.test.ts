import { expect, test } from "vitest";
import type { CallRecord } from "../records.ts";
import { withBrought } from "./active-calls.ts";

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
  paths: [],
};

const unstored = (path: string) => ({ path, because: "too large" });
const both = <T>(of: (path: string) => T): readonly T[] => [of("/ws/own"), of("/ws/other")];

test("paths of other calls are neither changes of a call nor reported as not stored", () => {
  const image = { kind: "directory", mode: 0o755 } as const;
  const change = (path: string) => ({ path, before: { kind: "absent" } as const, after: image });

  const settled = withBrought(
    { changed: both(change), skipped: both(unstored), unkept: both(unstored) },
    {
      record,
      brought: [],
      captured: {
        images: new Map(),
        versions: new Map(),
        skipped: [],
        there: new Set(),
        trees: [],
      },
      flush: async () => undefined,
      watched: undefined,
      isOthers: (path) => path === "/ws/other",
    },
  );

  expect(settled).toEqual({
    changed: [change("/ws/own")],
    skipped: [unstored("/ws/own")],
    unkept: [unstored("/ws/own")],
    lost: [],
    further: [],
  });
});
