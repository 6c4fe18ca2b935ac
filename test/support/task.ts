import type { CommandTask } from "../../src/core/index.ts";

/** A command that runs in the background. */
export const task: CommandTask = {
  id: "task-1",
  kind: "command",
  status: "running",
  title: "make",
  cwd: "/project",
  pid: 7,
  startedAt: 0,
  printedBytes: 5,
  seenBytes: 0,
  takesInput: false,
  trust: "trusted",
  callId: "c",
};
