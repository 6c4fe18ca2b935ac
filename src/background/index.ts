export { isProgramAlive, ownProgram, type Program } from "./current-process.ts";
export { storedTasks, type StoredTasks } from "./stored-tasks.ts";
export { createRunWork } from "./run-work.ts";
export { outputsInUse } from "./lazy-outputs-in-use.ts";
