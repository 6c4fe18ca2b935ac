import { expect, test } from "vitest";
import { task } from "../../../test/support/task.ts";
import { testKit } from "../../../test/support/kit.ts";
import type { AgentTask, Task, Todo } from "../../core/index.ts";
import type { Kit } from "../../kit/index.ts";
import { toolBench } from "../../testing/index.ts";
import { taskGet } from "../task-get/task-get.ts";
import { taskList } from "../task-list/task-list.ts";
import { taskOutput } from "../task-output/task-output.ts";
import { taskStop } from "../task-stop/task-stop.ts";
import { taskInput } from "../task-input/task-input.ts";

const session = { sessionId: "s" };

async function aKit() {
  const { kit } = await testKit({ sessions: "memory" });
  const call = async (name: string, input: object) => await kit.call({ name, input }, session);
  const created = async (input: object): Promise<string> =>
    (await call("TaskCreate", input)).summary;
  return { kit, call, created };
}

test("a plan is made, worked on and listed, also in plan mode", async () => {
  const { kit, call, created } = await aKit();
  kit.setMode("plan");
  const one = await created({ subject: "Write the tests" });
  const two = await created({ title: "Make them pass", dependsOn: [one], owner: "ada" });

  const early = await call("TaskUpdate", { task_id: two, status: "in_progress" });
  const listed = await call("TaskList", {});

  expect(early.text).toBe(
    `${two} is in_progress: Make them pass\n(${two} depends on ${one} (pending).)`,
  );
  expect(listed.text).toMatch(
    new RegExp(
      `^${one}  pending      \\d+ s {4}Write the tests\n${two}  in_progress  \\d+ s {4}Make them pass \\(after ${one}\\) @ada$`,
      "u",
    ),
  );
  expect(listed.summary).toBe("2 todos open");
  await call("TaskUpdate", { id: one, status: "in_progress" });
  await call("TaskUpdate", { id: one, status: "done" });
  const shown = await call("TaskGet", { id: two });
  expect(shown.text).toBe(
    `${two} (todo): Make them pass\nStatus: in_progress\nOwner: ada\nDepends on: ${one}`,
  );
  await kit.dispose();
});

test("the todos of one turn keep the order of its calls", async () => {
  const { kit } = await testKit({ sessions: "memory" });
  const titles = Array.from({ length: 8 }, (_, index) => String(index));

  await kit.callAll(
    titles.map((title) => ({ name: "TaskCreate", input: { title } })),
    session,
  );

  expect((await kit.tasks.list()).map(({ title }) => title)).toEqual(titles);
  await kit.dispose();
});

test.each([
  [{ status: "done" }, "INVALID_INPUT", "Set it to in_progress first."],
  [{ status: "finished" }, "INVALID_INPUT", undefined],
  [{}, "INVALID_INPUT", "Give a status, title, description, depends_on or owner."],
  [{ depends_on: ["todo-none"] }, "NOT_FOUND", undefined],
  [{ title: "  " }, "INVALID_INPUT", undefined],
])("TaskUpdate with %j is %s", async (change, code, hint) => {
  const { kit, call, created } = await aKit();
  const id = await created({ title: "a" });

  const outcome = await call("TaskUpdate", { id, ...change });

  expect(outcome.error).toMatchObject({ code, ...(hint === undefined ? {} : { hint }) });
  expect(await kit.tasks.list()).toMatchObject([{ id, status: "pending", title: "a" }]);
  await kit.dispose();
});

test("a user cancels a todo, and reads none", async () => {
  const { kit, created } = await aKit();
  const id = await created({ title: "a" });

  await expect(kit.tasks.read(id)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(await kit.tasks.stop(id)).toMatchObject({ status: "cancelled" });
  await expect(kit.tasks.stop(id)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await kit.dispose();
});

function names(kit: Kit): readonly string[] {
  return kit.listings().flatMap(({ name }) => (name.startsWith("Task") ? name : []));
}

test("todo tools are offered where sessions are stored, and work without background commands", async () => {
  const plain = await testKit();
  const stored = await testKit({ sessions: "memory", background: "none" });

  expect(names(plain.kit)).toEqual(["TaskInput", "TaskList", "TaskOutput", "TaskStop"]);
  expect(names(stored.kit)).toEqual(["TaskCreate", "TaskGet", "TaskList", "TaskUpdate"]);
  const { status } = await stored.kit.call({ name: "TaskCreate", input: { title: "a" } });
  expect(status).toBe("ok");
  await plain.kit.dispose();
  await stored.kit.dispose();
});

const agent: AgentTask = {
  id: "agent-1",
  kind: "agent",
  status: "running",
  title: "Look for it",
  startedAt: 0,
  activity: "Grep",
  calls: 3,
  tokens: 1200,
  costUsd: 0.01,
  printedBytes: 4,
  seenBytes: 0,
  trust: "untrusted",
};
const todo: Todo = {
  id: "todo-1",
  kind: "todo",
  status: "pending",
  title: "Use it",
  description: "All of it.",
  dependsOn: ["agent-1", "task-1"],
  createdAt: 0,
  updatedAt: 0,
};

function benchWith(tasks: readonly Task[]) {
  const get = async (id: string) => tasks.find((each) => each.id === id);
  const list = { list: async () => tasks, get };
  const jobs = {
    get,
    read: async (id: string) => ({
      task: await get(id),
      parts: [{ at: 0, text: "said" }],
      next: 4,
      total: 4,
    }),
    isWaiting: async () => false,
    stop: async () => ({ ...agent, status: "stopped" }),
  };
  return toolBench({ services: { taskList: list, jobs } });
}

test("every kind is listed and shown", async () => {
  const bench = benchWith([agent, { ...task, status: "ended", exitCode: 0 }, todo]);

  const listed = await bench.call(taskList, {});
  const shown = [
    await bench.call(taskGet, { id: "agent-1" }),
    await bench.call(taskGet, { id: "task-1" }),
    await bench.call(taskGet, { id: "todo-1" }),
  ];

  expect(listed.text.split("\n").map((line) => line.split(/ {2,}/u).slice(0, 2))).toEqual([
    ["agent-1", "running"],
    ["todo-1", "pending"],
    ["task-1", "ended with exit code 0"],
  ]);
  expect(listed.summary).toBe("1 task running, 1 todo open");
  expect(shown.map(({ text }) => text)).toEqual([
    "agent-1 (agent): Look for it\nStatus: running\nDoes now: Grep\nUsed: 3 calls, 1200 tokens, $0.0100\nTaskOutput shows what it printed.",
    "task-1 (command): make\nStatus: ended with exit code 0\nDirectory: /project\nProcess: 7\nTaskOutput shows what it printed.",
    "todo-1 (todo): Use it\nStatus: pending\nDepends on: agent-1, task-1\nAll of it.\ntodo-1 depends on agent-1 (running).",
  ]);
});

test("TaskOutput and TaskStop take an agent, TaskInput does not", async () => {
  const bench = benchWith([agent]);

  const output = await bench.call(taskOutput, { task_id: "agent-1" });
  const stopped = await bench.call(taskStop, { task_id: "agent-1" });

  expect(output).toMatchObject({ text: "said\n(agent-1 is running.)", effects: [] });
  expect(stopped).toMatchObject({ text: "agent-1 stopped.", effects: [] });
  await expect(bench.call(taskInput, { task_id: "agent-1", text: "x" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    hint: "Send it a message with AgentSend.",
  });
});
