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

/** Commands that change the directory of a shell. */
const changing = /\b(?:cd|pushd|popd)\b/u;

/**
 * Directory of a command that names none: the one in which the last command of this session ended. Checked on every
 * call: a directory that was replaced, or is now outside the workspace, is forgotten.
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

/** Whether a directory is still the judged one: no link has appeared in its path, and it is in the workspace. */
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

/** Start of a command whose shell also reports, outside the command's output, the directory in which it ended. */
export interface TracedStart {
  readonly start: Start;
  readonly channel: DirectoryChannel | undefined;
}

/**
 * Makes the shell report its directory when it ends, for commands that may change it. The added line precedes the
 * command's text, so the shell parses that text as it was judged. A command that redefines the name used in the added
 * line is not changed: its definition would run again, in a directory for which it was not judged.
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

/** Stores the directory in which a command ended; returns a sentence if the next command starts elsewhere. */
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

/** Quotes a path in double quotes, for use inside the single quotes of the trap. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["$`\\]/gu, "\\$&").replaceAll("'", "'\\''")}"`;
}
