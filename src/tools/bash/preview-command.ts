import {
  commandPreview,
  ToolError,
  type CommandPreview,
  type CommandPreviewed,
  type PreviewResult,
  type ToolContext,
} from "../../core/index.ts";
import type { Start } from "./analyze-command.ts";

export interface TriedCommand {
  readonly start: Start;
  /** Canonical working directory. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly inBackground: boolean;
}

/** Runs a command whose changes are discarded; where that is impossible, returns the reason. */
export async function previewCommand(
  { start, cwd, timeoutMs, inBackground }: TriedCommand,
  context: ToolContext,
): Promise<PreviewResult> {
  if (inBackground) {
    return { summary: "It would go on in the background, so it was not tried.", basis: "declared" };
  }
  const run = runnerOf(context);
  if (typeof run === "string") return { summary: run, basis: "declared" };
  const { signal } = context;
  try {
    const { output } = await run({ ...start, cwd, timeoutMs, signal });
    return { summary: "", content: answerOf(output), basis: "run" };
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "UNAVAILABLE") throw error;
    return { summary: error.message, basis: "declared" };
  }
}

/** Service that runs the command, or the reason why none does. */
function runnerOf({ service }: ToolContext): CommandPreview | string {
  try {
    return service(commandPreview);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "UNAVAILABLE") throw error;
    return error.data?.["service"] === commandPreview.id
      ? "A command cannot be tried here without touching the files."
      : error.message;
  }
}

function answerOf({ stdout, stderr, exitCode }: CommandPreviewed["output"]): string {
  const parts = [
    stdout.trimEnd(),
    ...(stderr === "" ? [] : [`[stderr]\n${stderr.trimEnd()}`]),
    ...(exitCode === 0
      ? []
      : [exitCode === null ? "(Ended by a signal.)" : `(Exit code ${exitCode}.)`]),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "(No output.)" : parts.join("\n");
}
