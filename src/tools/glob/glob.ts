import { z } from "zod";
import {
  defineTool,
  limits,
  ToolError,
  type GlobFile,
  type ToolContext,
} from "../../core/index.ts";
import { byteSize, counted, displayPath, inFolder, grouped } from "../files/display-path.ts";
import { inexactNames } from "../files/inexact-names.ts";
import { missingPath, notMeant, readingEffects, statOrMissing } from "../files/missing-path.ts";
import { takenLiterally } from "../files/taken-literally.ts";
import { searchRoot } from "./search-root.ts";

/** Links named in one answer. */
const shownLinks = 5;

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
    .max(1_000_000)
    .optional()
    .describe("First result to show, counting from 1. Default 1."),
});

export const glob = defineTool({
  name: "Glob",
  displayName: "Find files",
  description: [
    "Find files by name pattern, newest first, with sizes.",
    "Shows a page of them and how many there are.",
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
  staged: "files",
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
    if (stat === undefined) throw await missingPath(root, context, search.root);
    if (stat.kind !== "directory") {
      throw new ToolError("NOT_A_DIRECTORY", `${displayPath(root, cwd)} is not a folder.`, {
        hint: "Give the folder to search in as path, and the pattern as pattern.",
        data: { kind: stat.kind },
      });
    }
    const query = { root, pattern: search.pattern, includeIgnored: include_ignored };
    const found = await find(query, context);
    if (found.files.length === 0 && !found.isCut) {
      const literally = takenLiterally(pattern, host.info.home);
      if (literally !== undefined) throw notMeant(literally);
    }
    const isNothing = found.files.length === 0 && !include_ignored;
    const elsewhere = isNothing ? await countIgnored(query, context) : undefined;
    return answer({ ...found, query, pattern, from: Math.max(1, offset), elsewhere }, context);
  },
});

interface Query {
  readonly root: string;
  readonly pattern: string;
  readonly includeIgnored: boolean;
}

interface Found {
  /** Newest first. */
  readonly files: readonly GlobFile[];
  readonly withheld: number;
  /** Files that match and are not visible, as far as the walk came by. */
  readonly ignored: number;
  readonly links: readonly string[];
  readonly isPartial: boolean;
  /** Whether the search stopped because it had found enough. */
  readonly isCut: boolean;
}

async function find(query: Query, context: ToolContext): Promise<Found> {
  const { host, signal } = context;
  const maxFound = context.service(limits).glob.found;
  const files: GlobFile[] = [];
  let end = { withheld: 0, ignored: 0, links: noLinks, isPartial: false, isCut: true };
  for await (const event of host.search.glob({ ...query, dated: true }, { signal })) {
    if (event.kind === "end") {
      const { excluded: withheld, ignored, links, partial: isPartial } = event;
      end = { withheld, ignored, links, isPartial, isCut: false };
    } else {
      files.push(...event.files);
      if (files.length > maxFound) break;
    }
  }
  // Which ones were found first is chance; they are cut before they are put in order.
  return { ...end, files: files.slice(0, maxFound).toSorted(newestFirst) };
}

const noLinks: readonly string[] = [];

/** Equal times by path, so that the order is stable. */
function newestFirst(one: GlobFile, other: GlobFile): number {
  return (other.mtimeMs ?? 0) - (one.mtimeMs ?? 0) || (one.path < other.path ? -1 : 1);
}

/** How many files match where the search did not look; asked only where it found nothing. */
async function countIgnored(query: Query, context: ToolContext): Promise<Ignored> {
  const { files: all, isCut } = await find({ ...query, includeIgnored: true }, context);
  // What git keeps for itself is no file of the project.
  const files = all.filter(({ path }) => !path.includes("/.git/"));
  return { count: files.length, isCut, example: files[0]?.path };
}

interface Ignored {
  readonly count: number;
  readonly isCut: boolean;
  readonly example: string | undefined;
}

interface Result extends Found {
  readonly query: Query;
  /** The pattern as it was given. */
  readonly pattern: string;
  readonly from: number;
  readonly elsewhere: Ignored | undefined;
}

function answer(result: Result, context: ToolContext) {
  const { files, pattern, from, isCut, withheld, query } = result;
  const { cwd } = context;
  const page = files.slice(from - 1, from - 1 + context.service(limits).glob.shown);
  const next = page.length > 0 && from - 1 + page.length < files.length ? from + page.length : 0;
  const lines = page.map(
    ({ path, size }) => `${displayPath(path, cwd)}\t${size === undefined ? "?" : byteSize(size)}`,
  );
  if (files.length === 0) {
    lines.push(`No file matches ${pattern}${inFolder(query.root, cwd)}.`);
  }
  const notes = [
    ...pageNotes(result, { shown: page.length, next }),
    ...otherNotes(result, cwd),
    ...inexactNames(page.map(({ path }) => path)),
  ];
  if (notes.length > 0) lines.push(`(${notes.join(" ")})`);
  return {
    content: lines.join("\n"),
    title: `Glob ${pattern}`,
    summary: counted(files.length, "file") + (isCut ? " or more" : ""),
    metadata: {
      root: query.root,
      found: files.length,
      shown: page.length,
      isCut,
      withheld,
      ignored: result.elsewhere?.count ?? result.ignored,
      ...(next > 0 ? { next } : {}),
    },
  };
}

function pageNotes(
  { files, from, isCut }: Result,
  { shown, next }: { readonly shown: number; readonly next: number },
): string[] {
  const notes: string[] = [];
  if (shown === 0 && files.length > 0) {
    notes.push(`There are only ${counted(files.length, "file")}.`);
  } else if (shown < files.length || isCut) {
    const total = `${grouped(files.length)}${isCut ? "+" : ""}`;
    notes.push(`${from} to ${from - 1 + shown} of ${total} files, newest first.`);
    if (next > 0) notes.push(`Continue with offset ${next}, or narrow the pattern.`);
  }
  if (isCut) {
    notes.push(
      `The search stopped at ${grouped(files.length)} files; newer ones may be among the rest.`,
    );
  }
  return notes;
}

function otherNotes(
  { files, withheld, isPartial, links, ignored, elsewhere }: Result,
  cwd: string,
): string[] {
  const notes: string[] = [];
  if (elsewhere !== undefined && elsewhere.count > 0) {
    const { count, isCut, example = "" } = elsewhere;
    const total = `${grouped(count)}${isCut ? "+" : ""}`;
    notes.push(
      `${total} ignored ${count === 1 ? "file matches" : "files match"}, such as ${displayPath(example, cwd)}; include_ignored shows ${count === 1 ? "it" : "them"}.`,
    );
  } else if (ignored > 0) {
    notes.push(
      `${counted(ignored, "ignored file")} left out; include_ignored shows ${ignored === 1 ? "it" : "them"}.`,
    );
  } else if (files.length === 0 && elsewhere !== undefined) {
    notes.push("No ignored file matches either.");
  }
  if (links.length > 0) {
    const named = links.slice(0, shownLinks).map((path) => displayPath(path, cwd));
    if (links.length > shownLinks) named.push("and others");
    notes.push(`Links are not followed; ${named.join(", ")} would match.`);
  }
  if (withheld > 0) notes.push(`${counted(withheld, "file")} withheld by permission rules.`);
  if (isPartial) notes.push("Some folders could not be read.");
  return notes;
}
