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
import { repositoryConfig } from "./git-config.ts";
import { linkedReads } from "./linked-reads.ts";
import { treeWrites } from "./tree-writes.ts";
import { PathPrograms } from "../files/paths/path-programs.ts";

export interface CommandSite {
  readonly host: Host;
  /** Where it would run, canonical. */
  readonly cwd: string;
  readonly workspace: string;
}

/** What a command means where it would run. */
export interface Understanding {
  readonly analysis: CommandAnalysis;
  readonly effects: readonly Effect[];
  /** Nothing in it can do more than the effects say. */
  readonly isListed: boolean;
  /** How to start the very command that was judged. */
  readonly start: Start;
}

/** Says what a command would touch, looking at what could make its programs do something else. */
export async function understand(command: string, site: CommandSite): Promise<Understanding> {
  const { host, cwd, workspace } = site;
  const place = { cwd, workspace, home: host.info.home };
  const programs = new PathPrograms(host, workspace);
  let analysis = analyseCommand(command, place);
  const doubts = new Map<string, string>();
  let running: string | undefined;
  if (analysis.invocations.some(({ name }) => name === "git")) {
    const folders = gitFolders(analysis);
    const configs = await Promise.all(folders.map((folder) => repositoryConfig(host, folder)));
    const settings: Record<string, string> = {};
    for (const config of configs) {
      if (config.kind === "known") Object.assign(settings, config.settings);
      else doubts.set("git", `git may run a program, because ${config.because}`);
    }
    running = Object.entries(settings).find(
      ([key, value]) => runsPrograms.test(key) && !/^(?:true|false)$/iu.test(value),
    )?.[0];
    analysis = analyseCommand(command, { ...place, git: { config: settings, folders } });
  }
  for (const [word, because] of await programDoubts(analysis, site, programs)) {
    doubts.set(word, because);
  }
  // What keeps git from it is set for listed commands alone: beside others git may need what it would keep out.
  if (running !== undefined && callEffects(analysis).some(isOpen) && !doubts.has("git")) {
    doubts.set(
      "git",
      `git may run a program, because ${running} is in the repository's configuration`,
    );
  }
  const said = callEffects(analysis).flatMap((effect) => doubted(effect, doubts));
  const written = await throughLinks(said, host);
  const effects = [
    ...opened(written, await treeWrites(written, { host, workspace })),
    ...(await linkedReads(analysis, host)),
  ];
  const isListed = !effects.some(isOpen);
  const understood = { analysis, isListed, effects };
  return { ...understood, start: await startOf({ command, host, programs }, understood) };
}

/** Settings of a repository that make git start a program while it only reads, and that are set aside for listed commands. */
const runsPrograms = /^(?:core\.fsmonitor|diff\.external|gpg\..*program|protocol\..*allow)$/iu;

function isOpen(effect: Effect): boolean {
  return effect.kind === "unknown" || (effect.kind === "execute" && effect.consequences === "open");
}

/** With what was found, and each program it makes uncertain as one that may do more. */
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

/** A path that goes up behind a name counts where it differs from the one without: that name is a link. */
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

/** Where git would run: a folder after `cd` or `-C` may be a repository of its own. */
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

/** More repositories than anybody looks at in one command; of the rest nothing is known. */
const maxFolders = 8;

function nameOf({ argv: [word] }: ExecuteEffect): string | undefined {
  return typeof word === "string" ? word.slice(word.lastIndexOf("/") + 1) : undefined;
}

/** A program there is a doubt about may do anything, and says why: a rule that names that command answers it. */
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

/** How a command is started: the words of its only program, or a shell with its text. */
export interface Start {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the host's environment it is given; all where undefined. */
  readonly keepEnv?: readonly string[];
}

interface Starting {
  readonly command: string;
  readonly host: Host;
  readonly programs: PathPrograms;
}

/**
 * A simple command whose consequences are listed runs by its judged words, without a shell and from a program
 * nobody in the workspace can change. Other listed ones run in a shell that finds only such programs; whatever
 * a person or a rule approved runs in the shell as it would for them.
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

/** Words that would start a program that a project or another user could have written, and why. */
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
