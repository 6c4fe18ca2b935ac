import { expect, test } from "vitest";
import type { JournalState } from "./journal-state.ts";
import { journalRecovery } from "./recovery.ts";

test("a journal whose files were removed is new before anything is recovered from it", async () => {
  const steps: string[] = [];
  const state = {
    isInPlace: async () => await Promise.resolve(steps.includes("renewed")),
    alone: async (work: () => Promise<unknown>) => await work(),
    renew: async () => {
      await new Promise(setImmediate);
      steps.push("renewed");
      return "empty";
    },
    ready: async () => {
      steps.push("ready");
      throw await Promise.resolve(new Error("That is enough."));
    },
  } as unknown as JournalState;
  const late = { write: async () => void steps.push("late") };

  await expect(journalRecovery(state, late).recover()).rejects.toThrow("That is enough.");

  expect(steps).toEqual(["renewed", "late", "ready"]);
});
