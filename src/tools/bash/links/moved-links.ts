import { baseName, isWithin, joinPath, parentPath } from "../../../text/index.ts";
import {
  ToolError,
  type Effect,
  type Host,
  type ReadEffect,
  type Span,
} from "../../../core/index.ts";
import type { CommandAnalysis, Invocation } from "../../../shell/index.ts";
import { linkText } from "./link-text.ts";
import { linksBelow } from "./link-search.ts";
import { everywhere } from "./reaches.ts";

/**
 * Effects of a command that brings links to another place and does more: there a relative link leads elsewhere, and a
 * path that does not exist yet leads to it. Where the links lead counts as read, and as written if the rest writes.
 */
export async function movedLinks(
  { invocations, effects }: Pick<CommandAnalysis, "invocations" | "effects">,
  host: Host,
): Promise<readonly Effect[]> {
  const movers = invocations.filter(movesLinks);
  if (movers.length === 0) return [];
  const found: Effect[] = [];
  const makers = new Set(invocations.filter(makesLinks));
  for (const mover of movers) {
    const { span } = mover;
    const at = { span, by: span };
    const unknown = (because: string): Effect => {
      return { kind: "unknown", because, origin: mover.name ?? "bash", ...at };
    };
    const others = effects.filter((each) => !isOf(each, span));
    const sources = effects.filter((each) => each.kind === "read" && isOf(each, span));
    const isRepeated = mover.context === "loop" || mover.via.length > 0;
    if (others.length === 0 && sources.length < 2 && !isRepeated) continue;
    const moved = await linksAmong(host, sources);
    if (moved.obstacle !== undefined) found.push(unknown(`it moves links, and ${moved.obstacle}`));
    if (moved.links.some(({ text }) => !text.startsWith("/"))) makers.add(mover);
    const writes = isRepeated || others.some(({ kind }) => kind === "write");
    const targets = effects.flatMap((each) =>
      each.kind === "write" && each.change !== "delete" && isOf(each, span) ? each.path : [],
    );
    for (const path of await newTargets(host, { ...moved, targets, mover })) {
      found.push({ kind: "read", path, scope: "tree", ...at });
      if (writes) found.push({ kind: "write", path, scope: "tree", change: "any", ...at });
    }
  }
  // A link that was made or moved by the command does not lie yet where it is moved from.
  for (const mover of movers) {
    const { span, name = "bash" } = mover;
    if (![...makers].some((maker) => mayPrecede(maker, mover))) continue;
    const because = "it moves a link that the command itself puts in its place";
    found.push({ kind: "unknown", because, origin: name, span, by: span });
  }
  return found;
}

function mayPrecede(maker: Invocation, mover: Invocation): boolean {
  const isInOrder = [maker, mover].every(({ context }) => !/^(?:loop|function)$/u.test(context));
  return isInOrder ? maker.span.start < mover.span.start : true;
}

/** Whether a program may give an existing link another place. */
function movesLinks({ name = "", argv }: Invocation): boolean {
  const has = (option: RegExp): boolean =>
    argv.some((word) => typeof word !== "string" || option.test(word));
  if (/^g?mv$/u.test(name)) return true;
  if (/^g?ln$/u.test(name)) return !has(/^-[a-zA-Z]*s|^--sym/u);
  return /^g?cp$/u.test(name) && has(/^-[a-zA-Z]*[adPrRl]|^--(?:arc|no-d|rec|link|pres)/u);
}

/** Whether a program makes a link that leads elsewhere from another place. */
function makesLinks({ name = "", argv }: Invocation): boolean {
  return (
    /^g?(?:ln|cp)$/u.test(name) && argv.some((word) => /^-[a-zA-Z]*s|^--sym/u.test(plain(word)))
  );
}

function plain(word: Invocation["argv"][number]): string {
  return typeof word === "string" ? word : "";
}

interface Link {
  readonly path: string;
  /** Path that the program names, of the link itself or of a directory around it. */
  readonly source: string;
  /** Text of the link. */
  readonly text: string;
}

interface Links {
  readonly links: readonly Link[];
  readonly obstacle?: string | undefined;
}

/** Links among the files that a program names, and in the directories. */
async function linksAmong(host: Host, sources: readonly Effect[]): Promise<Links> {
  const links: Link[] = [];
  let obstacle: string | undefined;
  for (const { path } of sources.filter(isRead)) {
    if (path === "/") continue;
    const source = joinPath(await host.fs.canonical(parentPath(path)), baseName(path));
    const own = await linkText(host, source);
    if (own !== undefined) {
      links.push({ path: source, source, text: own });
      continue;
    }
    const looked = await linksBelow(host, source, [everywhere]);
    obstacle ??= looked.obstacle;
    for (const each of looked.links) {
      const written = await linkText(host, each.path);
      if (written !== undefined) links.push({ path: each.path, source, text: written });
    }
  }
  return { links, obstacle };
}

function isRead(effect: Effect): effect is ReadEffect {
  return effect.kind === "read";
}

interface Moving extends Links {
  /** Where the program puts the files. */
  readonly targets: readonly string[];
  readonly mover: Invocation;
}

/** Where links lead from each place to which they may be moved, unless that is moved with them. */
async function newTargets(
  host: Host,
  { links, targets, mover }: Moving,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  // A pattern or a variable names a directory in which any file may be the one that is moved.
  const isExact = mover.argv.every((word) => typeof word === "string");
  for (const target of targets) {
    const folder = await host.fs.canonical(target);
    for (const link of links) {
      for (const { root, below } of placesAt(folder, link, isExact)) {
        const from = parentPath(below === "" ? root : joinPath(root, below));
        const leads = await leadsTo(host, link.text, from);
        if (leads !== undefined && !isWithin(root, leads)) found.add(leads);
      }
    }
  }
  return found;
}

interface Place {
  /** New path of the file or directory that is moved. */
  readonly root: string;
  /** Path of the link below it. */
  readonly below: string;
}

/** Places of a link behind a move: below the target itself or below a name in it. */
function placesAt(folder: string, { path, source }: Link, isExact: boolean): readonly Place[] {
  const parts = path.slice(source.length).split("/").slice(1);
  if (isExact) {
    const below = parts.join("/");
    return [
      { root: folder, below },
      { root: joinPath(folder, baseName(source)), below },
    ];
  }
  return [baseName(source), ...parts].flatMap((name, at) => {
    const below = parts.slice(at).join("/");
    return [
      { root: folder, below },
      { root: joinPath(folder, name), below },
    ];
  });
}

async function leadsTo(host: Host, text: string, from: string): Promise<string | undefined> {
  try {
    return await host.fs.canonical(text, { base: await host.fs.canonical(from) });
  } catch (error) {
    // A circular link leads nowhere.
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

function isOf(effect: Effect, { start, end }: Span): boolean {
  const span = "by" in effect && effect.by !== undefined ? effect.by : undefined;
  const place = effect.kind === "execute" ? effect.span : span;
  return place?.start === start && place.end === end;
}
