import { isWithin, joinPath } from "../../text/index.ts";
import { ToolError, type Effect, type Host, type HostEntry, type Span } from "../../core/index.ts";
import type { Argument, CommandAnalysis, Invocation } from "../../shell/index.ts";
import { passedOver } from "./skipped-names.ts";

/** Maximum number of entries inspected; beyond it, link targets are unknown. */
const maxEntries = 20_000;

/**
 * Reads of a command outside the directories it names, caused by links in them: `cat *` opens every matching file,
 * wherever a matching link leads, and `grep -R` descends into linked directories.
 */
export async function linkedReads(
  { invocations, effects }: Pick<CommandAnalysis, "invocations" | "effects">,
  host: Host,
): Promise<readonly Effect[]> {
  const found: Effect[] = [];
  const isDeep = mayMatchDeep(invocations, host);
  for (const effect of effects) {
    if (effect.kind !== "read" || effect.scope !== "tree") continue;
    const { by, span = by } = effect;
    const readers = invocations.filter((each) => by !== undefined && isSame(by, each.span));
    // The shell itself opens the targets of redirections.
    const reaches =
      by === undefined
        ? [everywhere]
        : readers.flatMap((each) => reachesOf(each, { invocations, isDeep }));
    const root = reaches.length === 0 ? "/" : await host.fs.canonical(effect.path);
    if (root === "/") continue;
    const at = { ...(span === undefined ? {} : { span }), ...(by === undefined ? {} : { by }) };
    const looked = await linksIn(host, root, reaches);
    for (const target of looked.targets) {
      if (!isWithin(root, target)) found.push({ kind: "read", path: target, scope: "tree", ...at });
    }
    if (looked.obstacle === undefined) continue;
    const because = `it follows links, and ${looked.obstacle}`;
    found.push({ kind: "unknown", because, origin: readers[0]?.name ?? "bash", ...at });
  }
  return found;
}

/** Links below a directory whose targets a program opens. */
interface Reach {
  /** Maximum directory depth of the links. */
  readonly depth: number;
  /** Lowercase suffix of the link names. */
  readonly end: string;
  /** Whether the program also follows directory links above that depth, regardless of their names. */
  readonly goesThrough: boolean;
  /** NotCaptured directories: a bare name at any depth, or a name after `./` in the first directory only. */
  readonly without?: ReadonlySet<string>;
}

const anyDepth = Number.POSITIVE_INFINITY;
const everywhere: Reach = { depth: anyDepth, end: "", goesThrough: true };

function isSame(by: Span, span: Span): boolean {
  return by.start === span.start && by.end === span.end;
}

/** Whether `**` may match more than one directory level: in bash only after `shopt`. */
function mayMatchDeep(
  invocations: CommandAnalysis["invocations"],
  { info: { shell } }: Host,
): boolean {
  const isBash = /(?:^|\/)(?:ba|da)?sh$/u.test(shell[0] ?? "");
  return !isBash || invocations.some(({ name }) => name === "shopt");
}

/** Programs that treat a link as a link and do not open its target. */
const seesLinks =
  /^(?:git|rm|rmdir|mv|ls|find|du|stat|readlink|realpath|basename|dirname|echo|printf)$/u;

function reachesOf(
  reader: Invocation,
  { invocations, isDeep }: Pick<CommandAnalysis, "invocations"> & { readonly isDeep: boolean },
): readonly Reach[] {
  const { name = "", argv, span } = reader;
  const words = argv.slice(1);
  if (followsLinks(name, words)) return [everywhere];
  if (seesLinks.test(name)) return [];
  const finders = invocations.filter(
    (each) => /^g?find$/u.test(each.name ?? "") && holds(each.span, span),
  );
  // If one `find` is nested in another, either may pass on the path that is opened.
  const found = finders.length === 0 ? [everywhere] : finders.flatMap(foundBy);
  return words.flatMap((word) => reachOf(word, found, isDeep));
}

function followsLinks(name: string, words: readonly Argument[]): boolean {
  const has = (option: RegExp): boolean =>
    words.some((word) => typeof word === "string" && option.test(word));
  if (/^(?:z?[ef]|[gz])?grep$/u.test(name)) return has(/^-[a-zA-Z]*R|^--der/u);
  if (name === "rg") return has(/^-[a-zA-Z]*L|^--fol/u);
  if (name === "ag") return has(/^-[a-zA-Z]*f|^--fol/u);
  if (name === "tree") return has(/^-[a-zA-Z]*l/u);
  if (/^(?:color)?diff$/u.test(name)) return has(/^-[a-zA-Z]*r|^--rec/u);
  return false;
}

/** Links that the expansion of a word may reach. */
function reachOf(word: Argument, found: readonly Reach[], isDeep: boolean): readonly Reach[] {
  if (typeof word === "string") return [];
  const { pieces } = word;
  if (pieces.some((piece) => typeof piece !== "string" && piece.kind === "found")) {
    return found;
  }
  const first = pieces.findIndex((piece) => typeof piece !== "string" && piece.kind === "pattern");
  if (first === -1) return [];
  const texts = pieces
    .slice(first)
    .map((piece) =>
      typeof piece === "string" ? piece : piece.kind === "pattern" ? piece.text : "",
    );
  const pattern = texts.join("");
  if (isDeep && pattern.includes("**")) return [everywhere];
  const last = pieces.at(-1);
  const end = endOf(typeof last === "string" ? last : "");
  return [{ depth: pattern.split("/").length, end, goesThrough: true }];
}

/** Lowercase suffix of every name that the pattern matches; the shell may match without regard to case. */
function endOf(pattern: string): string {
  return (/[\w.-]*$/u.exec(pattern)?.[0] ?? "").toLowerCase();
}

/** Links that `find` passes on: all of them satisfy every test in the sequence that ends with the command. */
function foundBy({ argv }: Invocation): readonly Reach[] {
  const commands = argv.flatMap((word, at) => (/^-(?:exec|ok)/u.test(plain(word)) ? [at] : []));
  const [end = 0, another] = commands;
  const words = argv.slice(1, end);
  // An expanded word may be the name of a link followed by a slash, which makes `find` follow the link.
  const isKnown = words.every((word) => typeof word === "string");
  const before = words.map(plain);
  const follows = before.some((word) => /^(?:-[HLP]*[HL][HLP]*|-follow|\(|\))$/u.test(word));
  if (another !== undefined || follows || !isKnown) return [everywhere];
  const row = before.slice(before.findLastIndex((word) => /^(?:-or?|,)$/u.test(word)) + 1);
  const valueOf = (test: RegExp): string | undefined => {
    const at = row.findIndex(
      (word, index) => test.test(word) && !/^(?:!|-not)$/u.test(row[index - 1] ?? ""),
    );
    return at === -1 ? undefined : row[at + 1];
  };
  if (valueOf(/^-type$/u) === "f") return [];
  const ending = endOf(valueOf(/^-i?name$/u) ?? "");
  return [{ depth: anyDepth, end: ending, goesThrough: false, without: passedOver(before) }];
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function plain(word: Argument): string {
  return typeof word === "string" ? word : "";
}

interface Looked {
  readonly targets: ReadonlySet<string>;
  /** Why not all links were seen. */
  readonly obstacle?: string;
}

async function linksIn(host: Host, root: string, reaches: readonly Reach[]): Promise<Looked> {
  const targets = new Set<string>();
  const depth = Math.max(...reaches.map((each) => each.depth));
  let folders = [root];
  let count = 0;
  for (let level = 0; level < depth && folders.length > 0; level++) {
    const below: string[] = [];
    for (const folder of folders) {
      const entries = await entriesOf(host, folder, maxEntries - count);
      if (entries === undefined) return { targets, obstacle: `${folder} cannot be listed` };
      for (const { name, kind } of entries) {
        count++;
        if (count > maxEntries) {
          return { targets, obstacle: "there are too many files to see where they lead" };
        }
        const path = joinPath(folder, name);
        if (kind === "directory") {
          if (reaches.some((reach) => goesInto(name, level, reach))) below.push(path);
        } else if (kind === "symlink" && reaches.some((reach) => isTaken(name, level, reach))) {
          // A circular link has no target.
          targets.add(await host.fs.canonical(path).catch(() => path));
        }
      }
    }
    folders = below;
  }
  return { targets };
}

function goesInto(name: string, level: number, { without }: Reach): boolean {
  return !(without?.has(name) === true || (level === 0 && without?.has(`./${name}`) === true));
}

function isTaken(name: string, level: number, { depth, end, goesThrough }: Reach): boolean {
  if (goesThrough && level !== depth - 1) return level < depth;
  return name.toLowerCase().endsWith(end);
}

/**
 * Entries of a directory, one more than `most` at the most; undefined if it cannot be listed now, as the command may be
 * able to. A missing directory has none.
 */
async function entriesOf(
  host: Host,
  folder: string,
  most: number,
): Promise<readonly HostEntry[] | undefined> {
  const entries: HostEntry[] = [];
  try {
    for await (const entry of host.fs.list(folder)) {
      if (entries.push(entry) > most) break;
    }
  } catch (error) {
    return ToolError.is(error) && /^NOT_(?:FOUND|A_DIRECTORY)$/u.test(error.code) ? [] : undefined;
  }
  return entries;
}
