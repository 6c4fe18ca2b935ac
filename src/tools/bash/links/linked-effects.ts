import { baseName, isWithin, joinPath } from "../../../text/index.ts";
import type { Effect, Host, ReadEffect, Span, WriteEffect } from "../../../core/index.ts";
import type { CommandAnalysis, Invocation } from "../../../shell/index.ts";
import { linksBelow, targetsOf } from "./link-search.ts";
import { everywhere, listingReach, mayMatchDeep, reachesOf, type Reach } from "./reaches.ts";

type Analysed = Pick<CommandAnalysis, "input" | "invocations" | "effects">;

/**
 * Reads and writes of a command outside the directories it names, caused by links in them: `cat *` opens every matching
 * file, wherever a matching link leads, `grep -R` descends into linked directories, and `rm *\/x` deletes there.
 */
export async function linkedEffects(analysis: Analysed, host: Host): Promise<readonly Effect[]> {
  const found: Effect[] = [];
  const isDeep = mayMatchDeep(analysis.invocations, host);
  for (const effect of analysis.effects) {
    if ((effect.kind !== "read" && effect.kind !== "write") || effect.scope !== "tree") continue;
    const { by, span = by } = effect;
    const runs = analysis.invocations.filter((each) => by !== undefined && isSame(by, each.span));
    const at = { ...(span === undefined ? {} : { span }), ...(by === undefined ? {} : { by }) };
    for (const { root, reaches } of searchesFor(effect, { analysis, runs, isDeep })) {
      const real = reaches.length === 0 ? "/" : await host.fs.canonical(root);
      if (real === "/") continue;
      const { links, obstacle } = await linksBelow(host, real, reaches);
      for (const path of await targetsOf(host, links)) {
        if (!isWithin(real, path)) found.push({ ...reached(effect), path, scope: "tree", ...at });
      }
      if (obstacle === undefined) continue;
      const because = `it follows links, and ${obstacle}`;
      found.push({ kind: "unknown", because, origin: runs[0]?.name ?? "bash", ...at });
    }
  }
  return found;
}

function reached(
  effect: ReadEffect | WriteEffect,
): { readonly kind: "read" } | Pick<WriteEffect, "kind" | "change"> {
  return effect.kind === "read" ? { kind: "read" } : { kind: "write", change: effect.change };
}

/** A directory and the links below it that a program reaches. */
interface Search {
  readonly root: string;
  readonly reaches: readonly Reach[];
}

interface Searching {
  readonly analysis: Analysed;
  /** Programs that cause the effect. */
  readonly runs: readonly Invocation[];
  readonly isDeep: boolean;
}

function searchesFor(
  effect: ReadEffect | WriteEffect,
  { analysis, runs, isDeep }: Searching,
): readonly Search[] {
  const { by, path: root } = effect;
  // The shell itself opens the targets of redirections.
  if (by === undefined) return [{ root, reaches: [everywhere] }];
  const { input, invocations } = analysis;
  if (runs.length === 0) {
    const { start, end } = effect.span ?? by;
    return [{ root, reaches: [listingReach(input.slice(start, end), isDeep)] }];
  }
  const reaches = runs.flatMap((each) => reachesOf(each, { invocations, isDeep }));
  const puts = runs.filter((run) => /^g?(?:cp|mv|ln|install)$/u.test(run.name ?? ""));
  if (effect.kind === "read" || effect.change === "delete" || puts.length === 0) {
    return [{ root, reaches }];
  }
  const patterns = puts.flatMap((run) => reachesOf(run, { invocations, isDeep, sees: false }));
  const sources = analysis.effects.filter((each) => each.kind === "read" && isBy(each, by));
  return puts.flatMap((run) => placesOf(run, { root, patterns, sources }));
}

interface Putting {
  readonly root: string;
  /** Links that the patterns among the words reach, also as their last part: a linked directory gets the files. */
  readonly patterns: readonly Reach[];
  readonly sources: readonly Effect[];
}

/** Links in a target directory through which a program writes the files that it puts there under their own names. */
function placesOf(
  { name = "", argv }: Invocation,
  { root, patterns, sources }: Putting,
): readonly Search[] {
  // These replace a link that has the name of the file.
  if (/^g?(?:mv|ln)$/u.test(name)) {
    return [{ root, reaches: patterns.map((each) => ({ ...each, needsFolder: true })) }];
  }
  const words = argv.slice(1);
  const has = (option: RegExp): boolean =>
    words.some((word) => typeof word === "string" && option.test(word));
  const depth = Math.max(0, ...patterns.map((each) => each.depth));
  const names = sources.flatMap((each) => (each.kind === "read" ? baseName(each.path) : []));
  const named = names.map((each): Reach => {
    return { depth: depth + 1, end: each.toLowerCase(), goesThrough: false };
  });
  if (!has(/^-[a-zA-Z]*[rRa]|^--(?:rec|arc)/u)) return [{ root, reaches: [...patterns, ...named] }];
  const sourceWords = has(/^-[a-zA-Z]*t|^--target/u) ? words : words.slice(0, -1);
  const isWhole =
    patterns.length > 0 ||
    has(/^-[a-zA-Z]*T|^--no-target/u) ||
    sourceWords.some((word) => typeof word === "string" && /(?:^|\/)\.{1,2}\/*$/u.test(word));
  if (isWhole) return [{ root, reaches: [everywhere] }];
  const trees = names.map((each) => ({ root: joinPath(root, each), reaches: [everywhere] }));
  return [{ root, reaches: named }, ...trees];
}

function isBy({ by }: Extract<Effect, { kind: "read" }>, span: Span): boolean {
  return by !== undefined && isSame(by, span);
}

function isSame(by: Span, span: Span): boolean {
  return by.start === span.start && by.end === span.end;
}
