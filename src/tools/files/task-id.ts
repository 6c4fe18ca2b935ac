import { z } from "zod";

/** Schema of a task id, shared by all tools. */
export const TaskId = z.string().min(1).describe("As TaskList names it.");

/** Aliases of the key, as other tools call it. */
export const taskIdAliases: readonly string[] = ["taskId", "id", "bash_id", "shell_id", "job_id"];

/** The same for tools that call the key `id`. */
export const todoIdAliases: readonly string[] = [
  "task_id",
  ...taskIdAliases.filter((key) => key !== "id"),
];
