import { isAbsolutePath, joinPath } from "../../text/index.ts";
import {
  aFunction,
  anObject,
  aText,
  checkedOptions,
  oneOf,
  variables,
  type Form,
  type Host,
  type HostClock,
  type HostFs,
  type HostInfo,
  type HostNet,
  type HostProc,
  type HostSearch,
} from "../../core/index.ts";
import { systemClock } from "../clock.ts";
import { scriptSearch } from "../search/script-search.ts";
import { manualClock } from "./manual-clock.ts";
import { MemoryFaults, type MemoryFault } from "./memory-faults.ts";
import { MemoryFs } from "./memory-fs.ts";
import { memoryNet, type MemoryResponses } from "./memory-net.ts";
import { MemoryProc, type MemoryProgram } from "./memory-proc.ts";
import { MemoryTree, type MemoryEntry } from "./memory-tree.ts";

/** 2026-01-01T00:00:00Z, the initial time of a memory host. */
const defaultNow = 1_767_225_600_000;

/** Contents and behavior of a host in memory. */
export interface MemoryHostOptions {
  /** Base of relative names in `files`. Default "/project". */
  readonly root?: string;
  /** File content by path, relative to the root or absolute. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Home directory. Default "/home/user". */
  readonly home?: string;
  /** Identifier of the host. Default: `memory`. */
  readonly id?: string;
  /** Operating system that it reports. Default: `linux`. */
  readonly os?: HostInfo["os"];
  /**
   * Initial time in milliseconds since the epoch, unchanged until `control.advance`; "real" uses the machine's clock.
   */
  readonly now?: number | "real";
  /** Programs by name, found by argv[0] or its last component; a shell is the program `bash`. */
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  /** Environment variables of programs. Default: none. */
  readonly env?: Readonly<Record<string, string>>;
  /** Answers to network requests. Default: none, so each request fails. */
  readonly responses?: MemoryResponses;
}

const aContent: Form = {
  is: "a text or bytes",
  fits: (value) => typeof value === "string" || value instanceof Uint8Array,
};

const aResponse: Form = {
  is: "a response or a function",
  fits: (value) => aFunction.fits?.(value) === true || anObject.fits?.(value) === true,
};

const optionForms = {
  root: aText,
  files: { is: "an object of texts or bytes by path", values: aContent },
  home: aText,
  id: aText,
  os: oneOf(["linux", "darwin", "windows"] satisfies HostInfo["os"][]),
  now: {
    is: '"real" or a number of milliseconds',
    choices: ["real"],
    fits: (value) => value === "real" || Number.isFinite(value),
  },
  programs: { is: "an object of functions by program", values: aFunction },
  env: variables,
  responses: { is: "an object of responses by address", values: aResponse },
} satisfies Record<keyof MemoryHostOptions, Form>;

/** A host in memory: nothing of it outlives the process, and it cannot reach anything outside. */
export interface MemoryHost extends Host {
  /** Access for tests: files, faults and time. */
  readonly control: MemoryControl;
}

/** Control of a memory host for tests. Paths may be relative to the root. */
export interface MemoryControl {
  /** Directory that holds the files. */
  readonly root: string;
  /** Adds an entry with missing parents, replacing an existing one. */
  plant(path: string, entry: MemoryEntry): void;
  /** Makes operations fail or hang; the returned function removes the fault. */
  fail(fault: MemoryFault): () => void;
  /** Moves the clock forward by `ms` milliseconds; throws a TypeError if the clock is the real one. */
  advance(ms: number): void;
  /** The text of every file, by absolute path. */
  texts(): Readonly<Record<string, string>>;
}

/**
 * A whole machine in memory: files, links, scripted programs and responses, and its own clock. Throws a TypeError for an
 * option that does not exist or has a wrong value.
 */
export function memoryHost(options: MemoryHostOptions = {}): MemoryHost {
  return new InMemoryHost(checkedOptions("memoryHost", options, optionForms));
}

class InMemoryHost implements MemoryHost {
  readonly id: string;
  readonly info: HostInfo;
  readonly fs: HostFs;
  readonly net: HostNet;
  readonly search: HostSearch;
  readonly clock: HostClock;
  readonly control: MemoryControl;
  readonly #proc: MemoryProc;

  constructor(options: MemoryHostOptions) {
    const root = options.root ?? "/project";
    const manual = options.now === "real" ? undefined : manualClock(options.now ?? defaultNow);
    const clock = manual?.clock ?? systemClock;
    const tree = new MemoryTree(() => clock.now());
    const faults = new MemoryFaults();
    const home = options.home ?? "/home/user";
    const absolute = (path: string): string => (isAbsolutePath(path) ? path : joinPath(root, path));
    for (const directory of [root, home, "/tmp"]) tree.makeDirectories(directory, 0o755);
    for (const [path, content] of Object.entries(options.files ?? {})) {
      tree.plant(absolute(path), { kind: "file", content });
    }
    this.id = options.id ?? "memory";
    this.info = {
      os: options.os ?? "linux",
      arch: "x64",
      home,
      temporary: "/tmp",
      cwd: root,
      holdsStore: "itself",
      path: ["/usr/bin", "/bin"],
      shell: ["/bin/bash", "--norc", "--noprofile", "-c"],
      capabilities: { processes: true, network: true, links: true },
    };
    this.fs = new MemoryFs(tree, faults);
    this.clock = clock;
    this.#proc = new MemoryProc({
      programs: options.programs ?? {},
      env: { HOME: home, PATH: "/usr/bin:/bin", ...options.env },
      fs: this.fs,
      clock,
    });
    this.net = memoryNet(options.responses ?? {});
    this.search = scriptSearch(this.fs);
    this.control = {
      root,
      plant: (path, entry) => {
        tree.plant(absolute(path), entry);
      },
      fail: (fault) =>
        faults.plant(fault.path === undefined ? fault : { ...fault, path: absolute(fault.path) }),
      advance: (ms) => {
        if (manual === undefined) throw new TypeError("The real clock cannot be moved.");
        manual.advance(ms);
      },
      texts: () => tree.texts(),
    };
  }

  get proc(): HostProc {
    return this.#proc;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#proc.dispose();
  }
}
