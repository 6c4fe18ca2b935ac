import {
  toolSearchName,
  type DefinitionFormat,
  type JsonSchema,
  type ModelDefinitionOptions,
  type Toolkit,
} from "../../../core/index.ts";
import type { ModelTool } from "../../models/model.ts";

/**
 * Tools offered to the model. Requested once, and again only after the toolkit reported a change. While they are the
 * same, the same array is returned, so that a provider's cache stays valid.
 */
export function definitionSource(
  toolkit: Toolkit,
  { dialect, sessionId, native }: DefinitionSourceOptions,
): { current(): Promise<readonly ModelTool[]>; stop(): void } {
  let tools: readonly ModelTool[] | undefined;
  let text = "";
  let isStale = true;
  const stop = toolkit.events.subscribe((event) => {
    if (event.type !== "tools-change" && event.type !== "mode-change") return;
    if (event.sessionId === undefined || event.sessionId === sessionId) isStale = true;
  });
  return {
    async current() {
      if (tools !== undefined && !isStale) return tools;
      isStale = false;
      const definitions = await toolkit.definitions(dialect, { sessionId, native });
      const deferred = new Map(definitions.deferred?.map(({ name, tool }) => [name, tool]));
      const next = definitions.tools
        .flatMap(neutral)
        .map((tool) => (deferred.size === 0 ? tool : withDeferral(tool, deferred.get(tool.name))));
      const nextText = JSON.stringify(next);
      if (tools === undefined || nextText !== text) tools = next;
      text = nextText;
      return tools;
    },
    stop,
  };
}

interface DefinitionSourceOptions {
  readonly dialect: DefinitionFormat;
  readonly sessionId?: string;
  /** Set for a model whose provider defers tools. */
  readonly native?: ModelDefinitionOptions["native"];
}

function withDeferral(tool: ModelTool, deferred: string | undefined): ModelTool {
  if (tool.name === toolSearchName) return { ...tool, findsDeferred: true };
  return deferred === undefined ? tool : { ...tool, deferred };
}

/** Converts a definition in any provider's format to a neutral one. */
function neutral(definition: Readonly<Record<string, unknown>>): readonly ModelTool[] {
  const inner = isRecord(definition["function"]) ? definition["function"] : definition;
  const { name, description, strict } = inner;
  const schema = schemaKeys.map((key) => inner[key]).find(isRecord);
  if (typeof name !== "string") return [];
  return [
    {
      name,
      description: typeof description === "string" ? description : "",
      inputSchema: schema ?? { type: "object" },
      ...(strict === true ? { strict } : {}),
    },
  ];
}

const schemaKeys = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"] as const;

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
