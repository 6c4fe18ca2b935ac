import { expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { runningOutputs } from "./outputs-in-use.ts";
import { ownProgram } from "./current-process.ts";
import { TaskRecords, type TaskRecord } from "./task-record.ts";

const gone = { id: "gone", pid: 2_147_483_000, token: "1" };

const task: TaskRecord["task"] = {
  id: "task-1",
  kind: "command",
  status: "running",
  title: "app",
  cwd: "/project",
  pid: 7,
  startedAt: 0,
  printedBytes: 0,
  seenBytes: 0,
  takesInput: true,
  trust: "trusted",
  callId: "c",
  outputFile: "/data/task-1.txt",
};

const directories = { own: "/data/tasks", others: ["/data/tasks"] };

test.each([
  { change: {}, owner: ownProgram(), isInUse: true, because: "its program lives" },
  { change: {}, owner: gone, token: ":77", isInUse: true, because: "the process itself lives" },
  { change: {}, owner: gone, token: ":78", isInUse: false, because: "its pid went to another" },
  { change: { status: "ended" }, owner: ownProgram(), isInUse: false, because: "it is over" },
] as const)("the output of a task is in use: $isInUse, $because", async (given) => {
  const { change, owner, isInUse } = given;
  const host = memoryHost();
  const stat = `7 (app) S ${Array.from({ length: 18 }, () => "0").join(" ")} 77 0`;
  host.control.plant("/proc/7/stat", { kind: "file", content: stat });
  const token = "token" in given ? given.token : undefined;
  await new TaskRecords(host, "/data/tasks").save({ task: { ...task, ...change }, owner, token });

  const files = await runningOutputs(host, directories);

  expect([...files]).toEqual(isInUse ? ["/data/task-1.txt"] : []);
});

test("where no task was ever started nothing is in use", async () => {
  expect((await runningOutputs(memoryHost(), directories)).size).toBe(0);
});

test("a task on another host is in use while the process that writes its output lives", async () => {
  const host = memoryHost();
  const there = new TaskRecords(host, "/data/tasks/hosts/box");
  await there.save({
    task: { ...task, id: "a", outputFile: "/a" },
    owner: ownProgram(),
    token: "",
  });
  await there.save({ task: { ...task, id: "b", outputFile: "/b" }, owner: gone, token: "" });

  expect([...(await runningOutputs(host, directories))]).toEqual(["/a"]);
});
