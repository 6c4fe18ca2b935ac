import { expect, test } from "vitest";
import { task } from "../../../test/support/task.ts";
import { limitsWith, type Jobs, type CommandTask, type TaskRead } from "../../core/index.ts";
import { callTool } from "../../testing/index.ts";
import { taskOutput } from "./task-output.ts";

interface Asked {
  readonly reads: TaskRead[];
  readonly waits: number[];
}

/** Jobs of a session with one task, which record how they are called. */
function session(state: Partial<CommandTask>, asked: Asked): Partial<Jobs> {
  const now = { ...task, ...state };
  return {
    get: async () => now,
    wait: async (_id, { ms }) => {
      asked.waits.push(ms);
      return now;
    },
    read: async (_id, options) => {
      asked.reads.push(options);
      return { task: now, parts: [{ at: 0, text: "hello" }], next: 5, total: 5 };
    },
    isWaiting: async () => false,
  };
}

async function asking(
  input: object,
  state: Partial<CommandTask> = {},
  shown?: number,
): Promise<Asked> {
  const asked: Asked = { reads: [], waits: [] };
  const limits = limitsWith(shown === undefined ? {} : { shownChars: { TaskOutput: shown } });
  const services = { jobs: session(state, asked), limits };
  await callTool(taskOutput, { task_id: "task-1", ...input }, { services });
  return asked;
}

test("what is new is shared between beginning and end as Bash does; from an offset there is no gap", async () => {
  const failed = { status: "ended", exitCode: 2, signal: null } as const;
  const bytes = { maxBytes: 28_500, reader: {} };

  expect((await asking({})).reads).toEqual([{ ...bytes, tailShare: 0.2 }]);
  expect((await asking({}, failed)).reads).toEqual([{ ...bytes, tailShare: 0.8 }]);
  expect((await asking({ offset: 1 }, failed)).reads).toEqual([
    { ...bytes, from: 0, tailShare: 0 },
  ]);
  expect((await asking({ offset: 0 })).reads).toEqual([{ ...bytes, from: 0, tailShare: 0 }]);
  expect((await asking({}, {}, 2000)).reads).toEqual([
    { maxBytes: 500, reader: {}, tailShare: 0.2 },
  ]);
});

test("it waits half a minute unless told otherwise, ten minutes at most, and only when asked to", async () => {
  expect((await asking({})).waits).toEqual([]);
  expect((await asking({ block: true })).waits).toEqual([30_000]);
  expect((await asking({ block: true, timeout: 600_000 })).waits).toEqual([600_000]);
  await expect(asking({ block: true, timeout: 600_001 })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});
