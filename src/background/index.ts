export { type KeptJobs, keptJobs } from "./jobs.ts";
export { createRunWork } from "./run-work.ts";
export { outputsInUse } from "./open-outputs.ts";
