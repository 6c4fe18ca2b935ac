import { expect, test } from "vitest";
import { sweepLog, type SweptLog } from "./compact.ts";

test("a sweep ends when its segments are rewritten, and fails where that fails", async () => {
  const shrinking = Promise.withResolvers<void>();
  const entries = [{ line: { kind: "damaged" }, segment: "1", offset: 0, bytes: 1 }];
  const swept = {
    log: {
      closed: async function* () {
        yield await Promise.resolve({ entries });
      },
      shrink: async () => await shrinking.promise,
    },
    index: { refresh: async () => undefined },
    witness: { sweep: async () => undefined },
  } as unknown as SweptLog;
  const sweep = sweepLog(swept, () => true, false);

  setImmediate(() => shrinking.reject(new Error("The disk is gone.")));

  await expect(sweep).rejects.toThrow("The disk is gone.");
});
