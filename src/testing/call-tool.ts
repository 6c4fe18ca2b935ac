import type { LazyTool, Tool } from "../core/index.ts";
import {
  toolBench,
  type BenchCallOptions,
  type ToolBenchOptions,
  type ToolCallResult,
} from "./tool-bench.ts";

/**
 * Runs one call in an environment of its own, limited to the effects that the tool declares; rejects with the call's
 * ToolError.
 */
export async function callTool(
  tool: Tool | LazyTool,
  input: unknown,
  options: ToolBenchOptions & BenchCallOptions = {},
): Promise<ToolCallResult> {
  const { signal, ...world } = options;
  return toolBench(world).call(tool, input, signal === undefined ? {} : { signal });
}
