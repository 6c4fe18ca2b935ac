import { isAbsolutePath, isRecord, joinPath } from "../../text/index.ts";
import type { HookEventName } from "./hook-events.ts";

/** Facts about an event that every hook gets. */
export interface HookFacts {
  readonly event: HookEventName;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly agentType?: string | undefined;
  readonly workspace: string;
  readonly mode?: string | undefined;
}

/** JSON of an event in the reference format. */
export function hookInput(
  { event, sessionId, agentId, agentType, workspace, mode }: HookFacts,
  more: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    session_id: sessionId ?? "",
    // Conversations are stored in a database; haft sessions export prints one.
    transcript_path: "",
    cwd: workspace,
    ...(mode === undefined ? {} : { permission_mode: mode }),
    hook_event_name: event,
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(agentType === undefined ? {} : { agent_type: agentType }),
    ...more,
  };
}

/** Variables that hooks get in addition to those of every command. */
export function hookVariables(workspace: string): Readonly<Record<string, string>> {
  return { CLAUDE_PROJECT_DIR: workspace, HAFT_PROJECT_DIR: workspace };
}

const pathKeys = ["file_path", "path", "notebook_path"] as const;

/** Input of a call with absolute paths, so that a hook cannot be passed by with another spelling. */
export function absoluteInput(input: unknown, cwd: string): unknown {
  if (!isRecord(input)) return input;
  const changed: Record<string, unknown> = { ...input };
  for (const key of pathKeys) {
    const path = input[key];
    if (typeof path === "string" && path !== "" && !isAbsolutePath(path)) {
      changed[key] = joinPath(cwd, path);
    }
  }
  return changed;
}
