import { z } from "zod";
import { defineTool, ToolError, webSearch as searches, type WebResult } from "../../core/index.ts";

const domains = z.array(z.string()).min(1).max(20);

const Input = z.strictObject({
  query: z.string().min(1).describe("Words to search for."),
  count: z.int().min(1).max(20).optional().describe("Number of results."),
  allowed_domains: domains.optional().describe("Only these domains."),
  blocked_domains: domains.optional().describe("None of these."),
});

export const webSearch = defineTool({
  name: "WebSearch",
  displayName: "Search the web",
  description: "Search the web: title, address, passage and date of each result.",
  category: "web",
  aliases: ["web_search"],
  searchHint: "google internet online find look up news documentation",
  input: Input,
  inputAliases: {
    query: ["q", "search"],
    count: ["max_results", "num_results", "limit"],
    allowed_domains: ["include_domains"],
    blocked_domains: ["exclude_domains"],
  },
  freeText: ["query"],
  touches: ["connect"],
  needs: [searches],
  timeoutMs: 120_000,
  async effects(_input, context) {
    const hosts = await context.service(searches).hosts(context);
    // The services are those of the user's settings; the query names no other host.
    return hosts.map(({ host, port }) => ({ kind: "connect", host, port, reach: "public" }));
  },
  signature: ({ query }) => `WebSearch ${JSON.stringify(query)}`,

  async run({ query, count, allowed_domains: allowed, blocked_domains: blocked }, context) {
    if (allowed !== undefined && blocked !== undefined) {
      throw new ToolError(
        "INVALID_INPUT",
        "WebSearch takes allowed_domains or blocked_domains, not both.",
        {
          hint: "Leave out one of them.",
        },
      );
    }
    const found = await context
      .service(searches)
      .search({ query, count, allowedDomains: allowed, blockedDomains: blocked }, context);
    const { results, service, quota, failures } = found;
    const notes = [
      ...failures.map((failure) => `Failed: ${failure}`),
      ...(quota === undefined ? [] : [`${service}: ${quota}.`]),
    ];
    const list = results.length === 0 ? "No results." : results.map(lineOf).join("\n\n");
    return {
      content: notes.length === 0 ? list : `${list}\n\n(${notes.join(" ")})`,
      title: `Search ${query}`,
      summary: `${results.length} results of ${service}`,
      metadata: { service, results, ...(quota === undefined ? {} : { quota }) },
    };
  },
});

function lineOf({ title, url, snippet, date }: WebResult, index: number): string {
  const day = date === undefined ? "" : ` (${date})`;
  return `${index + 1}. ${title}${day}\n   ${url}${snippet === "" ? "" : `\n   ${snippet}`}`;
}
