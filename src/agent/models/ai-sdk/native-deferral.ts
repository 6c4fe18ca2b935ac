import { isRecord } from "../../../text/index.ts";
import type { ToolResultPart } from "../../../session/index.ts";
import type { ModelEvent, ModelTool } from "../model.ts";

type Part = Readonly<Record<string, unknown>>;

/** How a provider keeps tools from a model until a result of the search tool contains them. */
export interface ProviderDeferral {
  /** Models that can do it. */
  readonly models: RegExp;
  /** Options of a deferred tool in a request; undefined: results contain its definition, and requests leave it out. */
  readonly toolOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Id of the provider's tool in whose form the search tool is declared and called. */
  readonly searchTool?: string;
  /** Result of a search that found these tools. */
  readonly loads: (tools: readonly ModelTool[]) => Part;
}

/** Deferral by the name of the provider, as in `anthropic:…`. */
export const providerDeferrals = {
  anthropic: {
    models: /claude-(?:(?:opus|sonnet|haiku)-(?:4-[5-9]|[5-9])|fable|mythos)/u,
    toolOptions: { anthropic: { deferLoading: true } },
    loads: (tools) => ({
      type: "content",
      value: tools.map(({ name }) => ({
        type: "custom",
        providerOptions: { anthropic: { type: "tool-reference", toolName: name } },
      })),
    }),
  },
  openai: {
    models: /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|\d\d)/u,
    searchTool: "openai.tool_search",
    loads: (tools) => ({
      type: "json",
      value: {
        tools: tools.map(({ name, description, inputSchema, strict = false }) => ({
          type: "function",
          name,
          description,
          parameters: inputSchema,
          strict,
          defer_loading: true,
        })),
      },
    }),
  },
} as const satisfies Readonly<Record<string, ProviderDeferral>>;

/** Deferral of one request. */
export interface RequestDeferral {
  /** Tools to send. */
  readonly tools: readonly unknown[];
  /** Input of a call in the form in which the provider sent it. */
  inputOf(call: { readonly name: string; readonly id: string }, input: unknown): unknown;
  /** Result of a search, with what the provider's form of it has no place for; undefined for another result. */
  outputOf(
    result: ToolResultPart,
  ): { readonly output: Part; readonly isSilent: boolean } | undefined;
  /** The event with the input that the search tool takes. */
  read(event: ModelEvent): ModelEvent;
}

/** Returns undefined for a request without deferred tools, which is sent like any other. */
export function requestDeferral(
  tools: readonly ModelTool[],
  deferral: ProviderDeferral | undefined,
  toTool: (tool: ModelTool) => Readonly<Record<string, unknown>>,
): RequestDeferral | undefined {
  const search = tools.find(({ findsDeferred }) => findsDeferred === true);
  const deferred = tools.filter((tool) => tool.deferred !== undefined);
  if (deferral === undefined || search === undefined || deferred.length === 0) return undefined;
  const byFoundName = new Map(deferred.map((tool) => [tool.deferred, tool]));
  const { toolOptions, searchTool } = deferral;
  const isOwnForm = searchTool !== undefined;
  const isSearch = (name: string): boolean => name === search.name;
  return {
    tools: tools.flatMap((tool) => {
      if (tool === search && isOwnForm) return [searchDeclaration(tool, searchTool)];
      if (tool.deferred === undefined) return [toTool(tool)];
      return toolOptions === undefined ? [] : [{ ...toTool(tool), providerOptions: toolOptions }];
    }),
    inputOf: ({ name, id }, input) =>
      isOwnForm && isSearch(name) ? { arguments: input, call_id: id } : input,
    outputOf({ name, loadedTools = [] }) {
      if (!isSearch(name)) return undefined;
      // A tool that is gone since cannot be referred to.
      const loaded = loadedTools.flatMap((found) => byFoundName.get(found) ?? []);
      if (loaded.length === 0 && !isOwnForm) return undefined;
      return { output: deferral.loads(loaded), isSilent: loaded.length === 0 };
    },
    read(event) {
      if (!isOwnForm || event.type !== "tool-call" || !isSearch(event.name)) return event;
      return { ...event, input: innerInput(event.input) };
    },
  };
}

function searchDeclaration({ name, description, inputSchema }: ModelTool, id: string): unknown {
  const args = { execution: "client", description, parameters: inputSchema };
  return { type: "provider", id, name, args };
}

/** Input inside a call in the provider's form; the text as it is where it is not one. */
function innerInput(text: string): string {
  try {
    const call: unknown = JSON.parse(text);
    const inner: unknown = isRecord(call) ? call["arguments"] : undefined;
    if (inner === undefined || inner === null) return text;
    return typeof inner === "string" ? inner : JSON.stringify(inner);
  } catch {
    return text;
  }
}
