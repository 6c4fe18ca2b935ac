import { isWithin, type Effect, type Host } from "../../core/index.ts";
import {
  analyseCommand,
  gitNeutralisers,
  planArgv,
  type CommandAnalysis,
} from "../../shell/index.ts";
import { repositoryConfig } from "./git-config.ts";
import { ownProgram, safePath, systemProgram } from "./own-programs.ts";

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
  let analysis = analyseCommand(command, place);
  const extra: Effect[] = [];
  if (analysis.invocations.some(({ name }) => name === "git")) {
    const config = await repositoryConfig(host, cwd);
    if (config.kind === "known") {
      analysis = analyseCommand(command, { ...place, git: { config: config.settings } });
    } else {
      extra.push(unknown(`git may run a program, because ${config.because}`, "git"));
    }
  }
  extra.push(...(await ownPrograms(analysis, site)), ...floorOf(analysis));
  const effects = [...analysis.effects, ...extra];
  const isListed = !effects.some(
    (effect) =>
      effect.kind === "unknown" || (effect.kind === "execute" && effect.consequences === "open"),
  );
  const starts = effects.some(({ kind }) => kind === "execute");
  const understood = {
    analysis,
    isListed,
    effects: starts ? effects : [...effects, shellItself(command)],
  };
  return { ...understood, start: await startOf(command, site, understood) };
}

/** How a command is started: the words of its only program, or a shell with its text. */
export interface Start {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A simple command whose consequences are listed runs by its judged words, without a shell and from a program
 * nobody in the workspace can change. Other listed ones run in a shell that finds only such programs; whatever
 * a person or a rule approved runs in the shell as it would for them.
 */
async function startOf(
  command: string,
  site: CommandSite,
  understood: Omit<Understanding, "start">,
): Promise<Start> {
  const { host, workspace } = site;
  const shell = [...host.info.shell, command];
  if (!understood.isListed) return { argv: shell, env: {} };
  const plan = planArgv(understood.analysis);
  const [name, ...rest] = plan?.argv ?? [];
  if (plan !== undefined && name !== undefined && !name.includes("/")) {
    const program = await systemProgram(host, workspace, name);
    if (program !== undefined) return { argv: [program, ...rest], env: plan.env };
  }
  return { argv: shell, env: { ...gitNeutralisers, PATH: safePath(host, workspace).join(":") } };
}

/** A listed program that would really come from the workspace is the workspace's own, and may do anything. */
async function ownPrograms(
  analysis: CommandAnalysis,
  { host, cwd, workspace }: CommandSite,
): Promise<Effect[]> {
  const names = new Set(
    analysis.invocations.flatMap(({ argv: [word] }) => (typeof word === "string" ? [word] : [])),
  );
  const found: Effect[] = [];
  for (const name of names) {
    const file = name.includes("/")
      ? await host.fs.canonical(name, { base: cwd })
      : await ownProgram(host, workspace, name);
    if (file === undefined || !isWithin(workspace, file)) continue;
    found.push(unknown(`${name} is a program of the workspace, ${file}`, name));
  }
  return found;
}

/** What the effects alone do not show to be the end of the machine: a fork bomb, a wiped disk behind a variable. */
function floorOf({ findings }: CommandAnalysis): Effect[] {
  return findings
    .filter(({ rule }) => rule === "floor")
    .map(({ text, span }) => ({
      kind: "unknown",
      because: text,
      origin: "Bash",
      span,
      floor: true,
    }));
}

function unknown(because: string, origin: string): Effect {
  return { kind: "unknown", because, origin };
}

/** A text that starts no program, such as `x=1` or `> file`, still takes a shell, which does only that. */
function shellItself(command: string): Effect {
  return {
    kind: "execute",
    argv: ["bash", "-c", command],
    assigns: [],
    via: [],
    consequences: "listed",
    span: { start: 0, end: command.length },
  };
}
