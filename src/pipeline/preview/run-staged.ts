import {
  contentText,
  ToolError,
  type PreviewResult,
  type Tool,
  type ToolResult,
} from "../../core/index.ts";
import { narrowHost } from "../../grant/index.ts";
import type { Foreseen } from "../step.ts";
import { confinedPrograms } from "../run/program-tracker.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { lookingContext } from "./read-only-context.ts";
import { lookWithin } from "./with-deadline.ts";
import { stagedResult } from "./preview-command.ts";
import { stagedServices } from "./isolated-services.ts";
import { takeResult } from "../outcome/validate-result.ts";

/** Time limit: that of a run of the tool. */
export function previewMs({ timeoutMs = 60_000 }: Tool): number {
  return timeoutMs;
}

/**
 * Runs the call with the tool's own code, narrowed to its grant, with its changes kept apart, so that the preview
 * cannot differ from the call. A call that only reads runs on the real files. Undefined where changes cannot be kept
 * apart.
 */
export async function runStaged(
  state: Foreseen,
  environment: PipelineEnvironment,
  { isLooking, ms }: { readonly isLooking: boolean; readonly ms: number },
): Promise<PreviewResult | undefined> {
  const { grant, options, tool } = state;
  if (grant === undefined) return undefined;
  const staged = isLooking ? undefined : await environment.stage?.();
  if (!isLooking && staged === undefined) return undefined;
  let undeclared: ToolError | undefined;
  const ending = new AbortController();
  const signal =
    options.signal === undefined ? ending.signal : AbortSignal.any([options.signal, ending.signal]);
  const programs = confinedPrograms(state, environment, {
    grant,
    approve: async () => ({ because: "it was only a preview", code: "APPROVAL_REQUIRED" }),
  });
  const narrowed = narrowHost(staged?.host ?? environment.host, {
    grant,
    cwd: environment.cwd,
    signal,
    ...programs.narrowing,
    confineSearch: environment.confineSearch,
    onUndeclared: (error) => {
      undeclared ??= error;
    },
  });
  const context = {
    ...lookingContext(state, environment, narrowed.host),
    signal,
    service: stagedServices(
      (token) => options.services?.get(token) ?? environment.services(options.sessionId).get(token),
    ),
  };
  try {
    const running = Promise.resolve(tool.run(state.input, context));
    const late = (): ToolError => tooLate(ms);
    const returned = await lookWithin(running, { state, environment, ms, late });
    if (undeclared !== undefined) throw undeclared;
    const answer = answerOf(takeResult(tool.name, returned));
    if (staged === undefined) {
      return {
        summary: "Would change nothing; this is what it answers.",
        content: answer,
        basis: "run",
      };
    }
    const changes = await staged.changes();
    return {
      ...(await stagedResult(changes, { environment, staged: staged.host.fs })),
      content: answer,
    };
  } catch (cause) {
    throw undeclared ?? cause;
  } finally {
    await programs.close();
    narrowed.revoke();
    ending.abort(new ToolError("ABORTED", "The preview is over."));
  }
}

function answerOf({ content }: ToolResult): string {
  return typeof content === "string" ? content : contentText(content);
}

function tooLate(ms: number): ToolError {
  return new ToolError("TIMEOUT", `The preview was not there within ${ms / 1000} s.`, {
    hint: "Ask for less in one call.",
  });
}
