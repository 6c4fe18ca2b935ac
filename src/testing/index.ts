export {
  memoryHost,
  type MemoryControl,
  type MemoryEntry,
  type MemoryHost,
  type MemoryHostOptions,
  type MemoryProgram,
} from "../host/index.ts";
export { callTool } from "./call-tool.ts";
export {
  toolBench,
  type BenchCallOptions,
  type ToolBench,
  type ToolBenchOptions,
  type ToolCallResult,
} from "./tool-bench.ts";
export { toolContract, type ContractCase, type ContractCheck } from "./tool-contract.ts";
