import type { Kit, SessionInfo } from "../../index.ts";
import { UsageError } from "../usage-error.ts";

export interface SessionChoice {
  readonly continue?: boolean | undefined;
  readonly resume?: string | undefined;
  readonly fork?: string | undefined;
}

/** Session that a run continues, or a copy of which it continues. */
export interface ChosenSession {
  readonly info: SessionInfo;
  /** Model that answered last, also in the session that it was copied from. */
  readonly model: string | undefined;
  /** Whether the model can be asked at once: its conversation does not end with an answer. */
  readonly isOpen: boolean;
  readonly isForked: boolean;
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

/** Finds the session that the user named; undefined where a new one starts. */
export async function chosenSession(
  kit: Kit,
  choice: SessionChoice,
): Promise<ChosenSession | undefined> {
  const isForked = choice.fork !== undefined;
  const name = choice.continue === true ? "latest" : (choice.resume ?? choice.fork);
  if (name === undefined) return undefined;
  const info = await namedSession(kit, name);
  const model = await modelOf(kit, info);
  return { info, model, isOpen: await isOpenSession(kit, info), isForked };
}

/** Id of the session of the run. Copies the session now, so that a usage error before leaves no copy behind. */
export async function continuedId(
  kit: Kit,
  chosen: ChosenSession | undefined,
): Promise<string | undefined> {
  if (chosen?.isForked !== true) return chosen?.info.sessionId;
  return (await kit.sessions.fork(chosen.info.sessionId)).sessionId;
}

/** Session of this workspace that was used last; `latest` names it on the command line. */
export async function latestSession(kit: Kit): Promise<SessionInfo> {
  // A data directory may be shared by workspaces.
  const found = await kit.sessions.list();
  const latest = found.find(
    ({ workspace }) => (workspace ?? kit.workspace.path) === kit.workspace.path,
  );
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

/** A copy has no run of its own at first. A scripted model is named by its script, not by a file to open it from. */
async function modelOf(kit: Kit, { model, forkedFrom }: SessionInfo): Promise<string | undefined> {
  if (model !== undefined) return model.startsWith("script:") ? undefined : model;
  const source =
    forkedFrom === undefined ? undefined : await kit.sessions.get(forkedFrom.sessionId);
  return source === undefined ? undefined : await modelOf(kit, source);
}

async function isOpenSession(kit: Kit, { sessionId }: SessionInfo): Promise<boolean> {
  const last = (await kit.sessions.messages(sessionId)).at(-1);
  const isAnswered =
    last?.role === "assistant" && !last.content.some(({ type }) => type === "tool-call");
  return last !== undefined && !isAnswered;
}
