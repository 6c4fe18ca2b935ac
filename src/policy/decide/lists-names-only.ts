import type {
  Effect,
  ExecuteEffect,
  ReadEffect,
  Span,
  Word,
  WriteEffect,
} from "../../core/index.ts";

/** Programs that read names, sizes and dates, never the content of a file. Of git, these subcommands. */
const programs: ReadonlySet<string> = new Set([
  "dir",
  "du",
  "exa",
  "eza",
  "fd",
  "find",
  "ls",
  "lsd",
  "stat",
  "tree",
  "vdir",
]);
const ofGit: ReadonlySet<Word | undefined> = new Set([
  "branch",
  "describe",
  "ls-files",
  "ls-tree",
  "remote",
  "rev-parse",
  "status",
  "tag",
]);

/** Whether a read is done by a program that shows names only, so that denied content stays unread. */
export function readsNamesOnly(
  effect: ReadEffect | WriteEffect,
  effects: readonly Effect[],
): boolean {
  const at = effect.by ?? effect.span;
  if (effect.kind !== "read" || at === undefined) return false;
  let owner: ExecuteEffect | undefined;
  for (const each of effects) {
    if (each.kind !== "execute" || !holds(each.span, at)) continue;
    if (owner === undefined || holds(owner.span, each.span)) owner = each;
  }
  return owner !== undefined && owner.consequences === "listed" && showsNames(owner);
}

function showsNames({ argv }: ExecuteEffect): boolean {
  const [program, sub] = argv;
  if (typeof program !== "string") return false;
  const name = program.slice(program.lastIndexOf("/") + 1);
  return name === "git" ? ofGit.has(sub) : programs.has(name);
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
