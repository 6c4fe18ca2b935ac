/** Entry `haft/testing`: tests of tools in memory. */
export {
  callTool,
  hostFsContract,
  hostNetContract,
  hostProcContract,
  hostSearchContract,
  storeContract,
  toolBench,
  toolContract,
  type BenchCallOptions,
  type ContractCase,
  type ContractCheck,
  type ContractHost,
  type ContractNet,
  type ToolBench,
  type ToolBenchOptions,
  type ToolCallResult,
} from "../testing/index.ts";
