import { deriveFlags, ToolError, type LazyTool, type Tool } from "../core/index.ts";
import { toolBench, type ToolBench, type ToolBenchOptions } from "./tool-bench.ts";

/** A call that must succeed in an environment of its own. */
export interface ContractCase extends ToolBenchOptions {
  /** Name of the case, for messages. */
  readonly name: string;
  /** Valid input. */
  readonly input: unknown;
  /** Calls made before it in the same environment, such as the Read before an Edit. */
  readonly after?: readonly { readonly tool: Tool | LazyTool; readonly input: unknown }[];
}

/** One requirement on a tool; `run` rejects if it is violated. Pass `name` and `run` to any test runner. */
export interface ContractCheck {
  /** Law that it checks. */
  readonly name: string;
  /** Rejects if the tool breaks the law. */
  readonly run: () => Promise<void>;
}

/** Requirements on every tool, checked with calls that its author knows to succeed. */
export function toolContract(
  tool: Tool | LazyTool,
  cases: readonly ContractCase[],
): readonly ContractCheck[] {
  return [
    {
      name: `${tool.name} refuses input that is not an object`,
      run: async () => refusesNonObjects(tool),
    },
    ...cases.flatMap((each) => checksOf(tool, each)),
  ];
}

function checksOf(tool: Tool | LazyTool, given: ContractCase): ContractCheck[] {
  const check = (name: string, run: (bench: ToolBench) => Promise<void>): ContractCheck => ({
    name: `${tool.name}, ${given.name}: ${name}`,
    run: async () => {
      const bench = toolBench(given);
      for (const call of given.after ?? []) await bench.call(call.tool, call.input);
      await run(bench);
    },
  });
  const checks = [
    check("effects are the same when asked twice", async (bench) => {
      const first = JSON.stringify(await bench.effects(tool, given.input));
      const second = JSON.stringify(await bench.effects(tool, given.input));
      require(first === second, `effects changed from ${first} to ${second}`);
    }),
    check("it does no more than it declares", async (bench) => {
      await bench.call(tool, given.input);
    }),
    check("its answer has content, and facts that JSON can carry", async (bench) => {
      const result = await bench.call(tool, given.input);
      require(result.content.length > 0 && result.text !== "", "the answer is empty");
      requireJson("metadata", result.metadata);
      requireJson("structuredContent", result.structuredContent);
    }),
  ];
  if (given.host !== undefined || !deriveFlags(tool.touches, tool.flags).readOnly) return checks;
  return [
    ...checks,
    check("it leaves every file as it was", async (bench) => {
      const before = JSON.stringify(bench.files());
      await bench.call(tool, given.input);
      require(JSON.stringify(bench.files()) === before, "a read-only tool changed a file");
    }),
  ];
}

async function refusesNonObjects(tool: Tool | LazyTool): Promise<void> {
  // Not null and not []: models often send one of them for a call without arguments.
  for (const input of ["text", 7, [1, 2]]) {
    const error: unknown = await toolBench()
      .effects(tool, input)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    const isRefused = ToolError.is(error) && error.type === "validation";
    require(isRefused, `${JSON.stringify(input)} was taken as input`);
  }
}

function requireJson(name: string, value: unknown): void {
  if (value === undefined) return;
  const isSame = isJson(value);
  require(isSame, `${name} holds something JSON cannot carry`);
}

function isJson(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      if (Array.isArray(value)) return value.every(isJson);
      return (
        Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson)
      );
    case "bigint":
    case "function":
    case "symbol":
    case "undefined":
      return false;
  }
}

function require(isKept: boolean, complaint: string): void {
  if (!isKept) throw new Error(`The contract is broken: ${complaint}.`);
}
