/** A point at which hooks run. */
export interface HookEvent {
  readonly name: HookEventName;
  /** Value that a matcher is compared with; undefined if the event has none and every hook runs. */
  readonly matches?: "tool" | "source" | "agent" | "trigger" | "kind";
  /** Effect of a block, in words; undefined if nothing can be blocked at this point. */
  readonly blocks?: string;
  /** Default effect of a failing hook. */
  readonly onFailure: "block" | "allow";
  /** Plain text on standard output is context for the model. */
  readonly takesText?: true;
  /** Keys of `hookSpecificOutput` in addition to `hookEventName`. */
  readonly answers: readonly string[];
  /** Default timeout in milliseconds, where it differs from that of the handler. */
  readonly timeoutMs?: number;
}

/** Every event at which haft runs hooks, in the order in which they occur. */
export const hookEvents = [
  {
    name: "SessionStart",
    matches: "source",
    onFailure: "allow",
    takesText: true,
    answers: ["additionalContext"],
  },
  {
    name: "UserPromptSubmit",
    blocks: "the task is not given to the model",
    onFailure: "block",
    takesText: true,
    answers: ["additionalContext"],
    timeoutMs: 30_000,
  },
  {
    name: "SubagentStart",
    matches: "agent",
    onFailure: "allow",
    takesText: true,
    answers: ["additionalContext"],
  },
  {
    name: "PreToolUse",
    matches: "tool",
    blocks: "the call does not run",
    onFailure: "block",
    answers: [
      "permissionDecision",
      "permissionDecisionReason",
      "updatedInput",
      "additionalContext",
    ],
  },
  {
    name: "PermissionRequest",
    matches: "tool",
    blocks: "the question is answered with no",
    onFailure: "block",
    answers: ["decision"],
  },
  { name: "PermissionDenied", matches: "tool", onFailure: "allow", answers: [] },
  {
    name: "PostToolUse",
    matches: "tool",
    blocks: "the reason is shown to the model",
    onFailure: "allow",
    answers: ["additionalContext", "updatedToolOutput"],
  },
  {
    name: "PostToolUseFailure",
    matches: "tool",
    blocks: "the reason is shown to the model",
    onFailure: "allow",
    answers: ["additionalContext"],
  },
  { name: "Notification", matches: "kind", onFailure: "allow", answers: [] },
  {
    name: "PreCompact",
    matches: "trigger",
    blocks: "the conversation is not shortened",
    onFailure: "allow",
    answers: [],
  },
  { name: "PostCompact", matches: "trigger", onFailure: "allow", answers: [] },
  {
    name: "SubagentStop",
    matches: "agent",
    blocks: "the agent continues with the reason",
    onFailure: "allow",
    answers: ["additionalContext"],
  },
  {
    name: "Stop",
    blocks: "the model continues with the reason",
    onFailure: "allow",
    answers: ["additionalContext"],
  },
  {
    name: "SessionEnd",
    matches: "source",
    onFailure: "allow",
    answers: [],
    timeoutMs: 1500,
  },
] as const satisfies readonly (Omit<HookEvent, "name"> & { readonly name: string })[];

export type HookEventName = (typeof hookEvents)[number]["name"];

/** Events of the reference format that do not occur here; hooks for them are reported and never run. */
export const missingEvents: ReadonlySet<string> = new Set([
  "PostToolBatch",
  "UserPromptExpansion",
  "Setup",
  "StopFailure",
  "PreModelSwitch",
  "PostModelSwitch",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "CwdChanged",
  "DirectoryAdded",
  "FileChanged",
  "InstructionsLoaded",
  "WorktreeCreate",
  "WorktreeRemove",
  "MessageDisplay",
]);

const byName: ReadonlyMap<string, HookEvent> = new Map(
  hookEvents.map((event: HookEvent) => [event.name, event]),
);

/** The event of this name; undefined if haft has none. */
export function hookEventNamed(name: string): HookEvent | undefined {
  return byName.get(name);
}

export function hookEvent(name: HookEventName): HookEvent {
  const event = byName.get(name);
  if (event === undefined) throw new TypeError(`There is no event ${name}.`);
  return event;
}
