import { createToolkit, type DefinitionFormat, type Kit, type ToolListing } from "../index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { nearestWords } from "./nearest.ts";
import { kitOptions, kitOptionsHelp, parseWords, toolkitOptions } from "./options.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const formats = [
  "openai",
  "anthropic",
  "gemini",
  "mcp",
] as const satisfies readonly DefinitionFormat[];

const help = `Usage: haft tools list                      the tools on offer
       haft tools show TOOL                 one tool: description, input, flags
       haft tools search WORDS              the tools that fit the words
       haft tools export [--format FORMAT]  definitions for ${formats.join(", ")} (default mcp)

${kitOptionsHelp}`;

/** `haft tools`: what is on offer, for people and for other programs. */
export async function tools(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseWords(words, { ...kitOptions, format: { type: "string" } });
  const { values } = parsed;
  const [action = "list", ...rest] = parsed.words;
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const kit = await createToolkit(toolkitOptions(values, terminal));
  const json = values.json === true;
  try {
    switch (action) {
      case "list":
        list(kit.listings(), { json, terminal });
        return exitCodes.ok;
      case "search":
        return await search(kit, rest.join(" "), { json, terminal });
      case "show":
        return await show(kit, rest[0], { json, terminal });
      case "export":
        return await exportTools(kit, values.format ?? "mcp", terminal);
      default:
        throw unknownAction(action);
    }
  } finally {
    await kit.dispose();
  }
}

interface Printing {
  readonly json: boolean;
  readonly terminal: Terminal;
}

function list(listings: readonly ToolListing[], { json, terminal }: Printing): void {
  if (json) {
    const short = listings.map(({ name, summary, category, flags, touches }) => ({
      name,
      summary,
      category,
      flags,
      touches,
    }));
    terminal.out(`${JSON.stringify(short, null, 2)}\n`);
    return;
  }
  const width = Math.max(0, ...listings.map(({ name }) => name.length));
  for (const { name, summary, touches } of listings) {
    terminal.out(
      `${name.padEnd(width)}  ${summary} [${touches.join(", ") || "touches nothing"}]\n`,
    );
  }
}

async function search(kit: Kit, query: string, printing: Printing): Promise<ExitCode> {
  if (query === "") throw new UsageError("Search for what?", "haft tools search edit a file");
  const found = await kit.registry.search(query, { mode: kit.mode });
  const names = new Set(found.map(({ name }) => name));
  list(
    kit.listings().filter(({ name }) => names.has(name)),
    printing,
  );
  return found.length === 0 ? exitCodes.failed : exitCodes.ok;
}

async function show(
  kit: Kit,
  name: string | undefined,
  { json, terminal }: Printing,
): Promise<ExitCode> {
  if (name === undefined) throw new UsageError("Show which tool?", "haft tools list names them.");
  const registered = kit.registry.resolve(name);
  if (registered === undefined) {
    const nearest = kit.registry.nearest(name);
    const guess = nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : "";
    throw new UsageError(
      `There is no tool ${JSON.stringify(name)}.${guess}`,
      "haft tools list names them.",
    );
  }
  const listing = await registered.listing();
  terminal.out(json ? `${JSON.stringify(listing, null, 2)}\n` : describe(listing));
  return exitCodes.ok;
}

function describe(listing: ToolListing): string {
  const flags = Object.entries(listing.flags)
    .filter(([, isSet]) => isSet)
    .map(([flag]) => flag);
  return `${listing.name}${listing.displayName === listing.name ? "" : ` (${listing.displayName})`}

${listing.description}

touches   ${listing.touches.join(", ") || "nothing"}
flags     ${flags.join(", ") || "none"}
category  ${listing.category}
aliases   ${listing.aliases.join(", ") || "none"}
from      ${listing.source.name}

input
${JSON.stringify(listing.inputSchema, null, 2)}
`;
}

async function exportTools(kit: Kit, name: string, terminal: Terminal): Promise<ExitCode> {
  const format = formats.find((candidate) => candidate === name);
  if (format === undefined) {
    const nearest = nearestWords(name, formats);
    throw new UsageError(
      `There is no format ${JSON.stringify(name)}.${nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : ""}`,
      `Formats: ${formats.join(", ")}.`,
    );
  }
  const { tools: definitions, dropped } = await kit.definitions(format);
  terminal.out(`${JSON.stringify(definitions, null, 2)}\n`);
  for (const { tool, path, keyword } of dropped) {
    terminal.err(
      `${tool}: ${format} cannot say ${keyword} at ${path === "" ? "the top" : path}; left out\n`,
    );
  }
  return exitCodes.ok;
}

function unknownAction(action: string): UsageError {
  const nearest = nearestWords(action, ["list", "show", "search", "export"]);
  const guess = nearest.length > 0 ? ` Did you mean haft tools ${nearest[0]}?` : "";
  return new UsageError(
    `haft tools cannot ${JSON.stringify(action)}.${guess}`,
    "haft tools --help says what it can.",
  );
}
