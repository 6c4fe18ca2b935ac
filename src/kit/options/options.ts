import { checkedArgument, modes, oneOf, ToolError } from "../../core/index.ts";
import type {
  CallOptions,
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
} from "../../core/index.ts";
import type { Hooks, Tracer } from "../../pipeline/index.ts";
import type {
  GrepOptions,
  SandboxSettings,
  SearchOptions,
  Settings,
} from "../../workspace/index.ts";

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
  /**
   * Where events are kept besides what listeners take: nowhere, the last 10,000 in memory, a file in the data directory,
   * or a log of your own.
   *
   * @default "none"
   */
  readonly eventLog?: EventLog | "none" | "memory" | "file";
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

/** Whose call it is, as for `call`. */
export interface PreviewCallOptions extends Pick<
  CallOptions,
  "signal" | "sessionId" | "agentId" | "services"
> {
  /** Somebody has said yes to this very call. Default false. */
  readonly approved?: boolean;
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

/** Every sandbox driver that can be asked for. */
export const driverNames = ["bwrap", "landlock", "unshare", "sandbox-exec", "srt", "none"] as const;

/** The mode, or a TypeError that names those there are. */
export function checkMode(mode: Mode): Mode {
  return checkedArgument("mode", mode, aMode);
}

const aMode = oneOf(modes);

/** Throws where a settings file forbids the mode that asks nothing. */
export function refuseDisabledBypass(mode: Mode, isDisabled: boolean): void {
  if (mode !== "bypassPermissions" || !isDisabled) return;
  throw new ToolError("PERMISSION_DENIED", "The settings disable the mode bypassPermissions.", {
    hint: "Use another mode, or remove disableBypassPermissionsMode from the settings.",
  });
}
