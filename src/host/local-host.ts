import { delimiter, isAbsolute } from "node:path";
import { existsSync, lstatSync } from "node:fs";
import { readdirSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import {
  anAmount,
  aText,
  checkedOptions,
  objectWith,
  oneOf,
  texts,
  ToolError,
  variables,
  type Form,
  type Host,
  type HostClock,
  type HostInfo,
  type HostNet,
  type HostProc,
  type HostSearch,
} from "../core/index.ts";
import { isTrustedProgram, systemProgram } from "../programs/index.ts";
import { systemClock } from "./clock.ts";
import type { Launcher } from "./processes/launch/launcher.ts";
import { scrubEnvironment, type ScrubbedEnvironment } from "./processes/environment.ts";
import { LocalFs } from "./files/local-fs.ts";
import type { LocalNet } from "./net/local-net.ts";
import {
  LocalLauncher,
  type LaunchReport,
  type LocalLauncherOptions,
} from "./processes/launch/local-launcher.ts";
import { LoadedProc } from "./processes/lazy-processes.ts";
import type { ProcessPatience } from "./processes/local-process.ts";
import { LocalSearch } from "./search/local-search.ts";

/** Options of the host for this machine. */
export interface LocalHostOptions {
  /** Identifier of the host. Default: `local-` and a random name. */
  readonly id?: string;
  /** Source of the environment of programs. Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Names that are passed on although they look like secrets or are not on the list. */
  readonly passEnvironment?: readonly string[];
  /** Time limits for the phases of ending a process, in milliseconds. Default: TERM, 5,000, KILL, 2,000; drain 250. */
  readonly patience?: Partial<ProcessPatience>;
  /** Path of a ripgrep binary; "none" searches in JavaScript. Default: the one of `@vscode/ripgrep`, if installed. */
  readonly ripgrep?: string;
  /** Whether and when a small resident process starts programs for this one. Default: once this process is large. */
  readonly launching?: LocalLauncherOptions;
  /**
   * Launcher that replaces the default one. Disposed with the host.
   *
   * @internal
   */
  readonly launcher?: Launcher;
}

const amounts = (names: readonly string[]): Form => ({
  is: "an object of numbers",
  fields: Object.fromEntries(names.map((name) => [name, anAmount])),
});

const optionForms = {
  id: aText,
  environment: variables,
  passEnvironment: texts,
  patience: amounts(["terminate", "kill", "drain"] satisfies (keyof ProcessPatience)[]),
  ripgrep: aText,
  launching: {
    is: "an object",
    fields: {
      helper: oneOf(["auto", "always", "never"]),
      bigBytes: anAmount,
      helperCommand: texts,
      confined: amounts(["max", "idleMs"]),
    } satisfies Record<keyof LocalLauncherOptions, Form>,
  },
  launcher: objectWith(["start", "dispose"], "a launcher, an object with start and dispose"),
} satisfies Record<keyof LocalHostOptions, Form>;

/** A host that also reports which environment variables it withholds from programs. */
export interface LocalHost extends Host {
  /** Names of environment variables that programs do not receive, sorted. */
  readonly withheldEnvironment: readonly string[];
  /** Current way of starting programs. */
  readonly launching: LaunchReport;
}

/** A shell expands `~` to HOME, so no other value is used. */
function homeFolder(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  throw new ToolError(
    "UNAVAILABLE",
    `HOME is ${JSON.stringify(home)}, which is not an absolute path.`,
    {
      hint: "Set HOME to your home directory, or unset it.",
      retryable: false,
    },
  );
}

/** Maximum number of other users' home directories. */
const maxHomes = 50;

/** The account's own home directory, regardless of HOME, and for root those of all other users. */
function otherHomes(): readonly string[] {
  try {
    const { homedir: own, uid } = userInfo();
    const names = uid === 0 ? readdirSync("/home").slice(0, maxHomes) : [];
    return [own, ...names.map((name) => `/home/${name}`)].filter((path) => isAbsolute(path));
  } catch {
    return [];
  }
}

/**
 * Host for this machine: its files, processes and network. Disposing it ends every process it started. Rejects with a
 * TypeError for an option that does not exist or has a wrong value.
 */
export async function localHost(options: LocalHostOptions = {}): Promise<LocalHost> {
  const checked = checkedOptions("localHost", options, optionForms);
  const fs = new LocalFs();
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const info: HostInfo = {
    os: operatingSystem(),
    arch: process.arch,
    home: await fs.canonical(homeFolder()),
    temporary: await fs.canonical(tmpdir()),
    cwd: await fs.canonical(process.cwd()),
    holdsStore: "this-machine",
    users: { homes: otherHomes(), variables: process.env },
    path,
    foldersWith: (program) => path.filter((folder) => isThere(`${folder}/${program}`)),
    ...(process.platform === "win32" ? {} : { systemProgram, isWritableByOthers }),
    shell: shellCommand(),
    capabilities: {
      processes: true,
      network: true,
      links: true,
      confinement: true,
      heldWrites: true,
    },
  };
  return new ThisMachine(fs, info, checked);
}

async function isWritableByOthers(directory: string): Promise<boolean> {
  const module = await import("./files/writable-by-others.ts");
  return module.isWritableByOthers(directory);
}

/** Current way of starting programs; undefined if the host is not a local one. */
export function launchReport(host: Host): LaunchReport | undefined {
  return host instanceof ThisMachine ? host.launching : undefined;
}

class ThisMachine implements LocalHost {
  readonly id: string;
  readonly info: HostInfo;
  readonly fs: LocalFs;
  readonly net: HostNet = {
    fetch: async (request, options) => {
      this.#net ??= import("./net/local-net.ts").then(({ localNet }) => localNet());
      return await (await this.#net).fetch(request, options);
    },
  };
  readonly search: HostSearch;
  readonly clock: HostClock = systemClock;
  readonly #proc: LoadedProc;
  readonly #ownLauncher: LocalLauncher;
  readonly #launcher: Launcher;
  readonly #scrub: () => ScrubbedEnvironment;
  #environment: ScrubbedEnvironment | undefined;
  #net: Promise<LocalNet> | undefined;

  constructor(fs: LocalFs, info: HostInfo, options: LocalHostOptions) {
    const { environment, passEnvironment } = options;
    this.#scrub = () => scrubEnvironment(environment ?? process.env, passEnvironment);
    this.id = options.id ?? `local-${Math.random().toString(16).slice(2, 10)}`;
    this.info = info;
    this.fs = fs;
    this.#ownLauncher = new LocalLauncher(options.launching);
    this.#launcher = options.launcher ?? this.#ownLauncher;
    this.search = new LocalSearch(fs, {
      binary: options.ripgrep,
      start: async (argv, place) => this.#ownLauncher.startOwn(argv, place),
    });
    const programs = (): ScrubbedEnvironment => this.#programs();
    this.#proc = new LoadedProc(async () => {
      const { LocalProc } = await import("./processes/local-proc.ts");
      return new LocalProc({
        get environment() {
          return programs().variables;
        },
        patience: options.patience ?? {},
        launcher: this.#launcher,
      });
    });
  }

  get proc(): HostProc {
    return this.#proc;
  }

  get withheldEnvironment(): readonly string[] {
    return this.#programs().withheld;
  }

  get launching(): LaunchReport {
    return this.#ownLauncher.report;
  }

  /** Environment of programs, computed at the first start, because many hosts start no programs. */
  #programs(): ScrubbedEnvironment {
    return (this.#environment ??= this.#scrub());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#net)?.close();
    await this.#proc.dispose();
    await this.#launcher.dispose();
    await this.#ownLauncher.dispose();
    await this.fs.dispose();
  }
}

/** A single lstat: a program is in one of about ten directories, and the others are checked with every command too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // If the path cannot be checked, the next access reports the reason.
    return true;
  }
}

function operatingSystem(): HostInfo["os"] {
  if (process.platform === "win32") return "windows";
  return process.platform === "darwin" ? "darwin" : "linux";
}

/** Shell without start-up files, so that a command means the same on every machine and starts in a millisecond. */
function shellCommand(): readonly string[] {
  if (process.platform === "win32") return ["cmd.exe", "/d", "/s", "/c"];
  const known = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
  const bash =
    known.find((path) => isTrustedProgram(path)) ??
    systemProgram("bash") ??
    known.find((path) => existsSync(path));
  return bash === undefined ? ["/bin/sh", "-c"] : [bash, "--norc", "--noprofile", "-c"];
}
