import {
  isWithin,
  joinPath,
  type Effect,
  type Host,
  type HostEntry,
  type Span,
} from "../../core/index.ts";
import type { Argument, CommandAnalysis, Invocation } from "../../shell/index.ts";

/** More than anybody waits for; what is behind them is not known. */
const maxEntries = 20_000;

/**
 * What a command reads besides the folders it names because links in them lead elsewhere: `cat *` opens every file that
 * fits, wherever a link among them leads, and `grep -R` goes into linked folders.
 */
export async function linkedReads(
  { invocations, effects }: Pick<CommandAnalysis, "invocations" | "effects">,
  host: Host,
): Promise<readonly Effect[]> {
  const found: Effect[] = [];
  for (const effect of effects) {
    if (effect.kind !== "read" || effect.scope !== "tree") continue;
    const { by, span = by } = effect;
    const readers = invocations.filter((each) => by !== undefined && isSame(by, each.span));
    // The shell itself opens what it redirects.
    const depth = by === undefined ? anyDepth : Math.max(0, ...readers.map(followedDepth));
    const root = depth === 0 ? "/" : await host.fs.canonical(effect.path);
    if (root === "/") continue;
    const at = { ...(span === undefined ? {} : { span }), ...(by === undefined ? {} : { by }) };
    const looked = await linksIn(host, root, depth);
    for (const target of looked.targets) {
      if (!isWithin(root, target)) found.push({ kind: "read", path: target, scope: "tree", ...at });
    }
    if (looked.isWhole) continue;
    const because = "it follows links, and there are too many files to see where they lead";
    found.push({ kind: "unknown", because, origin: readers[0]?.name ?? "bash", ...at });
  }
  return found;
}

const anyDepth = Number.POSITIVE_INFINITY;

function isSame(by: Span, span: Span): boolean {
  return by.start === span.start && by.end === span.end;
}

/** Programs that take a link for what it is. */
const seesLinks =
  /^(?:git|rm|rmdir|mv|ls|find|du|stat|readlink|realpath|basename|dirname|echo|printf)$/u;

/** How many folders deep a program opens what links lead to; 0: it opens none. */
function followedDepth({ name = "", argv }: Invocation): number {
  const words = argv.slice(1);
  if (followsLinks(name, words)) return anyDepth;
  if (seesLinks.test(name)) return 0;
  return Math.max(0, ...words.map(matchedDepth));
}

function followsLinks(name: string, words: readonly Argument[]): boolean {
  const has = (option: RegExp): boolean =>
    words.some((word) => typeof word === "string" && option.test(word));
  if (/^[efz]?grep$/u.test(name)) return has(/^-[a-zA-Z]*R|^--der/u);
  if (/^(?:rg|ag|tree)$/u.test(name)) return has(/^-[a-zA-Z]*[Lfl]|^--fol/u);
  if (/^(?:color)?diff$/u.test(name)) return has(/^-[a-zA-Z]*r|^--rec/u);
  return false;
}

/** How many folders deep the names lie that a word may become. */
function matchedDepth(word: Argument): number {
  if (typeof word === "string") return 0;
  const { pieces } = word;
  if (pieces.some((piece) => typeof piece !== "string" && piece.kind === "found")) {
    return anyDepth;
  }
  const first = pieces.findIndex((piece) => typeof piece !== "string" && piece.kind === "pattern");
  if (first === -1) return 0;
  const texts = pieces
    .slice(first)
    .map((piece) =>
      typeof piece === "string" ? piece : piece.kind === "pattern" ? piece.text : "",
    );
  const pattern = texts.join("");
  return pattern.includes("**") ? anyDepth : pattern.split("/").length;
}

interface Looked {
  readonly targets: ReadonlySet<string>;
  readonly isWhole: boolean;
}

async function linksIn(host: Host, root: string, depth: number): Promise<Looked> {
  const targets = new Set<string>();
  let folders = [root];
  let count = 0;
  for (let level = 0; level < depth && folders.length > 0; level++) {
    const below: string[] = [];
    for (const folder of folders) {
      for await (const { name, kind } of entriesOf(host, folder)) {
        count++;
        if (count > maxEntries) return { targets, isWhole: false };
        const path = joinPath(folder, name);
        if (kind === "directory") below.push(path);
        // A link that leads round in a circle leads nowhere.
        else if (kind === "symlink") targets.add(await host.fs.canonical(path).catch(() => path));
      }
    }
    folders = below;
  }
  return { targets, isWhole: true };
}

/** What cannot be listed here is no folder, or cannot be listed by the command either. */
async function* entriesOf(host: Host, folder: string): AsyncIterable<HostEntry> {
  try {
    yield* host.fs.list(folder);
  } catch {
    // Nothing in it is read.
  }
}
