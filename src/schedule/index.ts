export { conflict } from "./conflicts.ts";
export { runCalls, withinTurn, type TurnOptions } from "./run-calls.ts";
export { createScheduler, type Scheduler } from "./scheduler.ts";
