import { z } from "zod";
import {
  defineTool,
  limits,
  type DefaultExcludes,
  type GlobFile,
  type IgnoredDirectories,
  type ToolContext,
} from "../../core/index.ts";
import { counted, displayPath, inFolder, grouped } from "../files/paths/display-path.ts";
import { ignoredNote, nothingIgnored } from "../files/paths/ignored-directories.ts";
import { inexactNames } from "../files/paths/undecodable-names.ts";
import {
  missingPath,
  notMeant,
  readingEffects,
  statOrMissing,
} from "../files/paths/missing-path.ts";
import { searchSettingsOf } from "../files/search-settings.ts";
import { takenLiterally } from "../files/paths/literal-names.ts";
import { isAbsolutePath } from "../../text/index.ts";
import { notDirectory } from "../files/paths/wrong-kind.ts";

/** Maximum number of links named in one answer. */
const shownLinks = 5;

const Input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe("Such as src/**/*.ts or *.{js,ts}. Without a slash it matches at any depth."),
  path: z.string().optional().describe("Directory to search. Default: the working directory."),
  include_ignored: z.boolean().optional().describe("Also ignored files and directories."),
  offset: z.int().min(0).max(1_000_000).optional().describe("First result to show, from 1."),
});

export const glob = defineTool({
  name: "Glob",
  displayName: "Find files",
  description: [
    "Find files by name pattern, newest first.",
    "What .gitignore names and git does not track is left out, as are node_modules, dist and the like.",
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
      throw notDirectory(displayPath(root, cwd), {
        hint: "Give the directory to search as path, and the pattern as pattern.",
        kind: stat.kind,
      });
    }
    const { defaultExcludes } = searchSettingsOf(context);
    const query = {
      root,
      pattern: search.pattern,
      includeIgnored: include_ignored,
      defaultExcludes,
    };
    const found = await find(query, context);
    if (found.files.length === 0 && !found.isCut) {
      const literally = takenLiterally(pattern, host.info.home);
      if (literally !== undefined) throw notMeant(literally);
    }
    return answer({ ...found, query, pattern, from: Math.max(1, offset) }, context);
  },
});

interface Query {
  readonly root: string;
  readonly pattern: string;
  readonly includeIgnored: boolean;
  readonly defaultExcludes: DefaultExcludes;
}

interface Found {
  /** Files, newest first. */
  readonly files: readonly GlobFile[];
  readonly withheld: number;
  /** Number of matching files that are not visible, as far as the walk reached them. */
  readonly ignored: number;
  readonly directories: IgnoredDirectories;
  readonly links: readonly string[];
  readonly isPartial: boolean;
  /** Whether the search stopped because it had found enough. */
  readonly isCut: boolean;
}

async function find(query: Query, context: ToolContext): Promise<Found> {
  const { host, signal } = context;
  const maxFound = context.service(limits).glob.found;
  const files: GlobFile[] = [];
  let end: Omit<Found, "files"> = {
    withheld: 0,
    ignored: 0,
    directories: nothingIgnored.directories,
    links: [],
    isPartial: false,
    isCut: true,
  };
  for await (const event of host.search.glob({ ...query, dated: true }, { signal })) {
    if (event.kind === "end") {
      const { excluded: withheld, ignored, links, partial: isPartial } = event;
      const directories = event.ignoredDirectories;
      end = { withheld, ignored, directories, links, isPartial, isCut: false };
    } else {
      files.push(...event.files);
      if (files.length > maxFound) break;
    }
  }
  // The order of discovery is arbitrary, so the list is cut before it is sorted.
  return { ...end, files: files.slice(0, maxFound).toSorted(newestFirst) };
}

/** Sorts newest first; equal times by path, so that the order is stable. */
function newestFirst(one: GlobFile, other: GlobFile): number {
  return (other.mtimeMs ?? 0) - (one.mtimeMs ?? 0) || (one.path < other.path ? -1 : 1);
}

interface Result extends Found {
  readonly query: Query;
  /** Pattern as given. */
  readonly pattern: string;
  readonly from: number;
}

function answer(result: Result, context: ToolContext) {
  const { files, pattern, from, isCut, withheld, query } = result;
  const { cwd } = context;
  const page = files.slice(from - 1, from - 1 + context.service(limits).glob.shown);
  const next = page.length > 0 && from - 1 + page.length < files.length ? from + page.length : 0;
  const lines = page.map(({ path }) => displayPath(path, cwd));
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
      ignored: result.ignored,
      ignoredDirectories: result.directories,
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
  { query, withheld, isPartial, isCut, links, ignored, directories }: Result,
  cwd: string,
): string[] {
  const notes: string[] = [];
  const isWhole = !isCut && !isPartial;
  const skipped = query.includeIgnored
    ? undefined
    : ignoredNote({ directories, files: ignored, isWhole }, cwd);
  if (skipped !== undefined) notes.push(skipped);
  if (links.length > 0) {
    const named = links.slice(0, shownLinks).map((path) => displayPath(path, cwd));
    if (links.length > shownLinks) named.push("and others");
    notes.push(`Links are not followed; ${named.join(", ")} would match.`);
  }
  if (withheld > 0) notes.push(`${counted(withheld, "file")} withheld by permission rules.`);
  if (isPartial) notes.push("Some directories could not be read.");
  return notes;
}

interface SearchRoot {
  /** Directory to search, as given or absolute. */
  readonly root: string;
  /** Pattern relative to the root. */
  readonly pattern: string;
}

/**
 * Splits a pattern that names its own directory, such as `/project/src/**` or `../other/*.ts`, into the directory and
 * the rest, because a search never leaves the directory it was given.
 */
export function searchRoot(pattern: string, path: string): SearchRoot {
  const isOwn = isAbsolutePath(pattern) || pattern.startsWith("../") || pattern === "..";
  if (!isOwn) return { root: path, pattern };
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[\]{}!()]/u.test(part));
  const end = wild === -1 ? parts.length - 1 : wild;
  const folder = parts.slice(0, end).join("/");
  const rest = parts.slice(end).join("/");
  const base = isAbsolutePath(pattern) || path === "." ? folder : `${path}/${folder}`;
  // Without a leading slash, the last part would match at any depth; it means only its own directory.
  return { root: base === "" ? "/" : base, pattern: rest.includes("/") ? rest : `/${rest}` };
}
