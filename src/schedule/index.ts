export { conflict } from "./conflicts.ts";
export { runCalls } from "./run-calls.ts";
