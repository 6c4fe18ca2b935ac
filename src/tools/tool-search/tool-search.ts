import { z } from "zod";
import { defineTool, toolSearch, type FoundTool, type FoundTools } from "../../core/index.ts";
import { fitted } from "../files/display-width.ts";
import { counted } from "../files/paths/display-path.ts";

/** Width of a line about a tool, and of the query where it is repeated. */
const lineColumns = 160;
const queryColumns = 60;

/** Maximum number of unknown names repeated. */
const maxUnknown = 5;

export const toolSearchTool = defineTool({
  name: "ToolSearch",
  displayName: "Search tools",
  description:
    "Find tools that are not in your list, by what they do; those found join your list. Search before you say that something cannot be done.",
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
    const result = await context.service(toolSearch).find(query, context.sessionId);
    const { found } = result;
    return {
      content: [answer(query, result), ...(result.notes ?? [])].join("\n"),
      title: "Search tools",
      summary: `${counted(found.length, "tool")} found`,
      metadata: { activated: found.map(({ name }) => name), deferred: result.deferred },
    };
  },
});

function answer(query: string, result: FoundTools): string {
  const { found, more, active, unknown, deferred } = result;
  const matching = `matching '${shortened(query, queryColumns)}'`;
  const missing =
    unknown.length === 0
      ? []
      : [`No tool is called ${shortened(unknown.slice(0, maxUnknown).join(", "), lineColumns)}.`];
  if (found.length > 0) {
    return [
      `Found ${found.length} tool(s) ${matching}:`,
      ...found.map(lineOf),
      "These tools have been activated; call them like any other.",
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

/** One line of limited width; a description or a query may have many. */
function shortened(text: string, columns: number): string {
  const line = text
    .slice(0, columns * 4)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return fitted(line, columns);
}
