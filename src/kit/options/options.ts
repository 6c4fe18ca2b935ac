import type { SandboxDriver } from "../../sandbox/index.ts";
import { checkedArgument, modes, oneOf, ToolError } from "../../core/index.ts";
import type {
  CallOptions,
  DelegateCallbacks,
  DelegateLimits,
  EventLog,
  HaftEvent,
  Host,
  LazyTool,
  LimitOptions,
  MinimalTool,
  Mode,
  OnAsk,
  SaveScope,
  SearchService,
  Services,
  Store,
  Tool,
  UserNotification,
} from "../../core/index.ts";
import type { RuleList } from "../../policy/index.ts";
import type { Hooks, Tracer } from "../../pipeline/index.ts";
import type { ModelChoice } from "../runs/models.ts";
import type { SessionStorage } from "../sessions/session-file.ts";
import type {
  DeferralSettings,
  GrepOptions,
  SandboxSettings,
  SearchOptions,
  Settings,
} from "../../workspace/index.ts";

/**
 * Which commands may keep running in the background: all that exceed their timeout, only those that request it, or
 * none.
 */
export type BackgroundOption = "promote" | "on-request" | "none";

/** Sandbox of the programs that calls start. */
export interface SandboxOption extends Omit<SandboxSettings, "driver"> {
  /**
   * The only driver to use: the name of a built-in one, experimental or not, or a driver of your own, which is tried like
   * the built-in ones before it is used. Default: the strongest built-in one that works and is not experimental.
   */
  readonly driver?: string | SandboxDriver;
}

/** Selection of tools. */
export interface ToolSelection {
  /** Offer only these tools, by name. */
  readonly include?: readonly string[];
  /** Do not offer these tools, by name. */
  readonly exclude?: readonly string[];
  /** Tools offered in addition to the built-in ones. A name that is already in use throws a TypeError. */
  readonly extra?: readonly (Tool | LazyTool | MinimalTool)[];
}

/** How the user is notified, and of what. */
export interface NotifyOptions {
  /** Shows a notification. Errors it throws are ignored. */
  readonly show?: (notification: UserNotification) => void | Promise<void>;
  /** Show it on the desktop of the host as well: notify-send, osascript or PowerShell. Default false. */
  readonly desktop?: boolean;
  /** Events notified without the tool Notify: questions, and the end of a run. Default: none. */
  readonly on?: readonly ("question" | "completion")[];
}

/** Options of a toolkit; each has a default. */
export interface ToolkitOptions {
  /**
   * Directory the tools work in. Default: the settings' `defaultWorkingDirectory`, then the host's current directory.
   */
  readonly workspace?: string;
  /** Permission mode. Default: the settings' `defaultMode`, then "default". */
  readonly mode?: Mode;
  /** More directories that count as inside the workspace. */
  readonly additionalDirectories?: readonly string[];
  /**
   * Directory of artifacts, journal and logs, outside the workspace. Default: a directory per workspace in
   * `.local/share/haft` of the home directory.
   */
  readonly dataDirectory?: string;
  /**
   * Store of the journal, trust, the user's settings, tasks, artifacts and sessions, in place of `dataDirectory`: from
   * `localStore` or `memoryStore` of haft/host, or one of your own. Default: `localStore` in the data directory, which is
   * on this machine also where the host is another one.
   */
  readonly store?: Store;
  /**
   * Rules and defaults: given here, read from the workspace's and the user's files ("load"), or none. Default "none".
   */
  readonly settings?: Settings | "load" | "none";
  /**
   * Whether tools offer the skills and slash commands that "load" finds. A program that runs single calls and shows no
   * model the tools starts faster with "none"; `kit.skills` and `kit.commands` still list them. Default "offer".
   */
  readonly skills?: "offer" | "none";
  /** Rules of this kit alone, in addition to those of the settings. */
  readonly rules?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  /**
   * Whether programs that the workspace configures may run and its rules may allow more. Default: as recorded for this
   * workspace with "load", else false.
   */
  readonly trust?: boolean;
  /**
   * Sandbox of the programs that calls start, and overlay of their changes (docs/sandbox.md). Default: the strongest
   * sandbox that works here.
   */
  readonly sandbox?: SandboxOption;
  /**
   * Model of runs that name none: a model, or its name as in `"anthropic:claude-sonnet-4-5"`, an alias, or
   * `"script:file"`. A name is opened when the first run needs it. Default: `models.default` of the settings.
   */
  readonly model?: ModelChoice;
  /**
   * Model for summaries and for tools that request the service `backgroundModel`. Default: `models.background` of the
   * settings, then the model of the run.
   */
  readonly backgroundModel?: ModelChoice;
  /** Host the tools act on. Default: this machine. */
  readonly host?: Host;
  /** Tools to offer: some of the built-in ones, and your own. Default: all built-in ones. */
  readonly tools?: ToolSelection;
  /** Which tools a model sees before it searches for others (docs/tools.md). */
  readonly deferral?: DeferralSettings;
  /** Functions called before a call, when it asks a question, and after it. */
  readonly hooks?: Hooks;
  /** Asks the user for approval. If absent, every question becomes a refusal that says so. */
  readonly onAsk?: OnAsk;
  /** Notifications for the user. If absent, there are none, and the tool Notify is not offered. */
  readonly notify?: NotifyOptions;
  /** Called with every event, in order. Errors it throws are ignored. */
  readonly onEvent?: (event: HaftEvent) => void;
  /** Aborts every call of the kit. */
  readonly signal?: AbortSignal;
  /**
   * Where events are stored, in addition to the listeners: nowhere, the last 10,000 in memory, a file in the data
   * directory, or a log of your own.
   *
   * @default "none"
   */
  readonly eventLog?: EventLog | "none" | "memory" | "file";
  /**
   * Where the conversations of runs are stored, so that a later run continues them (docs/sessions.md): "file" in the data
   * directory, "memory" until the kit is disposed, "none".
   *
   * @default "file" with a `dataDirectory`, else "none"
   */
  readonly sessions?: SessionStorage;
  /** Services that tools request by token, as `context.service(token)`. */
  readonly services?: Services;
  /**
   * Search services of the program for WebSearch, tried before the known ones. The setting `webSearch` chooses among
   * both by id.
   *
   * @default none
   */
  readonly searchServices?: readonly SearchService[];
  /** OpenTelemetry tracer: one span per call. */
  readonly tracer?: Tracer;
  /** Maximum characters of a result that the model sees. Default 50,000; a tool may set its own. */
  readonly maxChars?: number;
  /** Limits of the tools, where they differ from the defaults (docs/tools.md). */
  readonly limits?: LimitOptions;
  /** Which files searches include (docs/tools.md). */
  readonly search?: SearchOptions;
  /** Options for the results of Grep (docs/tools.md). */
  readonly grep?: GrepOptions;
  /**
   * Which commands may keep running in the background until the kit is disposed: "promote" all that exceed their
   * timeout, "on-request" only those that request it, "none". Default "promote".
   */
  readonly background?: BackgroundOption;
  /** Replace secrets in results. Default true. */
  readonly redactSecrets?: boolean;
}

/** Session, agent, services and signal of the call, as for `call`. */
export interface PreviewCallOptions extends Pick<
  CallOptions,
  "signal" | "sessionId" | "agentId" | "services"
> {
  /** The user has already approved this very call. Default false. */
  readonly approved?: boolean;
}

/** Restrictions of a derived kit; what is left out is as in the parent. */
export interface DeriveOptions {
  /** Host on which its tools act. Default: the parent's. */
  readonly host?: Host;
  /**
   * Directory the child works in instead of its parent's, canonical and absolute, such as another checkout. Rules for
   * paths of the workspace apply there; the parent's own directories are then outside, and its workspace is refused.
   */
  readonly workspace?: string;
  /** Mode to start in. Default: the parent's. */
  readonly mode?: Mode;
  /** Names of the parent's tools that the child may use. */
  readonly tools?: readonly string[];
  /**
   * Upper limit on what the child may do, as rules like `["Read", "Bash(npm test)"]`; its parent's limits apply as
   * well. They allow nothing by themselves.
   */
  readonly ceiling?: readonly string[];
  /**
   * Name of the ceiling in refusals, such as "the skill review".
   *
   * @default "the ceiling of this toolkit"
   */
  readonly ceilingName?: string;
}

/** Returns the mode, or throws a TypeError that lists the valid ones. */
export function checkMode(mode: Mode): Mode {
  return checkedArgument("mode", mode, aMode);
}

const aMode = oneOf(modes);

/** Throws if a settings file forbids the mode that never asks. */
export function refuseDisabledBypass(mode: Mode, isDisabled: boolean): void {
  if (mode !== "bypassPermissions" || !isDisabled) return;
  throw new ToolError("PERMISSION_DENIED", "The settings disable the mode bypassPermissions.", {
    hint: "Use another mode, or remove disableBypassPermissionsMode from the settings.",
  });
}

/** A rule to save or remove. */
export interface RuleChange {
  /** Exact text in the file; several rules are separated by newlines. */
  readonly rule: string;
  /** List of the rule. Default "allow". */
  readonly list?: RuleList;
  /** Settings file that stores it. */
  readonly scope: Exclude<SaveScope, "session">;
}

/** A rule to save, with examples that it must and must not match. */
export interface RuleAddition extends RuleChange {
  /** Commands, paths, hosts or names the rule must match, or must not; checked before it is saved. */
  readonly match?: readonly string[];
  /** Calls that the rule must not match. */
  readonly notMatch?: readonly string[];
}

/** Part of a task's output to read. */
export interface ReadTaskOptions {
  /** Byte of the output to start at. Default 0, the first. */
  readonly from?: number;
  /** Maximum bytes to read. Default 262,144. */
  readonly maxBytes?: number;
}

/** Session, limits and callbacks of a delegated task. */
export interface DelegateOptions extends DelegateLimits, DelegateCallbacks {
  /** Session of the agent. Default: a new one. */
  readonly sessionId?: string;
  /** Ends the task. */
  readonly signal?: AbortSignal;
}

/** Options for a program of the user in the sandbox. */
export interface RunConfinedOptions {
  /** Called with output of the program as it arrives. */
  readonly onOutput?: (bytes: Uint8Array, stream: "stdout" | "stderr") => void;
  /** Ends the program. */
  readonly signal?: AbortSignal;
}
