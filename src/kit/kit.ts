import type {
  Call,
  CallAllOptions,
  CallOptions,
  DefinitionByFormat,
  DefinitionFormat,
  DefinitionOptions,
  Definitions,
  Explanation,
  Mode,
  ModelDefinitionOptions,
  ModelSettings,
  Outcome,
  Reconciliation,
  RunWork,
  Toolkit,
  ToolListing,
  DoctorReport,
} from "../core/index.ts";
import type { PathDifference, UndoOptions, UndoTarget } from "../journal/index.ts";
import type { HistoryEntry, UndoReport } from "../pipeline/index.ts";
import type { Registry } from "../registry/index.ts";
import type { DelegateTask, KitAgents } from "./agents/bound-agents.ts";
import type { CallPreview } from "./call-engine.ts";
import type { KitCommands } from "./commands/kit-commands.ts";
import type { ConfinedRun } from "./confinement/run-confined.ts";
import type { KitCreatedTools } from "./created/lazy-created.ts";
import type { KitEvents, KitStorage, KitWorkspace } from "./groups/workspace-groups.ts";
import type { KitDeferral } from "./groups/kit-deferral.ts";
import type { KitHookList } from "./hooks/hook-list.ts";
import type { KitInstructions } from "./instructions/kit-instructions.ts";
import type { KitMcp } from "./mcp/kit-mcp.ts";
import type { McpProvider, OpenMcpTransport } from "./mcp/register-servers.ts";
import type { DeriveOptions, PreviewCallOptions, RunConfinedOptions } from "./options/options.ts";
import type { KitPlugins } from "./plugins/kit-plugins.ts";
import type { Permissions } from "./rules/permissions.ts";
import type { AgentRun } from "./runs/agent-run.ts";
import type { KitRunOptions } from "./runs/run-options.ts";
import type { KitSessions } from "./sessions/kit-sessions.ts";
import type { KitSettings } from "./settings/kit-settings.ts";
import type { KitSkillHubs } from "./skills/skill-hubs.ts";
import type { KitSkillList } from "./skills/skill-list.ts";
import type { KitTasks } from "./tasks.ts";

/** Runs tool calls with one set of tools, rules and a host. Created by `createToolkit`. */
export interface Kit extends Toolkit {
  /**
   * Runs one call through every step. Never rejects because of what the call does; rejects with a TypeError if the kit
   * is disposed.
   *
   * @group Calls
   */
  call(call: Call, options?: CallOptions): Promise<Outcome>;
  /**
   * Runs the calls of one turn: conflicting ones in order, the rest together. Outcomes come in call order.
   *
   * @group Calls
   */
  callAll(calls: readonly Call[], options?: CallAllOptions): Promise<readonly Outcome[]>;
  /**
   * Lists what a call would touch and what the rules decide about it. Runs nothing and asks no one.
   *
   * @group Calls
   */
  explain(call: Call): Promise<Explanation>;
  /**
   * Predicts what a call would change, exactly where that can be known, and what it would return. Nothing outside the
   * preview changes. A denied call is not previewed; a program that needs approval is run only if `approved` is true.
   *
   * @group Calls
   */
  preview(call: Call, options?: PreviewCallOptions): Promise<CallPreview>;
  /**
   * Finds out whether a call that was interrupted took effect, so that it is not repeated by mistake. Runs nothing and
   * asks no one; `repeatable` for a call that changes nothing.
   *
   * @group Calls
   */
  reconcile(call: Call, options?: CallOptions): Promise<Reconciliation>;

  /**
   * Lists the calls that changed files, or that their tools can undo, newest first.
   *
   * @group History
   */
  history(): Promise<readonly HistoryEntry[]>;
  /**
   * Lists what one call changed, path by path. Rejects with NOT_FOUND if it is not in the history.
   *
   * @group History
   */
  diff(callId: string): Promise<readonly PathDifference[]>;
  /**
   * Undoes the changes of calls; default: the latest. Refuses, per path, what has changed since the call. A call whose
   * tool defines its own undo is undone by that, under the rules that apply to the call now.
   *
   * @group History
   */
  undo(target?: UndoTarget, options?: UndoOptions): Promise<UndoReport>;
  /**
   * Redoes the last undo. Rejects with NOT_FOUND if a call has changed something since.
   *
   * @group History
   */
  redo(options?: Pick<UndoOptions, "force">): Promise<UndoReport>;

  /**
   * Current rules, with methods to add rules and to remove those stored in files.
   *
   * @group Permissions
   */
  readonly permissions: Permissions;
  /**
   * Current mode.
   *
   * @group Permissions
   */
  readonly mode: Mode;
  /**
   * Sets the mode from the next call on. Derived kits keep their own mode. Throws PERMISSION_DENIED if the settings
   * disable the mode.
   *
   * @group Permissions
   */
  setMode(mode: Mode): void;

  /**
   * Tools of the kit; tools can be added and removed.
   *
   * @group Tools
   */
  readonly registry: Registry;
  /**
   * Returns the tools that a model sees now, in a provider's format: all of them, or the core tools and those that the
   * session has found or called where there are many. `names` and `all` also return deferred ones.
   *
   * @group Tools
   */
  definitions<F extends DefinitionFormat>(
    format: F,
    options?: ModelDefinitionOptions,
  ): Promise<Definitions<DefinitionByFormat[F]>>;
  /**
   * Tools that are offered now, sorted by name. Loads no tool.
   *
   * @group Tools
   */
  listings(options?: DefinitionOptions): readonly ToolListing[];
  /**
   * Tools that a model sees where many are offered, and ways to find and show others.
   *
   * @group Tools
   */
  readonly deferral: KitDeferral;
  /**
   * MCP servers of the settings: their state, their tools, and a check of one.
   *
   * @group Tools
   */
  readonly mcp: KitMcp;
  /**
   * Registers an MCP server that the program builds in, for this toolkit and those agents that it accepts. Rejects with
   * a TypeError if a server has its name, or on a derived toolkit.
   *
   * @group Tools
   */
  registerMcpProvider(provider: McpProvider): Promise<void>;
  /**
   * Registers a transport for MCP servers of the settings whose `type` is this kind. Rejects with a TypeError on a
   * derived toolkit.
   *
   * @group Tools
   */
  registerMcpTransport(kind: string, open: OpenMcpTransport): Promise<void>;
  /**
   * Tools that models or users wrote and that are stored in the workspace: their list, a check of one, a new one.
   *
   * @group Tools
   */
  readonly createdTools: KitCreatedTools;

  /**
   * Starts an agent with these tools on a task. Where sessions are stored, a run with the `sessionId` of a stored one
   * continues its conversation, also without a `task`; calls that were interrupted are settled first. Invalid options
   * throw a TypeError; every other failure, such as a model that cannot be opened, is in the result.
   *
   * @group Agents, tasks and sessions
   */
  run(options: KitRunOptions): AgentRun;
  /**
   * Agents that agents of this kit, or the program, have started.
   *
   * @group Agents, tasks and sessions
   */
  readonly agents: KitAgents;
  /**
   * Gives a task to an agent with every tool and reports what it did. No rule is checked for starting it, because the
   * program asks for it; its calls are decided like all others. Rejects with a ToolError if it cannot start; a task that
   * fails is a result.
   *
   * @group Agents, tasks and sessions
   */
  readonly delegate: DelegateTask;
  /**
   * Background tasks, running and ended: of every session of the workspace, including those of earlier processes.
   *
   * @group Agents, tasks and sessions
   */
  readonly tasks: KitTasks;
  /**
   * Stored sessions of the data directory, running and ended, including those of earlier processes.
   *
   * @group Agents, tasks and sessions
   */
  readonly sessions: KitSessions;
  /**
   * Background work of runs, for tools that start some.
   *
   * @group Agents, tasks and sessions
   */
  readonly work: RunWork;

  /**
   * Directory that the tools work in: its path, its problems, and whether it is trusted.
   *
   * @group Workspace
   */
  readonly workspace: KitWorkspace;
  /**
   * Settings with their origins, as they were when the kit was opened.
   *
   * @group Workspace
   */
  readonly settings: KitSettings;
  /**
   * Models of the settings: default model, short names, sizes and prices. Empty unless settings are loaded.
   *
   * @group Workspace
   */
  readonly models: ModelSettings;
  /**
   * Instructions that runs get from AGENTS.md and CLAUDE.md; undefined where no files are read.
   *
   * @group Workspace
   */
  readonly instructions: KitInstructions | undefined;
  /**
   * Skills of the workspace and of the user: their list, their text, a check of one, and the hubs that have more.
   *
   * @group Workspace
   */
  readonly skills: KitSkillList & KitSkillHubs;
  /**
   * Slash commands of the project and the user.
   *
   * @group Workspace
   */
  readonly commands: KitCommands;
  /**
   * Hooks of the settings: their list, and a way to try them.
   *
   * @group Workspace
   */
  readonly hooks: KitHookList;
  /**
   * Plugins of the project and the user: their list, and ways to install and remove one.
   *
   * @group Workspace
   */
  readonly plugins: KitPlugins;

  /**
   * Events of the kit: listen to them, emit some, and the file that they are written to.
   *
   * @group Events
   */
  readonly events: KitEvents;
  /**
   * Current time of the host's clock, in milliseconds since the epoch.
   *
   * @group Events
   */
  now(): number;
  /**
   * Returns a new id with this prefix, unique within the kit.
   *
   * @group Events
   */
  newId(prefix: string): string;

  /**
   * Checks by trying what works on this system and what does not.
   *
   * @group System
   */
  doctor(): Promise<DoctorReport>;
  /**
   * Data that the kit stores: its directory, and a way to delete what is old.
   *
   * @group System
   */
  readonly storage: KitStorage;
  /**
   * Whether commands run so that all their changes can be previewed and undone. Probes on the first call.
   *
   * @group System
   */
  stagesCommands(): Promise<boolean>;
  /**
   * Runs a program of the user's in the sandbox that commands of this kit get; no rule is checked and nothing is
   * journaled. Rejects with UNAVAILABLE if no sandbox works here.
   *
   * @group System
   */
  runConfined(program: readonly string[], options?: RunConfinedOptions): Promise<ConfinedRun>;

  /**
   * Creates a toolkit that can do no more than this one, and less where the options say so. Dispose it separately;
   * disposing the parent also disposes it.
   *
   * @group Lifecycle
   */
  derive(options?: DeriveOptions): Kit;
  /**
   * Returns a toolkit with the tools, rules and mode of this one, for a program that may know one session only: of
   * stored outputs and conversations, its calls read those of the session and of sessions that these calls start. The
   * same toolkit for the same session, until it is disposed; disposing this one also disposes it.
   *
   * @group Lifecycle
   */
  forSession(sessionId: string): Kit;
  /**
   * Aborts running calls, waits for them, and leaves no process, file handle or timer behind. Safe to call twice.
   *
   * @group Lifecycle
   */
  dispose(): Promise<void>;
  /**
   * Same as `dispose`, for `await using`.
   *
   * @group Lifecycle
   */
  [Symbol.asyncDispose](): Promise<void>;
}
