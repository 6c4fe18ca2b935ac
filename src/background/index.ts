export { keptTasks, type KeptTasks } from "./kept-tasks.ts";
export { createRunWork } from "./run-work.ts";
export { outputsInUse } from "./open-outputs.ts";
