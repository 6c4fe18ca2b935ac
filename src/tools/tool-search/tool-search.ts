import { z } from "zod";
import {
  defineTool,
  toolSearch,
  toolSearchName,
  type FoundTool,
  type FoundTools,
  type JsonSchema,
} from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { fitted } from "../files/display-width.ts";
import { counted } from "../files/paths/display-path.ts";

/** Width of a line about a tool, and of the query where it is repeated. */
const lineColumns = 160;
const queryColumns = 60;

/** Maximum characters of all schemas in an answer: about 3,000 tokens. */
const maxSchemaChars = 12_000;

/** Width of what is said of a schema longer than that. */
const maxOutlineColumns = 2000;

/** Maximum number of unknown names repeated. */
const maxUnknown = 5;

export const toolSearchTool = defineTool({
  name: toolSearchName,
  displayName: "Search tools",
  description:
    "Find tools that are not in your list, by what they do, and how to call them. Search before you say that something cannot be done.",
  category: "tools",
  searchHint: "find discover load activate more tools",
  aliases: ["tool_search", "SearchTools"],
  input: z.strictObject({
    query: z
      .string()
      .describe("Keywords or a server's name; +word is required; select:A,B names tools."),
  }),
  inputAliases: { query: ["keywords", "q", "search", "text"] },
  touches: [],
  needs: [toolSearch],
  signature: ({ query }) => `ToolSearch ${shortened(query, queryColumns)}`,

  async run({ query }, context) {
    const { sessionId, signal, runId } = context;
    const result = await context.service(toolSearch).find(query, sessionId, { signal, runId });
    const { found, tokensSaved, ranking } = result;
    return {
      content: [answer(query, result), ...(result.notes ?? [])].join("\n"),
      title: "Search tools",
      summary: `${counted(found.length, "tool")} found`,
      metadata: {
        [result.callThrough === undefined ? "activated" : "found"]: found.map(({ name }) => name),
        deferred: result.deferred,
        tokensSaved,
        ...(ranking === undefined ? {} : { ranking }),
      },
    };
  },
});

function answer(query: string, result: FoundTools): string {
  const { found, more, active, unknown, deferred, callThrough } = result;
  const matching = `matching '${shortened(query, queryColumns)}'`;
  const missing =
    unknown.length === 0
      ? []
      : [`No tool is called ${shortened(unknown.slice(0, maxUnknown).join(", "), lineColumns)}.`];
  if (found.length > 0) {
    return [
      `Found ${found.length} tool(s) ${matching}:`,
      ...(callThrough === undefined ? found.map(lineOf) : withSchemas(found)),
      callThrough === undefined
        ? "These tools have been activated; call them like any other."
        : `Call them with ${callThrough}: the tool is its name, what fits the input its arguments.`,
      ...(more === 0
        ? []
        : [`${more} more match less well: add words, or require one with +word.`]),
      ...missing,
    ].join("\n");
  }
  const others = `${counted(deferred, "other tool")} can be found: use other words, or the name of a server.`;
  const rest = deferred === 0 ? missing : [...missing, others];
  if (active.length > 0) {
    return ["These tools are already in your list:", ...active.map(lineOf), ...rest].join("\n");
  }
  if (deferred === 0) {
    return ["All tools are in your list already; there are no others.", ...missing].join("\n");
  }
  return (missing.length > 0 ? rest : [`Found no tool ${matching}.`, ...rest]).join("\n");
}

function lineOf({ name, summary }: FoundTool): string {
  return shortened(summary === "" ? `- ${name}` : `- ${name}: ${summary}`, lineColumns);
}

/** Lines about tools with the schemas of their inputs, the best first, as long as they fit. */
function withSchemas(found: readonly FoundTool[]): readonly string[] {
  let left = maxSchemaChars;
  return found.flatMap((tool) => {
    const { inputSchema } = tool;
    if (inputSchema === undefined) return [lineOf(tool), "  input: not known now"];
    const text = [inputSchema, withoutTexts(inputSchema)]
      .map(inOneLine)
      .find(({ length }) => length <= left);
    left -= text?.length ?? 0;
    const room = text ?? `too long to show here; search for select:${tool.name}`;
    return [
      lineOf(tool),
      `  input: ${text === undefined && found.length === 1 ? outline(inputSchema) : room}`,
    ];
  });
}

/** JSON whose invisible characters are written as escapes. */
function inOneLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\p{Cf}\u2028\u2029]/gu, (letter) =>
    letter
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** The schema without descriptions and examples; a property of such a name stays. */
function withoutTexts(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withoutTexts(each));
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isNames || !textKeys.has(key))
      .map(([key, value]) => [key, withoutTexts(value, !isNames && nameKeys.has(key))]),
  );
}

const textKeys: ReadonlySet<string> = new Set(["$comment", "description", "examples", "title"]);
const nameKeys: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "patternProperties",
  "properties",
]);

/** Names of the properties of a schema that is too long even alone. */
function outline({ properties, required }: JsonSchema): string {
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return shortened(
    `too long to show; properties ${names.join(", ")}; required ${JSON.stringify(required ?? [])}`,
    maxOutlineColumns,
  );
}

/** One line of limited width; a description or a query may have many. */
function shortened(text: string, columns: number): string {
  const line = text
    .slice(0, columns * 4)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return fitted(line, columns);
}
