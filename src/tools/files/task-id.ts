import { z } from "zod";

/** Schema of a task id, shared by all tools. */
export const TaskId = z.string().min(1).describe("As Bash or TaskList names it.");

/** Aliases of the key, as other tools call it. */
export const taskIdAliases: readonly string[] = ["taskId", "id", "bash_id", "shell_id", "job_id"];
