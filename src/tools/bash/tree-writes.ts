import {
  baseName,
  gitDirectoriesAround,
  isGitHead,
  isWithin,
  joinPath,
  mayBeProtected,
  pathBelow,
  pathExists,
  protectedMatch,
} from "../../text/index.ts";
import {
  ToolError,
  type Effect,
  type ExecuteEffect,
  type Host,
  type Span,
  type WriteEffect,
} from "../../core/index.ts";

/** Maximum number of entries inspected in a copied tree. */
const maxEntries = 5000;

/** Programs that copy or move files under their own names, so the sources determine the written paths. */
const copying: ReadonlySet<string> = new Set(["cp", "mv", "install", "ln"]);
/** Programs that write a file named like their input without its last extension. */
const unpackingOne = /^(?:un)?(?:gunzip|bunzip2|xz|lzma|zstd|lz4|compress)$|^gzip$|^bzip2$|^unxz$/u;
/** Programs that only remove files. */
const removing: ReadonlySet<string> = new Set(["find", "rm", "rmdir", "unlink", "shred"]);

/**
 * Protected paths that listed programs write into a tree, each as a separate effect, so that rules decide on its path.
 * If the names are unknown in advance, as in an archive, the program counts as one that may do more than listed.
 */
export async function treeWrites(
  effects: readonly Effect[],
  { host, workspace }: { readonly host: Host; readonly workspace: string },
): Promise<readonly Effect[]> {
  const found: Effect[] = [];
  for (const effect of effects) {
    if (effect.kind !== "write" || effect.scope !== "tree" || effect.change === "delete") continue;
    const { by } = effect;
    const run = by === undefined ? undefined : effects.find((each) => isRun(each, by));
    if (by === undefined || run?.kind !== "execute" || run.consequences === "open") continue;
    const [word] = run.argv;
    const name = typeof word === "string" ? baseName(word) : "";
    if (removing.has(name)) continue;
    const sources = effects.flatMap((each) =>
      each.kind === "read" && each.by !== undefined && isSame(each.by, by) ? each.path : [],
    );
    found.push(...(await writtenInto(effect, { name, run, sources, host, workspace })));
  }
  return found;
}

interface Writing {
  readonly name: string;
  readonly run: ExecuteEffect;
  readonly sources: readonly string[];
  readonly host: Host;
  readonly workspace: string;
}

async function writtenInto(
  effect: WriteEffect,
  { name, run, sources, host, workspace }: Writing,
): Promise<readonly Effect[]> {
  const at = { span: run.span, by: run.span };
  const open = (because: string): readonly Effect[] => [
    { kind: "unknown", because, origin: name, ...at },
  ];
  const isProtected = (path: string): boolean =>
    protectedMatch(path, isWithin(workspace, path) ? workspace.length : 0) !== undefined;
  const writes = async (names: Iterable<string>): Promise<readonly Effect[]> => {
    const paths = [...new Set(names)].map((each) => joinPath(effect.path, each));
    const inGit = new Set(await gitPartsAmong(host, paths));
    return paths
      .filter((path) => isProtected(path) || inGit.has(path))
      .slice(0, 20)
      .map((path) => ({ kind: "write", path, scope: "file", change: "any", ...at }));
  };
  if (isProtected(effect.path)) return [];
  if (unpackingOne.test(name)) {
    return await writes(
      sources.flatMap((each) => [baseName(each), baseName(each).replace(/\.[^.]+$/u, "")]),
    );
  }
  if (!copying.has(name)) return open(`the names of the files that ${name} writes are not known`);
  const names: string[] = [];
  for (const source of sources) {
    const inside = await namesBelow(host, source);
    if (inside === undefined) return open(`${source} has too many files to see which are copied`);
    names.push(baseName(source), ...inside.flatMap((each) => [each, joinNames(source, each)]));
  }
  return await writes(names);
}

/** Paths that complete or configure a directory with a `HEAD`, which git takes for its own. */
async function gitPartsAmong(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  const heads = new Map<string, Promise<boolean>>();
  const hasHead = async (directory: string): Promise<boolean> => {
    const known = heads.get(directory) ?? pathExists(host.fs, joinPath(directory, "HEAD"));
    heads.set(directory, known);
    return await known;
  };
  const found: string[] = [];
  for (const path of paths) {
    const around = await Promise.all(gitDirectoriesAround(path).map(hasHead));
    if (isGitHead(path) || around.includes(true)) found.push(path);
  }
  return found;
}

function joinNames(source: string, below: string): string {
  return `${baseName(source)}/${below}`;
}

/** Names in a tree that may be protected; undefined if it is too large, empty for a file. */
async function namesBelow(host: Host, root: string): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  const real = await host.fs.canonical(root);
  if (real === "/") return undefined;
  const queue = [real];
  let seen = 0;
  for (let at = 0; at < queue.length; at += 1) {
    const folder = queue[at] ?? real;
    try {
      for await (const entry of host.fs.list(folder)) {
        seen += 1;
        if (seen > maxEntries) return undefined;
        const path = joinPath(folder, entry.name);
        const below = pathBelow(real, path) ?? entry.name;
        const isHead = entry.kind !== "directory" && isGitHead(entry.name);
        const isPart = isHead || gitDirectoriesAround(`/any/${entry.name}`).length > 0;
        if (isPart || mayBeProtected(`/${entry.name}`)) found.push(below);
        if (entry.kind === "directory" && !/(?:^|\/)\.git$/iu.test(below)) queue.push(path);
      }
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  }
  return found;
}

function isRun(effect: Effect, span: Span): effect is ExecuteEffect {
  return effect.kind === "execute" && isSame(effect.span, span);
}

function isSame(left: Span, right: Span): boolean {
  return left.start === right.start && left.end === right.end;
}
