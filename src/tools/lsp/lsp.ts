/** The tool LSP: questions to language servers, and renaming. */
import { z } from "zod";
import {
  defineTool,
  languageServers,
  ToolError,
  type CodePlace,
  type Effect,
  type EffectContext,
  type ToolContext,
} from "../../core/index.ts";
import { counted, displayPath } from "../files/paths/display-path.ts";
import { findSymbol } from "./find-symbol.ts";
import { plannedRename, type RenamedFile } from "./rename.ts";

const Input = z
  .strictObject({
    operation: z
      .enum([
        "definition",
        "references",
        "hover",
        "symbols",
        "workspace_symbols",
        "diagnostics",
        "rename",
      ])
      .describe("What to ask."),
    file_path: z.string().min(1).optional().describe("A source file."),
    line: z.int().min(1).optional().describe("Line of the symbol."),
    symbol: z.string().min(1).optional().describe("Name of the symbol in that line."),
    query: z.string().min(1).optional().describe("For workspace_symbols."),
    new_name: z.string().min(1).optional().describe("For rename."),
  })
  .superRefine((input, check) => {
    const missing = missingFor(input);
    if (missing !== undefined) check.addIssue({ code: "custom", message: missing });
  });

type Input = z.infer<typeof Input>;

/** Maximum number of places or symbols in an answer. */
const maxShown = 200;

export const lsp = defineTool({
  name: "LSP",
  displayName: "Ask a language server",
  description: "Ask a language server about code, or rename a symbol everywhere.",
  category: "files",
  searchHint: "go to definition usages type outline refactor errors",
  input: Input,
  inputAliases: {
    operation: ["action", "op"],
    file_path: ["path", "filePath", "file"],
    new_name: ["newName"],
  },
  freeText: ["query"],
  touches: ["read", "write"],
  staged: "files",
  needs: [languageServers],
  timeoutMs: 90_000,
  async effects(input, context): Promise<readonly Effect[]> {
    const { operation, file_path: named } = input;
    const tree: Effect = { kind: "read", path: context.workspace, scope: "tree" };
    // A rule that excludes the file itself refuses the call, because the server reads it without asking.
    const reads: readonly Effect[] =
      named === undefined || operation === "workspace_symbols"
        ? [tree]
        : [tree, { kind: "read", path: named, scope: "file" }];
    if (operation !== "rename") return reads;
    const files = await plannedOrNone(input, context);
    return [
      ...reads,
      ...files.map(({ path }): Effect => ({
        kind: "write",
        path,
        scope: "file",
        change: "modify",
      })),
    ];
  },
  signature: ({ operation, file_path = "", symbol = "" }) =>
    `LSP ${operation} ${file_path} ${symbol}`.trim(),

  async run(input, context) {
    const { operation } = input;
    if (operation === "rename") return await rename(input, context);
    const text = await answerTo(input, context);
    return {
      content: text,
      title: `LSP ${operation}`,
      summary: operation,
      metadata: { operation },
    };
  },
});

function missingFor({
  operation,
  file_path,
  line,
  symbol,
  query,
  new_name,
}: {
  readonly operation: string;
  readonly file_path?: string | undefined;
  readonly line?: number | undefined;
  readonly symbol?: string | undefined;
  readonly query?: string | undefined;
  readonly new_name?: string | undefined;
}): string | undefined {
  if (operation === "workspace_symbols") return query === undefined ? "give query" : undefined;
  if (file_path === undefined) return "give file_path";
  if (operation === "symbols" || operation === "diagnostics") return undefined;
  if (symbol === undefined) return "give symbol, and line where it occurs";
  if (line === undefined) return "give line";
  return operation === "rename" && new_name === undefined ? "give new_name" : undefined;
}

async function answerTo(input: Input, context: ToolContext): Promise<string> {
  const { operation, query = "" } = input;
  const { cwd, signal } = context;
  const servers = context.service(languageServers);
  switch (operation) {
    case "definition":
    case "references": {
      const at = await placeOf(input, context);
      const places = (await servers.places(operation, at, signal)).filter(allowedBy(context));
      return shownList(
        await Promise.all(places.slice(0, maxShown).map(async (each) => placeLine(each, context))),
        places.length,
      );
    }
    case "hover":
      return (await servers.hover(await placeOf(input, context), signal)) || "Nothing is known.";
    case "symbols":
    case "workspace_symbols": {
      const found =
        operation === "symbols"
          ? await servers.symbols(await pathOf(input, context), signal)
          : await servers.search(query, signal);
      const shown = found.filter(allowedBy(context));
      return shownList(
        shown.slice(0, maxShown).map(({ path, line, column, kind, name, container }) => {
          const inside = container === undefined ? "" : ` in ${container}`;
          return `${displayPath(path, cwd)}:${line}:${column} ${kind} ${name}${inside}`;
        }),
        shown.length,
      );
    }
    case "diagnostics": {
      const path = await pathOf(input, context);
      const found = await servers.problems(path, signal);
      if (found === undefined) {
        throw new ToolError(
          "UNAVAILABLE",
          "The server does not say for which text its problems are.",
          {
            hint: "Run the checker of the project with Bash.",
          },
        );
      }
      return shownList(
        found.slice(0, maxShown).map(({ line, column, severity, code, message }) => {
          const kind = code === undefined ? severity : `${severity} ${code}`;
          return `${displayPath(path, cwd)}:${line}:${column} ${kind}: ${message}`;
        }),
        found.length,
      );
    }
    case "rename":
      throw new TypeError("A rename is not a question.");
  }
}

/** Leaves out places that the call may not read. */
function allowedBy({ excludes }: ToolContext): (place: CodePlace) => boolean {
  return ({ path }) => excludes(path) === undefined;
}

function shownList(lines: readonly string[], total: number): string {
  if (total === 0) return "Nothing was found.";
  const more = total - lines.length;
  return [...lines, ...(more > 0 ? [`(${more} more)`] : [])].join("\n");
}

/** A place with its line, where the line may be read. */
async function placeLine(
  { path, line, column }: CodePlace,
  { host, cwd, signal }: ToolContext,
): Promise<string> {
  const shown = `${displayPath(path, cwd)}:${line}:${column}`;
  try {
    const { bytes } = await host.fs.readFile(path, { signal });
    const text = new TextDecoder().decode(bytes).split("\n")[line - 1]?.trim() ?? "";
    return text === "" ? shown : `${shown} ${text.slice(0, 200)}`;
  } catch (error) {
    // A library outside the workspace is named, and not read.
    if (ToolError.is(error)) return shown;
    throw error;
  }
}

async function pathOf(
  { file_path = "" }: Input,
  { host, cwd, signal }: EffectContext,
): Promise<string> {
  return await host.fs.canonical(file_path, { base: cwd, signal });
}

async function placeOf(input: Input, context: EffectContext): Promise<CodePlace> {
  const { line = 1, symbol = "" } = input;
  return await findSymbol({ path: await pathOf(input, context), line, symbol }, context);
}

/**
 * Changes of each rename in progress, by the input of its call. The server may answer differently each time, and the user
 * approves the changes of the first answer.
 */
const plans = new WeakMap<Input, readonly RenamedFile[]>();

async function planned(input: Input, context: EffectContext): Promise<readonly RenamedFile[]> {
  const known = plans.get(input);
  if (known !== undefined) return known;
  const at = await placeOf(input, context);
  const files = await plannedRename({ at, name: input.new_name ?? "" }, context);
  plans.set(input, files);
  return files;
}

/** Changes that are to be judged. The call itself says why there are none: here, the user would be asked about nothing. */
async function plannedOrNone(
  input: Input,
  context: EffectContext,
): Promise<readonly RenamedFile[]> {
  try {
    return await planned(input, context);
  } catch (error) {
    if (ToolError.is(error) && !context.signal.aborted) return [];
    throw error;
  }
}

async function rename(input: Input, context: ToolContext) {
  const files = await planned(input, context);
  const { host, cwd, signal } = context;
  for (const { path, hash } of files) {
    const now = await host.fs.readFile(path, { signal });
    if (now.hash !== hash) throw changedSince(displayPath(path, cwd));
  }
  for (const { path, bytes, hash } of files) {
    await host.fs.writeAtomic(path, bytes, { ifMatch: hash, signal });
  }
  const places = files.reduce((sum, { count }) => sum + count, 0);
  const list = files.map(
    ({ path, count }) => `${displayPath(path, cwd)}: ${counted(count, "place")}`,
  );
  const summary = `${counted(places, "place")} in ${counted(files.length, "file")}`;
  return {
    content: `Renamed ${input.symbol} to ${input.new_name} at ${summary}.\n${list.join("\n")}`,
    title: `Renamed ${input.symbol} to ${input.new_name}`,
    summary,
    metadata: { operation: "rename", files: files.map(({ path, count }) => ({ path, count })) },
  };
}

function changedSince(path: string): ToolError {
  return new ToolError("STALE_READ", `${path} changed after the rename was planned.`, {
    hint: "Nothing was renamed. Call LSP again.",
    data: { path },
  });
}
