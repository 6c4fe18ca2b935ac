import { expect, test } from "vitest";
import { task } from "../../../test/support/task.ts";
import type { Jobs, CommandTask } from "../../core/index.ts";
import { toolBench } from "../../testing/index.ts";
import { taskStop } from "./task-stop.ts";

const over: CommandTask = { ...task, status: "ended", exitCode: 3, signal: null };

/** A session with one task, before and after it is stopped. */
function benchOf(before: CommandTask, after: CommandTask = before) {
  const stopped: string[] = [];
  const jobs: Partial<Jobs> = {
    get: async () => before,
    stop: async (id) => {
      stopped.push(id);
      return after;
    },
  };
  return { bench: toolBench({ services: { jobs } }), stopped };
}

test("a task that is over is an answer, and nothing is stopped", async () => {
  const { bench, stopped } = benchOf(over);

  const result = await bench.call(taskStop, { task_id: "task-1" });

  expect(result.text).toBe("task-1 had already ended: ended with exit code 3.");
  expect(result.effects).toEqual([]);
  expect(stopped).toEqual([]);
});

test("what ended is said with its end", async () => {
  const ended = { status: "ended", exitCode: null, signal: "SIGKILL", endedBy: "stop" } as const;
  const { bench, stopped } = benchOf(task, { ...task, ...ended });

  const result = await bench.call(taskStop, { task_id: "task-1" });

  expect(result.text).toBe("task-1 ended by SIGKILL, stopped.");
  expect(result.effects).toMatchObject([{ kind: "execute", consequences: "listed" }]);
  expect(stopped).toEqual(["task-1"]);
});

test("what even KILL did not end is TOOL_FAILED", async () => {
  const { bench } = benchOf(task);

  await expect(bench.call(taskStop, { task_id: "task-1" })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: "task-1 did not end, not even when it was killed.",
    data: { taskId: "task-1", pid: 7 },
  });
});
