export { isProgramAlive, ownProgram, type Program } from "./current-process.ts";
export { keptTasks, type KeptTasks } from "./stored-tasks.ts";
export { createRunWork } from "./run-work.ts";
export { outputsInUse } from "./lazy-outputs-in-use.ts";
