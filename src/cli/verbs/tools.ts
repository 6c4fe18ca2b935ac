import type { DefinitionFormat, EffectKind, Kit, ToolListing } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { didYouMean } from "../input/nearest.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { newTool, testTools } from "./created-tools.ts";

const formats = [
  "anthropic",
  "openai-chat",
  "openai-responses",
  "gemini",
  "mcp",
] as const satisfies readonly DefinitionFormat[];

const actions = ["list", "show", "search", "export", "new", "test"] as const;

const help = `Usage: haft tools list                      list the available tools
       haft tools show TOOL                 show one tool: description, input, flags
       haft tools search WORDS              find tools by keywords, the best match first
       haft tools new NAME                  write the files of a new tool, in .haft/tools
       haft tools test [NAME]               call the tools in .haft/tools with their examples
       haft tools export [--format FORMAT]  print the definitions as a provider takes them

The list depends on the mode: --mode plan lists the tools that plan mode may call.

      --format FORMAT   format that export prints: ${formats.join(", ")} (default: mcp)
      --language NAME   language of the tool that new writes: javascript (the default) or shell
${kitOptionsHelp}`;

/** `haft tools`: lists the tools, for the user and for other programs. */
export async function tools(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseWords(words, {
    ...kitOptions,
    format: { type: "string" },
    language: { type: "string" },
  });
  const { values } = parsed;
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [named = "list", ...rest] = parsed.words;
  const action = actions.find((candidate) => candidate === named);
  if (action === undefined) {
    throw new UsageError(
      `haft tools has no ${JSON.stringify(named)}.${didYouMean(named, actions)}`,
      `It has ${actions.join(", ")}; haft tools --help says more.`,
    );
  }
  if (action !== "search") {
    refuseMore(rest, takesName.has(action) ? 1 : 0, "haft tools --help says what each takes.");
  }
  const format = formatOf(values.format ?? "mcp");
  const kit = await openKit(values, terminal);
  const printing = { json: values.json === true, terminal };
  try {
    switch (action) {
      case "list":
        list(await leveled(kit, kit.listings(), printing), printing);
        return exitCodes.ok;
      case "search":
        return await search(kit, rest.join(" "), printing);
      case "show":
        return await show(kit, rest[0], printing);
      case "export":
        return await exportTools(kit, format, terminal);
      case "new":
        return await newTool(kit, { name: rest[0], language: values.language }, terminal);
      case "test":
        return await testTools(kit, rest[0], printing);
    }
  } finally {
    await kit.dispose();
  }
}

const takesName: ReadonlySet<string> = new Set(["show", "new", "test"]);

interface Printing {
  readonly json: boolean;
  readonly terminal: Terminal;
}

function list(listings: readonly ToolListing[], { json, terminal }: Printing): void {
  if (json) {
    const short = listings.map(({ name, summary, category, flags, touches, level }) => ({
      name,
      summary,
      category,
      flags,
      touches,
      level,
    }));
    terminal.out(`${JSON.stringify(short, null, 2)}\n`);
    return;
  }
  const rows = listings.map(({ name, summary, touches }) => ({
    name,
    does: touchesText(touches),
    summary,
  }));
  const nameWidth = widest(rows.map(({ name }) => name));
  const doesWidth = widest(rows.map(({ does }) => does));
  for (const { name, does, summary } of rows) {
    const head = terminal.style("bold", name.padEnd(nameWidth), "out");
    terminal.out(`${head}  ${terminal.style("dim", does.padEnd(doesWidth), "out")}  ${summary}\n`);
  }
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

const doings = {
  read: "reads",
  write: "writes",
  execute: "runs programs",
  connect: "connects",
  delegate: "starts agents",
  interact: "talks to you",
  unknown: "anything",
} as const satisfies Record<EffectKind, string>;

function touchesText(touches: readonly EffectKind[]): string {
  if (touches.includes("unknown")) return doings.unknown;
  return touches.length === 0 ? "nothing" : touches.map((kind) => doings[kind]).join(", ");
}

async function search(kit: Kit, query: string, printing: Printing): Promise<ExitCode> {
  if (query === "") throw new UsageError("Search for what?", "haft tools search edit a file");
  const found = await kit.registry.search(query, { mode: kit.mode });
  const byName = new Map(kit.listings().map((listing) => [listing.name, listing]));
  const listings = found.flatMap(({ name }) => byName.get(name) ?? []);
  if (listings.length === 0) {
    printing.terminal.err(
      `haft: no tool matches ${JSON.stringify(query)}.\nhaft tools list shows all tools.\n`,
    );
    return exitCodes.failed;
  }
  list(listings, printing);
  return exitCodes.ok;
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
  const offered = kit.listings().find((each) => each.name === registered.name);
  const known = offered ?? (await registered.listing());
  const [listing = known] = await leveled(kit, [known], { json: true });
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
level     ${levelText(listing)}
category  ${listing.category}
aliases   ${listing.aliases.join(", ") || "none"}
from      ${listing.source.name}

input
${JSON.stringify(listing.inputSchema, null, 2)}
`;
}

/** Adds the undo level of commands on this machine, which is probed only if it is shown. */
async function leveled(
  kit: Kit,
  listings: readonly ToolListing[],
  { json }: Pick<Printing, "json">,
): Promise<readonly ToolListing[]> {
  const hasCommands = listings.some(({ staged }) => staged === "commands");
  if (!json || !hasCommands || !(await kit.stagesCommands())) return listings;
  return listings.map((each) => (each.staged === "commands" ? { ...each, level: 2 } : each));
}

function levelText({ level, flags }: ToolListing): string {
  if (flags.readOnly) return `${level}: it changes nothing`;
  switch (level) {
    case 0:
      return "0: it may do more than can be undone";
    case 1:
      return "1: undo";
    case 2:
      return "2: preview and undo";
  }
}

function formatOf(name: string): DefinitionFormat {
  if (name === "openai") return "openai-chat";
  const format = formats.find((candidate) => candidate === name);
  if (format !== undefined) return format;
  throw new UsageError(
    `There is no format ${JSON.stringify(name)}.${didYouMean(name, formats)}`,
    `Formats: ${formats.join(", ")}.`,
  );
}

async function exportTools(
  kit: Kit,
  format: DefinitionFormat,
  terminal: Terminal,
): Promise<ExitCode> {
  const { tools: definitions, dropped, renamed } = await kit.definitions(format, { all: true });
  terminal.out(`${JSON.stringify(definitions, null, 2)}\n`);
  for (const { tool, path, keyword } of dropped) {
    terminal.err(
      `${tool}: ${format} cannot express ${keyword} at ${path === "" ? "the top" : path}; omitted\n`,
    );
  }
  for (const { tool, path, name } of renamed) {
    terminal.err(`${tool}: ${path === "" ? "the name" : path} becomes ${name}\n`);
  }
  return exitCodes.ok;
}
