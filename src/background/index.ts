export { type KeptJobs, keptJobs } from "./jobs.ts";
export { outputsInUse } from "./open-outputs.ts";
