export { conflict } from "./conflicts.ts";
export { runCalls } from "./run-calls.ts";
export { createScheduler, type Scheduler } from "./scheduler.ts";
