import { z } from "zod";
import { defineTool, ToolError, type ToolContext } from "../../core/index.ts";
import { byteSize, counted, displayPath, grouped } from "../files/display-path.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/missing-path.ts";
import { newestFirst, type DatedFile } from "../files/newest-first.ts";
import { searchRoot } from "./search-root.ts";

/** Files found before the search stops. */
const maxFound = 10_000;
const defaultLimit = 100;

const Input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe("Glob such as **/*.ts or *.{js,ts}. Without a slash it matches at any depth."),
  path: z.string().optional().describe("Folder to search in. Default: the working directory."),
  include_ignored: z
    .boolean()
    .optional()
    .describe(
      "Also find what .gitignore names, and what lies in folders such as node_modules, dist and build. Default false.",
    ),
  offset: z
    .int()
    .min(0)
    .max(maxFound)
    .optional()
    .describe("First result to show, counting from 1. Default 1."),
});

export const glob = defineTool({
  name: "Glob",
  displayName: "Find files",
  description: [
    "Find files by name pattern, newest first, with sizes.",
    `Shows ${defaultLimit} at a time and how many there are.`,
    "Ignored files and folders such as node_modules are left out unless include_ignored is set.",
    "To search in files use Grep.",
  ].join(" "),
  category: "search",
  searchHint: "find files by name pattern wildcard extension path recursive",
  input: Input,
  inputAliases: {
    pattern: ["glob", "glob_pattern", "query"],
    path: ["directory", "dir", "root", "target_directory"],
    include_ignored: ["includeIgnored", "no_ignore"],
  },
  touches: ["read"],
  async effects({ pattern, path = "." }, context) {
    const [first, ...rest] = await readingEffects(searchRoot(pattern, path).root, context);
    return first === undefined ? rest : [{ ...first, scope: "tree" }, ...rest];
  },
  signature: ({ pattern, path = "." }) => `Glob ${pattern} in ${path}`,

  async run({ pattern, path = ".", include_ignored = false, offset = 1 }, context) {
    const { host, cwd, signal } = context;
    const search = searchRoot(pattern, path);
    const root = await host.fs.canonical(search.root, { base: cwd, signal });
    const stat = await statOrMissing(root, context);
    if (stat === undefined) throw await missingPath(root, context);
    if (stat.kind !== "directory") {
      throw new ToolError("NOT_A_DIRECTORY", `${displayPath(root, cwd)} is not a folder.`, {
        hint: "Give the folder to search in as path, and the pattern as pattern.",
        data: { kind: stat.kind },
      });
    }
    const found = await find(
      { root, pattern: search.pattern, includeIgnored: include_ignored },
      context,
    );
    const files = await newestFirst(found.paths, context);
    return answer(
      { ...found, files, pattern, includeIgnored: include_ignored, from: Math.max(1, offset) },
      context,
    );
  },
});

interface Query {
  readonly root: string;
  readonly pattern: string;
  readonly includeIgnored: boolean;
}

interface Found {
  readonly root: string;
  readonly paths: readonly string[];
  readonly withheld: number;
  readonly isPartial: boolean;
  /** Whether the search stopped because it had found enough. */
  readonly isCut: boolean;
}

async function find(query: Query, context: ToolContext): Promise<Found> {
  const { host, signal } = context;
  const paths: string[] = [];
  const isExcluded = (path: string): boolean => context.excludes(path) !== undefined;
  for await (const event of host.search.glob({ ...query, isExcluded }, { signal })) {
    if (event.kind === "end") {
      const { excluded: withheld, partial: isPartial } = event;
      return { root: query.root, paths, withheld, isPartial, isCut: false };
    }
    if (paths.length >= maxFound) break;
    paths.push(event.path);
  }
  return { root: query.root, paths, withheld: 0, isPartial: false, isCut: true };
}

interface Result extends Found {
  readonly files: readonly DatedFile[];
  readonly pattern: string;
  readonly includeIgnored: boolean;
  readonly from: number;
}

function answer(result: Result, { cwd }: ToolContext) {
  const { root, files, pattern, from, isCut, withheld, isPartial } = result;
  const page = files.slice(from - 1, from - 1 + defaultLimit);
  const last = from - 1 + page.length;
  const total = `${grouped(files.length)}${isCut ? "+" : ""}`;
  const notes: string[] = [];
  if (files.length > 0 && (page.length < files.length || isCut)) {
    notes.push(
      page.length === 0
        ? `There are only ${counted(files.length, "file")}.`
        : `${from} to ${last} of ${total} files, newest first.`,
    );
    if (last < files.length && page.length > 0) {
      notes.push(`Continue with offset ${last + 1}, or narrow the pattern.`);
    }
  }
  if (isCut) {
    notes.push(
      `The search stopped at ${grouped(maxFound)} files; newer ones may be among the rest.`,
    );
  }
  if (withheld > 0) notes.push(`${counted(withheld, "file")} withheld by permission rules.`);
  if (isPartial) notes.push("Some folders could not be read.");
  if (files.length === 0 && !result.includeIgnored) {
    notes.push("Ignored files were left out; include_ignored looks there too.");
  }
  const lines = page.map(({ path, size }) => `${displayPath(path, cwd)}\t${byteSize(size)}`);
  if (files.length === 0) lines.push(`No file matches ${pattern} in ${displayPath(root, cwd)}.`);
  if (notes.length > 0) lines.push(`(${notes.join(" ")})`);
  return {
    content: lines.join("\n"),
    title: `Glob ${pattern}`,
    summary: counted(files.length, "file") + (isCut ? " or more" : ""),
    metadata: {
      root,
      found: files.length,
      shown: page.length,
      isCut,
      withheld,
      ...(last < files.length && page.length > 0 ? { next: last + 1 } : {}),
    },
  };
}
