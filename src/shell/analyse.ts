import type { Effect } from "../core/index.ts";
import { baseName, bothValues } from "../text/index.ts";
import {
  addFinding,
  addUnknown,
  newCollector,
  type Collector,
  type Invocation,
  type ShellFinding,
} from "./walk/collector.ts";
import { mayRedirectHosts, takesAddresses } from "./programs/connecting.ts";
import { wholeText } from "./parse/bash-reading.ts";
import type { CommandClass } from "./command-class.ts";
import { gate } from "./parse/accept-text.ts";
import type { Analyst } from "./walk/analysis-state.ts";
import { walkText, wholeSpan } from "./walk/walk.ts";
import { Whereabouts } from "./walk/current-directories.ts";

/** Context in which a command would run. Paths are absolute and canonical. */
export interface CommandPlace {
  /** Directory in which it would run. */
  readonly cwd: string;
  /** Directory of the workspace. */
  readonly workspace: string;
  /** Home directory of the user. */
  readonly home: string;
  /** Environment variables. Default: unknown, so a variable may have any value. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Repository configuration where git would run; without it, git is assumed to run with `gitNeutralisers`. */
  readonly git?: GitConfigSource | undefined;
}

/** Configuration found where git would run: the output of `git config --list`, or values by key. */
export interface GitConfigSource {
  /** The configuration. Files that it names are asked about unless their paths are absolute. */
  readonly config: GitConfig;
  /** Directories to which this configuration applies. Default: only `cwd`. */
  readonly folders?: readonly string[];
}

/** Output of `git config --list`, or values by key. */
export type GitConfig = string | Readonly<Record<string, string>>;

/** Result of analyzing a command without running it. */
export interface CommandAnalysis {
  readonly input: string;
  readonly invocations: readonly Invocation[];
  readonly effects: readonly Effect[];
  readonly class: CommandClass;
  /** Whether all consequences are listed and none of them changes anything. */
  readonly readOnly: boolean;
  readonly findings: readonly ShellFinding[];
  /** Whether the shell itself may connect to a host that is not known. */
  readonly hasUnknownHost: boolean;
  /** Names of the functions that the command defines. */
  readonly defines: readonly string[];
}

/** Determines the consequences of a bash text, without running or reading anything. Never throws. */
export function analyseCommand(text: string, place: CommandPlace): CommandAnalysis {
  const collector = newCollector();
  const span = wholeSpan(text);
  const defined = new Set<string>();
  try {
    const refused = gate(text);
    if (refused === undefined) {
      const analyst: Analyst = {
        collector,
        input: text,
        cwd: place.cwd,
        workspace: place.workspace,
        home: place.home,
        env: place.env,
        gitConfig: place.git === undefined ? undefined : readConfig(place.git.config),
        gitFolders: place.git?.folders ?? [place.cwd],
        script: (inner, folders, frame) => walkText(analyst, inner, { folders, frame }),
        whereabouts: new Whereabouts(),
        trapped: [],
        heldBack: [],
        defined,
      };
      const end = walkText(analyst, text, {
        folders: [place.cwd],
        frame: {
          context: "list",
          via: [],
          depth: 0,
          fed: [],
          piped: false,
          fedText: undefined,
          certain: true,
          elsewhere: false,
          origin: wholeText,
          functions: new Map(),
          variables: undefined,
          names: undefined,
        },
      });
      analyst.whereabouts.add(end);
      judgeTrapped(analyst);
      noteRedirected(text, collector);
      noteHeldBack(analyst);
    } else {
      addUnknown(collector, refused.because, { origin: "bash", span: refused.span });
      addFinding(collector, "refused", { text: refused.because, span: refused.span });
    }
  } catch {
    // A bug in the analysis must not make a command appear harmless.
    addUnknown(collector, "the command could not be understood", { origin: "bash", span });
    addFinding(collector, "refused", { text: "the command could not be understood", span });
  }
  const hasFloor = collector.findings.some(({ rule }) => rule === "floor");
  return {
    input: text,
    invocations: collector.invocations,
    effects: collector.effects,
    class: finalClass(
      collector.commandClass ?? collector.filterClass,
      collector.hasUnknown,
      collector.hasWrite,
    ),
    readOnly: !collector.changes && !hasFloor,
    findings: collector.findings,
    hasUnknownHost: collector.hasUnknownHost,
    defines: [...defined],
  };
}

/** Judges trap handlers for every directory in which the shell may be when they run. */
function judgeTrapped({ whereabouts, trapped }: Analyst): void {
  if (!whereabouts.hasMoved) return;
  // Each function adds itself to `trapped` again.
  for (const again of trapped.splice(0)) again(whereabouts.all());
}

/** Reports the withheld variables if some program has open consequences, as it receives the whole environment. */
function noteHeldBack({ collector, heldBack }: Analyst): void {
  const isOpen = collector.effects.some(
    (effect) => effect.kind === "execute" && effect.consequences === "open",
  );
  if (!isOpen) return;
  for (const { name, span } of heldBack) {
    addUnknown(collector, `it sets ${name}, which what follows may obey`, { origin: "bash", span });
  }
}

/**
 * Marks programs that take addresses where the text may set a variable that makes them contact other hosts, and every
 * program where the shell itself contacts a host that is not known.
 */
function noteRedirected(text: string, { effects, hasUnknownHost }: Collector): void {
  if (!hasUnknownHost && !mayRedirectHosts(text)) return;
  for (const [index, effect] of effects.entries()) {
    if (effect.kind !== "execute") continue;
    const [program] = effect.argv;
    const takes = typeof program === "string" && takesAddresses.has(baseName(program));
    if (hasUnknownHost || takes) {
      effects[index] = { ...effect, hosts: "unknown" };
    }
  }
}

/** Class of the whole text: general if any part is unknown, and never a reading class if it writes. */
function finalClass(
  found: CommandClass | undefined,
  hasUnknown: boolean,
  hasWrite: boolean,
): CommandClass {
  if (hasUnknown) return "general";
  if (hasWrite) return found === "general" || found === "silent" ? found : "write";
  return found ?? "general";
}

function readConfig(config: GitConfig): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  const add = (key: string, value: string): void => {
    out.set(key.toLowerCase(), bothValues(out.get(key.toLowerCase()), value));
  };
  if (typeof config !== "string") {
    for (const [key, value] of Object.entries(config)) add(key, value);
    return out;
  }
  const separator = config.includes("\0") ? "\0" : "\n";
  for (const line of config.split(separator)) {
    const equals = /[=\n]/u.exec(line)?.index ?? line.length;
    if (line !== "") add(line.slice(0, equals), line.slice(equals + 1));
  }
  return out;
}
