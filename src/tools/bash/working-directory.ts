import { isWithin } from "../../text/index.ts";
import {
  ToolError,
  workingDirectory,
  type DirectoryChannel,
  type EffectContext,
  type ToolContext,
} from "../../core/index.ts";
import { displayPath } from "../files/paths/display-path.ts";
import { optionalService } from "../files/optional-service.ts";
import type { Start, Understanding } from "./analyze-command.ts";

/** The words a shell changes its folder with. */
const changing = /\b(?:cd|pushd|popd)\b/u;

/**
 * Where a command starts that names no folder: where the last one of this session ended. Looked at each time: what
 * is no longer that folder, or has come to lie outside, is forgotten.
 */
export async function startDirectory(context: EffectContext): Promise<string> {
  const { cwd, agentId } = context;
  const service = optionalService(context, workingDirectory);
  const kept = service?.current(agentId);
  if (service === undefined || kept === undefined) return cwd;
  if ((await isStill(kept, context)) && (await isFolder(kept, context))) return kept;
  service.reset(agentId);
  return cwd;
}

/** Whether a folder is still the one that was judged: no link has come on the way, and it is inside. */
export async function isStill(
  folder: string,
  { cwd, workspace, host, signal }: EffectContext,
): Promise<boolean> {
  if (folder === cwd) return true;
  return isWithin(workspace, folder) && (await host.fs.canonical(folder, { signal })) === folder;
}

async function isFolder(path: string, { host, signal }: EffectContext): Promise<boolean> {
  try {
    return (await host.fs.stat(path, { signal })).kind === "directory";
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}

/** A start that also leaves, outside the command's output, in which folder its shell ended. */
export interface TracedStart {
  readonly start: Start;
  readonly channel: DirectoryChannel | undefined;
}

/**
 * Has the shell leave its folder when it ends, for commands that may change it. The line stands before the command's
 * own text, so nothing in that can be read in another way than it was judged. A command that has a meaning of its own
 * for the word the line is made of is left alone: it would run once more, in a folder it was not judged for.
 */
export async function traced(
  { start, analysis }: Pick<Understanding, "start" | "analysis">,
  command: string,
  context: ToolContext,
): Promise<TracedStart> {
  const service = optionalService(context, workingDirectory);
  const isShell = start.argv.at(-1) === command && context.host.info.os !== "windows";
  const isRedefined = analysis.defines.includes("command");
  if (service === undefined || !isShell || isRedefined || !changing.test(command)) {
    return { start, channel: undefined };
  }
  const channel = await service.openChannel();
  const trap = `trap 'command pwd -P 2>/dev/null >|${quoted(channel.path)}' EXIT`;
  return {
    start: { ...start, argv: [...start.argv.slice(0, -1), `${trap}\n${command}`] },
    channel,
  };
}

/** Keeps the folder a command ended in; says so in a sentence where the next one starts elsewhere than this one. */
export async function keepDirectory(
  channel: DirectoryChannel | undefined,
  startedIn: string,
  context: ToolContext,
): Promise<{ readonly cwd: string; readonly note: string | undefined }> {
  const left = await channel?.take();
  if (left === undefined || left === startedIn) return { cwd: startedIn, note: undefined };
  const service = context.service(workingDirectory);
  const kept = await service.keep(context.agentId, left);
  if (kept === undefined) {
    const note = `The command ended in ${left}, outside the workspace; the next one starts in ${nameOf(startedIn, context)} again.`;
    return { cwd: startedIn, note };
  }
  if (kept === startedIn) return { cwd: startedIn, note: undefined };
  return { cwd: kept, note: `The next command starts in ${nameOf(kept, context)}.` };
}

function nameOf(folder: string, { workspace }: ToolContext): string {
  return folder === workspace ? "the workspace" : displayPath(folder, workspace);
}

/** For inside the single quotes of the trap: a path there has double ones. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["$`\\]/gu, "\\$&").replaceAll("'", "'\\''")}"`;
}
