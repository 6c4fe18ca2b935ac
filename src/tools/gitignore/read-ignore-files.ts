import ignore from "ignore";
import { joinPath, parentPath, pathBelow } from "../../text/index.ts";
import { type EffectContext, type ToolContext } from "../../core/index.ts";
import { statOrMissing } from "../files/paths/missing-path.ts";
import { decodeText } from "../files/encodings/text-encoding.ts";
import type { IgnoreAnswer } from "./ask-git.ts";

/** Maximum size of an ignore file in bytes; one of a few lines is far smaller. */
const maxBytes = 1_000_000;

/** The `.gitignore` files from the workspace down to the directory of a path, canonical. */
export function ignoreFilesFor(path: string, workspace: string): readonly string[] {
  const files: string[] = [];
  for (
    let folder = parentPath(path);
    pathBelow(workspace, folder) !== undefined;
    folder = parentPath(folder)
  ) {
    files.unshift(joinPath(folder, ".gitignore"));
    if (folder === workspace) break;
  }
  return files;
}

/**
 * Whether paths are ignored by the `.gitignore` files of the workspace alone; used if git is not available. Ignores the
 * user's own ignore file and `.git/info/exclude`.
 */
export async function readIgnoreFiles(
  paths: readonly string[],
  context: ToolContext,
): Promise<readonly IgnoreAnswer[]> {
  const texts = new Map<string, Promise<string>>();
  const textOf = (file: string): Promise<string> => {
    const text = texts.get(file) ?? readIgnoreFile(file, context);
    texts.set(file, text);
    return text;
  };
  return Promise.all(
    paths.map(async (given) => {
      const { host, cwd, workspace, signal } = context;
      const path = await host.fs.canonical(given, { base: cwd, signal });
      const isFolder =
        given.endsWith("/") || (await statOrMissing(path, context))?.kind === "directory";
      const files = ignoreFilesFor(path, workspace);
      const lists = await Promise.all(
        files.map(async (file) => ({ file, text: await textOf(file) })),
      );
      return judged({ given, path, isFolder, workspace }, lists);
    }),
  );
}

interface Judged {
  readonly given: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly workspace: string;
}

interface IgnoreList {
  readonly file: string;
  readonly text: string;
}

/** Result for one path. An ignored directory includes everything in it, whatever later lines say. */
function judged(
  { given, path, isFolder, workspace }: Judged,
  lists: readonly IgnoreList[],
): IgnoreAnswer {
  const parts = (pathBelow(workspace, path) ?? "").split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = joinPath(workspace, parts.slice(0, depth).join("/"));
    const isLast = depth === parts.length;
    const rule = ruleFor(part, isFolder || !isLast, lists);
    const isIgnored = rule !== undefined && !rule.pattern.startsWith("!");
    if (isIgnored || isLast) return { path: given, isIgnored, rule };
  }
  return { path: given, isIgnored: false, rule: undefined };
}

/** The last matching line of the deepest file that has one. */
function ruleFor(
  path: string,
  isFolder: boolean,
  lists: readonly IgnoreList[],
): IgnoreAnswer["rule"] {
  for (const { file, text } of lists.toReversed()) {
    const below = pathBelow(parentPath(file), path);
    if (below === undefined || below === "") continue;
    const lines = text.split("\n").map((line) => line.replace(/\r$/u, ""));
    for (const [index, pattern] of [...lines.entries()].toReversed()) {
      const positive = pattern.startsWith("!") ? pattern.slice(1) : pattern;
      if (positive.trim() === "" || pattern.startsWith("#")) continue;
      const only = ignore({ ignorecase: false }).add(positive);
      if (only.ignores(isFolder ? `${below}/` : below)) return { file, line: index + 1, pattern };
    }
  }
  return undefined;
}

async function readIgnoreFile(file: string, context: ToolContext): Promise<string> {
  const { host, signal } = context;
  const stat = await statOrMissing(file, context);
  if (stat?.kind !== "file" || stat.size > maxBytes) return "";
  const decoded = decodeText((await host.fs.readFile(file, { signal })).bytes);
  return "text" in decoded ? decoded.text : "";
}

/** Ignore files that affect the paths, for the effects of a call. */
export async function ignoreFilesOf(
  paths: readonly string[],
  { host, cwd, workspace, signal }: EffectContext,
): Promise<readonly string[]> {
  const canonical = await Promise.all(
    paths.map(async (path) => host.fs.canonical(path, { base: cwd, signal })),
  );
  return [...new Set(canonical.flatMap((path) => ignoreFilesFor(path, workspace)))];
}
