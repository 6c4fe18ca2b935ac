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
export type { ContractHost } from "./contracts/requirements.ts";
export { hostFsContract } from "./contracts/host-fs-contract.ts";
export { hostNetContract, type ContractNet } from "./contracts/host-net-contract.ts";
export { hostProcContract } from "./contracts/host-proc-contract.ts";
export { hostSearchContract } from "./contracts/host-search-contract.ts";
export { storeContract } from "./contracts/store-contract.ts";
