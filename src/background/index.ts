export { keptTasks, type KeptTasks } from "./kept-tasks.ts";
export { outputsInUse } from "./open-outputs.ts";
