import {
  createToolkit,
  defineTool,
  memoryHost,
  type Ask,
  type Answer,
  type JsonSchema,
  type Kit,
  type MemoryHost,
  type MemoryHostOptions,
  type Tool,
  type ToolDefinition,
  type ToolkitOptions,
} from "../../src/index.ts";

export interface World {
  readonly kit: Kit;
  readonly host: MemoryHost;
  /** Every question so far. */
  readonly asked: readonly Ask[];
  /** Another toolkit on the same machine, as after a restart. */
  again(options?: ToolkitOptions): Promise<World>;
}

/** A toolkit on a machine in memory; `answers` are given in turn, the last one from then on. */
export async function world(
  options: ToolkitOptions & { readonly answers?: readonly Answer[] } = {},
  machine: MemoryHostOptions = {},
): Promise<World> {
  return await on(memoryHost(machine), options);
}

async function on(
  host: MemoryHost,
  { answers, ...options }: ToolkitOptions & { readonly answers?: readonly Answer[] | undefined },
): Promise<World> {
  const asked: Ask[] = [];
  const kit = await createToolkit({
    host,
    ...(answers === undefined
      ? {}
      : {
          onAsk: async (ask: Ask) => {
            const answer = answers[Math.min(asked.length, answers.length - 1)];
            asked.push(ask);
            if (answer === undefined) throw new TypeError("Nobody planned an answer.");
            return answer;
          },
        }),
    ...options,
  });
  return {
    kit,
    host,
    asked,
    again: async (more = {}) => await on(host, { answers, ...options, ...more }),
  };
}

type Behaviour = ToolDefinition<JsonSchema>["run"];

/** A tool that takes any object and touches nothing, unless told otherwise. */
export function tool(
  name: string,
  run: Behaviour,
  traits: Partial<Omit<ToolDefinition<JsonSchema>, "name" | "run" | "input">> & {
    readonly input?: JsonSchema;
  } = {},
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
