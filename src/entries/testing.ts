/** Entry `haft/testing`: tests of tools in memory. */
export {
  callTool,
  toolBench,
  toolContract,
  type BenchCallOptions,
  type ContractCase,
  type ContractCheck,
  type ToolBench,
  type ToolBenchOptions,
  type ToolCallResult,
} from "../testing/index.ts";
