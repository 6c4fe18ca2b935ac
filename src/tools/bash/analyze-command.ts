import { isWithin, joinPath } from "../../text/index.ts";
import {
  type Effect,
  type ExecuteEffect,
  type Host,
  type ReadEffect,
  type WriteEffect,
} from "../../core/index.ts";
import {
  analyseCommand,
  callEffects,
  gitNeutralisers,
  planArgv,
  type CommandAnalysis,
  plainEnvironment,
} from "../../shell/index.ts";
import { addSettings, repositoryConfig } from "./git/git-config.ts";
import { trackedLinks } from "./git/tracked-links.ts";
import { linkedEffects } from "./links/linked-effects.ts";
import { linkedPlaces } from "./links/linked-places.ts";
import { movedLinks } from "./links/moved-links.ts";
import { dataDoubts } from "./program-data.ts";
import { optionNames } from "./option-names.ts";
import { treeWrites } from "./tree-writes.ts";
import { PathPrograms } from "../files/paths/path-programs.ts";

export interface CommandSite {
  readonly host: Host;
  /** Canonical directory in which the command would run. */
  readonly cwd: string;
  readonly workspace: string;
}

/** Analysis of a command in its working directory. */
export interface Understanding {
  readonly analysis: CommandAnalysis;
  readonly effects: readonly Effect[];
  /** Whether the effects list everything that the command can do. */
  readonly isListed: boolean;
  /** How to start exactly the command that was judged. */
  readonly start: Start;
}

/** Lists the effects of a command, including the settings and files that could change what its programs do. */
export async function understand(command: string, site: CommandSite): Promise<Understanding> {
  const { host, cwd, workspace } = site;
  const place = { cwd, workspace, home: host.info.home };
  const programs = new PathPrograms(host, workspace);
  let analysis = analyseCommand(command, place);
  const doubts = new Map<string, string>();
  let running: string | undefined;
  if (analysis.invocations.some(({ name }) => name === "git")) {
    const folders = gitFolders(analysis);
    const configs = await Promise.all(
      folders.map((folder) => repositoryConfig(host, folder, workspace)),
    );
    const settings: Record<string, string> = {};
    for (const config of configs) {
      if (config.kind === "known") addSettings(settings, config.settings);
      else doubts.set("git", `git may run a program, because ${config.because}`);
    }
    running = Object.entries(settings).find(
      ([key, value]) => runsPrograms.test(key) && !/^(?:true|false|\0)+$/iu.test(value),
    )?.[0];
    analysis = analyseCommand(command, { ...place, git: { config: settings, folders } });
  }
  for (const [word, because] of await programDoubts(analysis, site, programs)) {
    doubts.set(word, because);
  }
  // The settings that stop git from starting programs apply to listed commands only; others may need the programs.
  if (running !== undefined && callEffects(analysis).some(isOpen) && !doubts.has("git")) {
    doubts.set(
      "git",
      `git may run a program, because ${running} is in the repository's configuration`,
    );
  }
  const said = callEffects(analysis).flatMap((effect) => doubted(effect, doubts));
  const written = await throughLinks(said, host);
  const started = opened(written, [
    ...(await treeWrites(written, { host, workspace })),
    ...(await optionNames({ invocations: analysis.invocations, effects: written }, host)),
    ...(await dataDoubts(
      { invocations: analysis.invocations, effects: written },
      { host, workspace },
    )),
    ...(await movedLinks({ invocations: analysis.invocations, effects: written }, host)),
  ]);
  const effects = [
    ...(await linkedPlaces(started, analysis, { host, workspace })),
    ...(await linkedEffects(analysis, host)),
    ...(await trackedLinks(analysis, host)),
  ];
  const isListed = !effects.some(isOpen);
  const understood = { analysis, isListed, effects };
  return { ...understood, start: await startOf({ command, host, programs }, understood) };
}

/** Settings that make git start a program even when it only reads; overridden for listed commands. */
const runsPrograms = /^(?:core\.fsmonitor|diff\.external|gpg\..*program|protocol\..*allow)$/iu;

function isOpen(effect: Effect): boolean {
  return effect.kind === "unknown" || (effect.kind === "execute" && effect.consequences === "open");
}

/** Effects plus the ones found; programs that these make uncertain are marked as having open consequences. */
function opened(effects: readonly Effect[], found: readonly Effect[]): readonly Effect[] {
  const unsure = found.filter(({ kind }) => kind === "unknown");
  const isUnsure = ({ span }: ExecuteEffect): boolean =>
    unsure.some((each) => "span" in each && each.span === span);
  return [
    ...effects.map((effect) =>
      effect.kind === "execute" && isUnsure(effect)
        ? { ...effect, consequences: "open" as const }
        : effect,
    ),
    ...found,
  ];
}

/** Resolves paths with `..` after a name; drops those that equal the lexical path, where the name is not a link. */
async function throughLinks(effects: readonly Effect[], host: Host): Promise<readonly Effect[]> {
  if (!effects.some(goesUp)) return effects;
  const kept: Effect[] = [];
  for (const effect of effects) {
    if (!goesUp(effect)) {
      kept.push(effect);
      continue;
    }
    const path = await host.fs.canonical(effect.path);
    if (path !== (await host.fs.canonical(joinPath("/", effect.path))))
      kept.push({ ...effect, path });
  }
  return kept;
}

function goesUp(effect: Effect): effect is ReadEffect | WriteEffect {
  return (effect.kind === "read" || effect.kind === "write") && /\/\.\.(?:\/|$)/u.test(effect.path);
}

/** Directories in which git would run: one after `cd` or `-C` may be a separate repository. */
function gitFolders({ effects }: CommandAnalysis): readonly string[] {
  const spans = effects.flatMap((effect) =>
    effect.kind === "execute" && nameOf(effect) === "git" ? [effect.span] : [],
  );
  const folders = effects.flatMap((effect) =>
    effect.kind === "read" && effect.scope === "tree" && spans.some((span) => span === effect.by)
      ? [effect.path]
      : [],
  );
  return [...new Set(folders)].slice(0, maxFolders);
}

/** Maximum number of repositories inspected per command; the rest are unknown. */
const maxFolders = 8;

function nameOf({ argv: [word] }: ExecuteEffect): string | undefined {
  return typeof word === "string" ? word.slice(word.lastIndexOf("/") + 1) : undefined;
}

/** Marks a doubtful program as open and adds an unknown effect with the reason; a rule on the command can allow it. */
function doubted(effect: Effect, doubts: ReadonlyMap<string, string>): readonly Effect[] {
  if (effect.kind !== "execute") return [effect];
  const [word] = effect.argv;
  if (typeof word !== "string") return [effect];
  const name = nameOf(effect) ?? word;
  const because = doubts.get(word) ?? doubts.get(name);
  if (because === undefined) return [effect];
  const { span } = effect;
  const unknown: Effect = { kind: "unknown", because, origin: name, span, by: span };
  return [{ ...effect, consequences: "open" }, unknown];
}

/** How to start a command: the arguments of its only program, or a shell with its text. */
export interface Start {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the host's environment variables passed on; undefined passes all. */
  readonly keepEnv?: readonly string[];
}

interface Starting {
  readonly command: string;
  readonly host: Host;
  readonly programs: PathPrograms;
}

/**
 * Start of a judged command. A simple listed command runs with its judged arguments, without a shell, from a program
 * that nothing in the workspace can change. Other listed commands run in a shell that finds only such programs. A
 * command that the user or a rule approved runs in the shell as it would for the user.
 */
async function startOf(
  { command, host, programs }: Starting,
  understood: Omit<Understanding, "start">,
): Promise<Start> {
  const shell = [...host.info.shell, command];
  if (!understood.isListed) return { argv: shell, env: {} };
  const plan = planArgv(understood.analysis);
  const [name, ...rest] = plan?.argv ?? [];
  const PATH = (await programs.safePath()).join(":");
  const keepEnv = plainEnvironment;
  if (plan !== undefined && name !== undefined && !name.includes("/")) {
    const program = await programs.system(name);
    if (program !== undefined) {
      return { argv: [program, ...rest], env: { ...plan.env, PATH }, keepEnv };
    }
  }
  return { argv: shell, env: { ...gitNeutralisers, PATH }, keepEnv };
}

/** Command names that would start a program which the project or another user could have written, with the reason. */
async function programDoubts(
  analysis: CommandAnalysis,
  { host, cwd, workspace }: CommandSite,
  programs: PathPrograms,
): Promise<ReadonlyMap<string, string>> {
  const words = new Set(
    analysis.invocations.flatMap(({ argv: [word] }) => (typeof word === "string" ? [word] : [])),
  );
  const found = new Map<string, string>();
  for (const word of words) {
    const because = word.includes("/") ? await ownFile(word) : await programs.doubt(word);
    if (because !== undefined) found.set(word, because);
  }
  return found;

  async function ownFile(word: string): Promise<string | undefined> {
    const file = await host.fs.canonical(word, { base: cwd });
    return isWithin(workspace, file) ? `${word} is a program of the workspace, ${file}` : undefined;
  }
}
