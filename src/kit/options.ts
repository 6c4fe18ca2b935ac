import { modes } from "../core/index.ts";
import type {
  EventLog,
  HaftEvent,
  Host,
  LazyTool,
  LimitOptions,
  MinimalTool,
  Mode,
  OnAsk,
  Services,
  Tool,
} from "../core/index.ts";
import type { Hooks, Tracer } from "../pipeline/index.ts";
import {
  readLimits,
  readSearch,
  type GrepOptions,
  type SandboxSettings,
  type SearchOptions,
  type Settings,
} from "../workspace/index.ts";

/** What commands may leave running: any that is past its time, only those that ask for it, or none. */
export type Background = "promote" | "asked" | "none";

/** What holds the programs that calls start. */
export type SandboxOption = SandboxSettings;

export interface ToolSelection {
  /** Offer only these, by name. */
  readonly include?: readonly string[];
  /** Leave these out, by name. */
  readonly exclude?: readonly string[];
  /** Offered beside the built-in ones. A name that is taken is a TypeError. */
  readonly extra?: readonly (Tool | LazyTool | MinimalTool)[];
}

export interface ToolkitOptions {
  /** The folder the tools work in. Default: the settings' `defaultWorkingDirectory`, then the host's current directory. */
  readonly workspace?: string;
  /** Default: the settings' `defaultMode`, then "default". */
  readonly mode?: Mode;
  /** More folders that count as inside. */
  readonly additionalDirectories?: readonly string[];
  /** Where artefacts, journal and logs are kept, outside the workspace. Default: `.local/share/haft` in the home folder, a folder per workspace. */
  readonly dataDirectory?: string;
  /** Rules and defaults: given here, read from the workspace's and the user's files ("load"), or none. Default "none". */
  readonly settings?: Settings | "load" | "none";
  /** Rules of this kit alone, beside those of the settings. */
  readonly rules?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  /** What the workspace brings may run and widen. Default: as recorded for this workspace with "load", else false. */
  readonly trust?: boolean;
  /** What holds the programs that calls start, and keeps what they change (docs/sandbox.md). Default: what works here. */
  readonly sandbox?: SandboxOption;
  /** Where tools act. Default: this machine. */
  readonly host?: Host;
  /** Which tools are offered: some of the built-in ones, and your own. Default: all that are built in. */
  readonly tools?: ToolSelection;
  /** Functions of yours before a call, at a question, and after a call. */
  readonly hooks?: Hooks;
  /** Asks a person. Absent, every ask is a refusal that says so. */
  readonly onAsk?: OnAsk;
  /** Hears every event, in order. What it throws changes nothing. */
  readonly onEvent?: (event: HaftEvent) => void;
  /** Aborts every call of the kit. */
  readonly signal?: AbortSignal;
  /** Where events are kept: the last 10,000 in memory (the default), a file in the data directory, or a log of your own. */
  readonly eventLog?: EventLog | "memory" | "file";
  /** What tools ask for by token, as `context.service(token)`. */
  readonly services?: Services;
  /** An OpenTelemetry tracer: a span for each call. */
  readonly tracer?: Tracer;
  /** Characters of an answer that a model sees. Default 50,000; a tool may set its own. */
  readonly maxChars?: number;
  /** How much each tool takes, does and answers, where it is not the default (docs/tools.md). */
  readonly limits?: LimitOptions;
  /** Which files searches see (docs/tools.md). */
  readonly search?: SearchOptions;
  /** What answers of Grep show (docs/tools.md). */
  readonly grep?: GrepOptions;
  /**
   * What commands may leave running in the background until the kit is disposed: "promote" any that is past its
   * time, "asked" only those that ask for it, "none". Default "promote".
   */
  readonly background?: Background;
  /** Replace secrets in answers. Default true. */
  readonly redactSecrets?: boolean;
}

export interface DeriveOptions {
  readonly host?: Host;
  readonly mode?: Mode;
  /** Names the child may use, of those the parent has. */
  readonly tools?: readonly string[];
  /**
   * Rules for what the child may do at most, as in `["Read", "Bash(npm test)"]`; its parent's limits hold beside it.
   * They allow nothing by themselves.
   */
  readonly ceiling?: readonly string[];
}

/** Throws a TypeError for what no toolkit can be opened with. */
export function checkOptions(options: ToolkitOptions): void {
  const { mode, maxChars, sandbox } = options;
  if (mode !== undefined) checkMode(mode);
  for (const [name, value] of Object.entries(options)) {
    const wanted = shapes.get(name);
    if (wanted === undefined) {
      throw new TypeError(
        `There is no option ${JSON.stringify(name)}. There are: ${[...shapes.keys()].join(", ")}.`,
      );
    }
    if (value !== undefined && !wanted.fits(value)) {
      throw new TypeError(`${name} must be ${wanted.is}.`);
    }
  }
  if (maxChars !== undefined && !(Number.isSafeInteger(maxChars) && maxChars > 0)) {
    throw new TypeError("maxChars must be a whole number above 0.");
  }
  if (options.limits !== undefined) checkLimits(options.limits);
  if (sandbox !== undefined) checkSandbox(sandbox);
  const [problem] = readSearch(options).problems;
  if (problem !== undefined) throw new TypeError(problem.message);
}

/** Every sandbox driver that can be asked for. */
export const driverNames = ["bwrap", "landlock", "unshare", "sandbox-exec", "srt", "none"] as const;

/** A mistyped one would be the default, which may hold less than was asked for. */
function checkSandbox(sandbox: SandboxOption): void {
  const { require, driver, network, overlay, through, ...others } = sandbox;
  if (overlay !== undefined && !["undo", "preview", "off"].includes(overlay)) {
    throw new TypeError('sandbox.overlay must be "undo", "preview" or "off".');
  }
  if (through !== undefined && !texts.fits(through)) {
    throw new TypeError("sandbox.through must be a list of texts.");
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`sandbox has no ${JSON.stringify(unknown)}.`);
  if (require !== undefined && !["enforced", "best-effort", "off"].includes(require)) {
    throw new TypeError('sandbox.require must be "enforced", "best-effort" or "off".');
  }
  if (driver !== undefined && !driverNames.some((name) => name === driver)) {
    throw new TypeError(`sandbox.driver must be one of ${driverNames.join(", ")}.`);
  }
  const isNetwork =
    network === undefined ||
    network === "none" ||
    network === "open" ||
    (isObject(network) && isListOf(network["hosts"], text));
  if (!isNetwork) throw new TypeError('sandbox.network must be "none", "open" or { hosts }.');
}

function checkLimits(limits: unknown): void {
  const [problem] = readLimits(limits).problems;
  if (problem === undefined) return;
  throw new TypeError(
    `${problem.message} ${problem.hint.replace(/^It is ignored\. ?/u, "")}`.trim(),
  );
}

/** The mode, or a TypeError that names those there are. */
export function checkMode(mode: Mode): Mode {
  if (modes.includes(mode)) return mode;
  throw new TypeError(`mode is ${JSON.stringify(mode)}; it must be one of ${modes.join(", ")}.`);
}

interface Shape {
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
}

const text: Shape = { is: "a text", fits: (value) => typeof value === "string" };
const flag: Shape = { is: "true or false", fits: (value) => typeof value === "boolean" };
const callable: Shape = { is: "a function", fits: (value) => typeof value === "function" };
const object: Shape = { is: "an object", fits: isObject };
const texts: Shape = { is: "a list of texts", fits: (value) => isListOf(value, text) };

/** What a mistyped option would otherwise do is nothing at all: a rule or a hook that never holds. */
const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    workspace: text,
    mode: text,
    additionalDirectories: texts,
    dataDirectory: text,
    settings: {
      is: 'an object, "load" or "none"',
      fits: (value: unknown) => value === "load" || value === "none" || isObject(value),
    },
    rules: lists(["allow", "ask", "deny"], text),
    trust: flag,
    sandbox: object,
    host: object,
    tools: {
      is: "an object of the lists include, exclude and extra",
      fits: (value: unknown) =>
        isObject(value) &&
        hasOnly(value, ["include", "exclude", "extra"]) &&
        fitsOrMissing(texts, value["include"]) &&
        fitsOrMissing(texts, value["exclude"]) &&
        (value["extra"] === undefined || isListOf(value["extra"], object)),
    },
    hooks: lists(["before", "permission", "after"], callable),
    onAsk: callable,
    onEvent: callable,
    signal: { is: "an AbortSignal", fits: (value: unknown) => value instanceof AbortSignal },
    eventLog: {
      is: 'a log, "memory" or "file"',
      fits: (value: unknown) => value === "memory" || value === "file" || isObject(value),
    },
    services: object,
    tracer: object,
    maxChars: { is: "a whole number above 0", fits: (value: unknown) => typeof value === "number" },
    limits: object,
    search: object,
    grep: object,
    background: {
      is: '"promote", "asked" or "none"',
      fits: (value: unknown) => value === "promote" || value === "asked" || value === "none",
    },
    redactSecrets: flag,
  } satisfies Record<keyof ToolkitOptions, Shape>),
);

function lists(names: readonly string[], item: Shape): Shape {
  return {
    is: `an object of the lists ${names.join(", ")}, each entry ${item.is}`,
    fits: (value) =>
      isObject(value) &&
      hasOnly(value, names) &&
      Object.values(value).every((list) => list === undefined || isListOf(list, item)),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, item: Shape): boolean {
  return Array.isArray(value) && value.every((each: unknown) => item.fits(each));
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

function fitsOrMissing(shape: Shape, value: unknown): boolean {
  return value === undefined || shape.fits(value);
}
