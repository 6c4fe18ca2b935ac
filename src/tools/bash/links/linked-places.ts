import { isWithin, joinPath } from "../../../text/index.ts";
import { type Effect, type ExecuteEffect, type Host } from "../../../core/index.ts";
import type { CommandAnalysis, Invocation } from "../../../shell/index.ts";

/** Maximum number of words inspected per program; with more, where it works is unknown. */
const maxWords = 512;

/** Options after which a program may look for the files of its other words in another directory. */
const moving =
  /^(?:-C|-d|-S|-B|--cwd|--dir(?:ectory)?|--prefix|--project-dir(?:ectory)?|--working-dir(?:ectory)?|-?-chdir)$/u;

/**
 * Adds the places outside the workspace to which links inside it lead, where a program with open consequences is given
 * such a link: `node link/x.js` runs code of another directory. Paths that leave in letters are already listed.
 */
export async function linkedPlaces(
  effects: readonly Effect[],
  { invocations }: Pick<CommandAnalysis, "invocations">,
  place: { readonly host: Host; readonly workspace: string },
): Promise<readonly Effect[]> {
  const resolving = effects.map(async (effect) => {
    if (effect.kind !== "execute" || effect.consequences === "listed") return effect;
    const runs = invocations.filter(
      ({ span }) => span.start === effect.span.start && span.end === effect.span.end,
    );
    return await withLinks(effect, runs, place);
  });
  return await Promise.all(resolving);
}

async function withLinks(
  effect: ExecuteEffect,
  runs: readonly Invocation[],
  { host, workspace }: { readonly host: Host; readonly workspace: string },
): Promise<ExecuteEffect> {
  const { worksIn = [] } = effect;
  if (worksIn === "unknown") return effect;
  // A directory in which it starts may be a link itself.
  const found = new Set(await Promise.all(worksIn.map((path) => host.fs.canonical(path))));
  for (const run of runs) {
    const paths = namedInside(run, workspace);
    if (paths === undefined) return { ...effect, worksIn: "unknown" };
    for (const path of paths) {
      const target = await host.fs.canonical(path).catch(() => path);
      const isKnown = [...found].some((place) => isWithin(place, target));
      if (!isWithin(workspace, target) && !isKnown) found.add(target);
    }
  }
  return found.size === 0 ? effect : { ...effect, worksIn: [...found] };
}

/** Paths inside the workspace that the words of a program may name; undefined if there are too many. */
function namedInside(
  { argv, folders }: Invocation,
  workspace: string,
): readonly string[] | undefined {
  const words = argv.filter((word) => typeof word === "string");
  if (words.length > maxWords) return undefined;
  const moved = words.filter((_, index) => moving.test(words[index - 1] ?? ""));
  const bases = (folders ?? []).flatMap((folder) => [
    folder,
    ...moved.map((word) => joinPath(folder, word)),
  ]);
  const paths = new Set<string>();
  for (const [index, word] of words.entries()) {
    for (const name of namesIn(word, index)) {
      for (const base of bases) paths.add(joinPath(base, name));
    }
  }
  return [...paths].filter((path) => path !== workspace && isWithin(workspace, path));
}

/** Names in a word: itself, what follows `=` or `@`, or what is attached to an option of one letter. */
function namesIn(word: string, index: number): readonly string[] {
  // A program is found on PATH unless its name has a slash.
  if (index === 0) return word.includes("/") ? [word] : [];
  const parts = word.split(/[=:,@]/u);
  if (!word.startsWith("-")) parts.push(word);
  else parts[0] = word.startsWith("--") ? "" : word.slice(2);
  return parts.filter((name) => name !== "" && !name.startsWith("-"));
}
