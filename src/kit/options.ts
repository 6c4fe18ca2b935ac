import { modes, ToolError } from "../core/index.ts";
import type {
  Answer,
  Ask,
  EventLog,
  HaftEvent,
  Host,
  LazyTool,
  MinimalTool,
  Mode,
  Services,
  Tool,
} from "../core/index.ts";
import type { Ceiling } from "../policy/index.ts";
import type { Hooks, Tracer } from "../pipeline/index.ts";
import type { Settings } from "../workspace/index.ts";

export interface SandboxOption {
  /** "enforced" fails where nothing can confine; default "best-effort". */
  readonly require?: "enforced" | "best-effort" | "off";
  readonly driver?: string;
  readonly network?: "none" | "open" | { readonly hosts: readonly string[] };
}

export interface ToolSelection {
  /** Offer only these, by name. */
  readonly include?: readonly string[];
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
  readonly sandbox?: SandboxOption;
  /** Where tools act. Default: this machine. */
  readonly host?: Host;
  readonly tools?: ToolSelection;
  readonly hooks?: Hooks;
  /** Asks a person. Absent, every ask is a refusal that says so. */
  readonly onAsk?: (
    ask: Ask,
    options: { readonly signal: AbortSignal | undefined },
  ) => Promise<Answer>;
  readonly onEvent?: (event: HaftEvent) => void;
  /** Aborts every call of the kit. */
  readonly signal?: AbortSignal;
  /** Where events are kept: the last 10,000 in memory (the default), a file in the data directory, or a log of your own. */
  readonly eventLog?: EventLog | "memory" | "file";
  readonly services?: Services;
  readonly tracer?: Tracer;
  /** Characters of an answer that a model sees. Default 50,000; a tool may set its own. */
  readonly maxChars?: number;
  /** Replace secrets in answers. Default true. */
  readonly redactSecrets?: boolean;
}

export interface DeriveOptions {
  readonly host?: Host;
  readonly mode?: Mode;
  /** Names the child may use, of those the parent has. */
  readonly tools?: readonly string[];
  /** What the child may do at most; its parent's limits hold beside it. */
  readonly ceiling?: Ceiling;
}

/** Throws a TypeError for what no toolkit can be opened with. */
export function checkOptions(options: ToolkitOptions): void {
  const { mode, maxChars, sandbox } = options;
  if (mode !== undefined && !modes.includes(mode)) {
    throw new TypeError(`mode is ${JSON.stringify(mode)}; it must be one of ${modes.join(", ")}.`);
  }
  if (maxChars !== undefined && !(Number.isSafeInteger(maxChars) && maxChars > 0)) {
    throw new TypeError("maxChars must be a whole number above 0.");
  }
  if (sandbox?.require === "enforced") {
    throw new ToolError("UNAVAILABLE", "A sandbox is required, and this version brings none.", {
      hint: 'Use require: "best-effort"; commands are then asked about unless a rule allows them.',
    });
  }
}
