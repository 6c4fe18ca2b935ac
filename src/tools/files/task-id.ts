import { z } from "zod";

/** How every tool names a task. */
export const TaskId = z.string().min(1).describe("As Bash or TaskList names it.");

/** What other tools call it. */
export const taskIdAliases: readonly string[] = ["taskId", "id", "bash_id", "shell_id", "job_id"];
