import type { Kit, SessionInfo } from "../../index.ts";
import { UsageError } from "../usage-error.ts";

export interface SessionChoice {
  readonly continue?: boolean | undefined;
  readonly resume?: string | undefined;
  readonly fork?: string | undefined;
}

/** Session that a run continues. */
export interface ChosenSession {
  readonly info: SessionInfo;
  /** Whether the model can be asked at once: its conversation does not end with an answer. */
  readonly isOpen: boolean;
}

/** Rejects options that name two sessions. */
export function checkSessionChoice(choice: SessionChoice): void {
  const given = [
    ...(choice.continue === true ? ["--continue"] : []),
    ...(choice.resume === undefined ? [] : ["--resume"]),
    ...(choice.fork === undefined ? [] : ["--fork"]),
  ];
  if (given.length < 2) return;
  throw new UsageError(
    `${given.join(" and ")} both name a session.`,
    "Use one of --continue, --resume ID and --fork ID.",
  );
}

/** Finds the session that the user named, or copies it; undefined where a new one starts. */
export async function chosenSession(
  kit: Kit,
  choice: SessionChoice,
): Promise<ChosenSession | undefined> {
  if (choice.continue === true) return await withState(kit, await latestSession(kit));
  if (choice.resume !== undefined)
    return await withState(kit, await namedSession(kit, choice.resume));
  if (choice.fork === undefined) return undefined;
  const { sessionId } = await namedSession(kit, choice.fork);
  return await withState(kit, await kit.sessions.fork(sessionId));
}

/** Session of this workspace that was used last; `latest` names it on the command line. */
export async function latestSession(kit: Kit): Promise<SessionInfo> {
  // A data directory may be shared by workspaces.
  const found = await kit.sessions.list();
  const latest = found.find(({ workspace }) => (workspace ?? kit.workspace) === kit.workspace);
  if (latest !== undefined) return latest;
  throw new UsageError(
    "No session is stored for this workspace.",
    'Start one with haft run --model MODEL "task".',
  );
}

export async function namedSession(kit: Kit, name: string): Promise<SessionInfo> {
  if (name === "latest") return await latestSession(kit);
  const info = name === "" ? undefined : await kit.sessions.get(name);
  if (info !== undefined) return info;
  throw new UsageError(
    `There is no session ${name === "" ? '""' : name}.`,
    "List the sessions with haft sessions list.",
  );
}

async function withState(kit: Kit, info: SessionInfo): Promise<ChosenSession> {
  const last = (await kit.sessions.messages(info.sessionId)).at(-1);
  const isAnswered =
    last?.role === "assistant" && !last.content.some(({ type }) => type === "tool-call");
  return { info, isOpen: last !== undefined && !isAnswered };
}
