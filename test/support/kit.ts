import { memoryHost, type MemoryHost, type MemoryHostOptions } from "../../src/host/index.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/kit/index.ts";
import {
  defineTool,
  type JsonSchema,
  type Tool,
  type ToolDefinition,
} from "../../src/core/index.ts";

export interface TestKit {
  readonly kit: Kit;
  readonly host: MemoryHost;
}

/** A toolkit over a memory host; everything else as a user would get it. */
export async function testKit(
  options: ToolkitOptions = {},
  hostOptions: MemoryHostOptions = {},
): Promise<TestKit> {
  const host = memoryHost(hostOptions);
  const kit = await createToolkit({ host, ...options });
  // Loads what runs calls, so that a test that lets things go on need not wait for module files.
  await kit.history();
  return { host, kit };
}

type Traits = Partial<Omit<ToolDefinition<JsonSchema>, "name" | "run" | "input">>;

/** A tool that takes any object and touches nothing, unless told otherwise. */
export function simpleTool(
  name: string,
  run: ToolDefinition<JsonSchema>["run"],
  traits: Traits = {},
): Tool {
  return defineTool<JsonSchema>({
    name,
    description: `${name} for tests.`,
    touches: [],
    input: { type: "object" },
    run,
    ...traits,
  });
}

/** A tool whose effects are unknown, and the number of its runs. */
export function countingTool(
  name: string,
  traits: Traits = {},
): { readonly tool: Tool; readonly runs: () => number } {
  let runs = 0;
  const run = (): { readonly content: string } => {
    runs += 1;
    return { content: "ran" };
  };
  const tool = simpleTool(name, run, {
    touches: ["unknown"],
    effects: () => [{ kind: "unknown", because: "a test", origin: name }],
    ...traits,
  });
  return { tool, runs: () => runs };
}

export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

/** Something to wait for that a test opens by hand, in place of sleeping. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

/** Lets everything that can go on without a timer go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}
