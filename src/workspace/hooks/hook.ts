import type { HookPlugin } from "../settings/loaded-settings.ts";
import type { HookEventName } from "./hook-events.ts";

/** Where a hook was written. */
export interface HookOrigin {
  /** `workspace`: a file that comes with the project, which needs trust; `skill` and `agent`: its fields. */
  readonly scope: "managed" | "option" | "user" | "workspace" | "skill" | "agent";
  readonly file?: string;
  readonly line?: number | undefined;
  /** Plugin that brings it. */
  readonly plugin?: HookPlugin;
}

export interface CommandHandler {
  readonly type: "command";
  readonly command: string;
  /** Arguments; if given, no shell reads `command`. */
  readonly args?: readonly string[];
  /** Nothing waits for it, and its answer does not count. */
  readonly async: boolean;
}

export interface HttpHandler {
  readonly type: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Variables of the environment that the headers may name. */
  readonly allowedEnvVars: readonly string[];
}

export interface PromptHandler {
  readonly type: "prompt";
  /** `$ARGUMENTS` is replaced by the JSON of the event. */
  readonly prompt: string;
  /** Model as `provider:model` or an alias; absent: the background model of the run. */
  readonly model?: string;
}

/** Asks an agent that can read the files of the workspace. */
export interface AgentHandler {
  readonly type: "agent";
  /** `$ARGUMENTS` is replaced by the JSON of the event. */
  readonly prompt: string;
  /** Model as `provider:model` or an alias; absent: the one that prompts are given to. */
  readonly model?: string;
}

/** Calls a tool of an MCP server. */
export interface McpToolHandler {
  readonly type: "mcp_tool";
  readonly server: string;
  readonly tool: string;
  /** `${tool_input.path}` in its texts is replaced by that field of the event. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A hook that was not understood; it counts as one that fails. */
export interface BrokenHandler {
  readonly type: "broken";
  readonly why: string;
}

export type HookHandler =
  | CommandHandler
  | HttpHandler
  | PromptHandler
  | AgentHandler
  | McpToolHandler
  | BrokenHandler;

/** One handler for one event, as read from a file. */
export interface Hook {
  readonly event: HookEventName;
  /** Text of the matcher; "" matches everything. */
  readonly matcher: string;
  /** Whether one of the names of the event's subject matches. */
  readonly matches: (names: readonly string[]) => boolean;
  /** Permission rule that the call must match as well. */
  readonly condition?: string;
  readonly handler: HookHandler;
  readonly timeoutMs: number;
  /** Effect of a failure of the hook: a crash, a timeout, an answer that cannot be read. */
  readonly onFailure: "block" | "allow";
  /** Text shown while it runs. */
  readonly statusMessage?: string;
  /** It runs once for each time that its skill is used. */
  readonly once: boolean;
  readonly origin: HookOrigin;
  /** Reason for which it does not run, and a call that it matches is asked about instead: its trust has ended. */
  readonly asksBecause?: string;
  /** Events for which a hook of a skill or an agent is active; absent: all. */
  readonly appliesTo?: (source: HookCaller) => boolean;
  /** Variables of its own, in addition to those that every hook gets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Session, run and agent that an event belongs to. */
export interface HookCaller {
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly agentId?: string | undefined;
}

/** Hook in a few words, for users: its event, matcher, command and place. */
export function hookName(
  { event, matcher, handler, origin }: Hook,
  { separator = " " }: { readonly separator?: " " | ": " } = {},
): string {
  const on = matcher === "" ? event : `${event}(${matcher})`;
  const place =
    origin.file === undefined
      ? ""
      : ` in ${origin.file}${origin.line === undefined ? "" : `:${origin.line}`}`;
  return `${on}${separator}${handlerText(handler)}${place}`;
}

const maxShown = 120;

/** Handler in one line, for users. */
export function handlerText(handler: HookHandler): string {
  const text = fullText(handler).replaceAll(/\s+/gu, " ");
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text;
}

function fullText(handler: HookHandler): string {
  switch (handler.type) {
    case "command":
      return [handler.command, ...(handler.args ?? [])].join(" ");
    case "http":
      return handler.url;
    case "prompt":
      return `prompt: ${handler.prompt}`;
    case "agent":
      return `agent: ${handler.prompt}`;
    case "mcp_tool":
      return `${handler.server} ${handler.tool}`;
    case "broken":
      return "(not understood)";
  }
}
