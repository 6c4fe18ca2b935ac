import { expect, test } from "vitest";
import { task } from "../../../test/support/task.ts";
import type { CommandTask, Task } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool } from "../../testing/index.ts";
import { taskList } from "./task-list.ts";

const taskWith = (more: Partial<CommandTask>): Task => ({ ...task, printedBytes: 0, ...more });

async function listed(tasks: readonly Task[], now = 0) {
  const host = memoryHost();
  host.control.advance(now - host.clock.now());
  return await callTool(
    taskList,
    {},
    { host, services: { taskList: { list: async () => tasks } } },
  );
}

test("what runs comes first, a line each: id, state, age, bytes, command", async () => {
  const start = memoryHost().clock.now();
  const over = { status: "ended", exitCode: 3, signal: null, endedAt: start + 1000 } as const;

  const result = await listed(
    [
      taskWith({ id: "task-over", startedAt: start, printedBytes: 12_345, ...over }),
      taskWith({ id: "task-on", startedAt: start, title: "make\n  all" }),
    ],
    start + 61_000,
  );

  expect(result.text).toMatchInlineSnapshot(`
    "task-on    running                 61 s  0 B      make all
    task-over  ended with exit code 3  1 s   12.3 kB  make"
  `);
  expect(result.summary).toBe("1 task running");
});

test("a command is shown as far as 60 columns go, wide characters counted as two", async () => {
  const titles = ["x".repeat(60), "x".repeat(61), "\u5B57".repeat(30), "\u5B57".repeat(31)];

  const { text } = await listed(titles.map((title) => taskWith({ title })));

  expect(text.split("\n").map((line) => line.split("  ").at(-1))).toEqual([
    "x".repeat(60),
    `${"x".repeat(59)}\u2026`,
    "\u5B57".repeat(30),
    `${"\u5B57".repeat(29)}\u2026`,
  ]);
});

test("50 are shown and the others counted; the metadata has all", async () => {
  const many = Array.from({ length: 52 }, (_, index) => taskWith({ id: `task-${index}` }));

  const { text, metadata } = await listed(many);

  expect(text.split("\n")).toHaveLength(51);
  expect(text).toMatch(/\n\(2 more\)$/u);
  expect(metadata["tasks"]).toHaveLength(52);
  expect((await listed(many.slice(0, 50))).text).not.toContain("more");
});

test("no tasks are said to be none", async () => {
  expect((await listed([])).text).toBe("No tasks.");
});
