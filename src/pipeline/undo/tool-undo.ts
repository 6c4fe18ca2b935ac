import { narrowHost } from "../../grant/index.ts";
import { ToolError, type CallOptions, type ToolResult } from "../../core/index.ts";
import type { ToolUndoRecord } from "../../journal/index.ts";
import { judged, resolved } from "../step.ts";
import { approveChanges } from "../approval/approve-changes.ts";
import { confinedPrograms } from "../run/program-tracker.ts";
import { judge } from "../steps/decide.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { lookingContext } from "../preview/read-only-context.ts";
import { lookWithin } from "../preview/with-deadline.ts";
import { permit } from "../steps/permit.ts";
import { forecastCall } from "../run/run-call.ts";
import { takeResult } from "../outcome/validate-result.ts";

/**
 * Lets a tool undo its own call. The undo is judged as the call would be now, narrowed to the same grant, and requires
 * approval where the call would. Rejects with the failure.
 */
export async function compensateCall(
  { callId, tool: name, input, outcome, sessionId, agentId }: ToolUndoRecord,
  of: PipelineEnvironment,
  options: CallOptions,
): Promise<ToolResult> {
  const environment = asUsersOwn(of);
  const given = { ...options, sessionId, agentId };
  const state = await forecastCall({ id: callId, name, input }, environment, {
    options: given,
  });
  if (state.error !== undefined) throw state.error;
  const call = resolved(state);
  const { tool } = call;
  if (tool.undo === undefined) {
    throw new ToolError("UNAVAILABLE", `${tool.name} can no longer undo its calls.`, {
      hint: "Use the version of the tool that made the call.",
      retryable: false,
    });
  }
  judge(call, environment);
  const granted = judged(call);
  if ((await permit(granted, environment)) !== undefined) {
    throw new ToolError(
      "UNAVAILABLE",
      "The files that this undo would change changed while the user was asked.",
      {
        hint: "Undo it again.",
      },
    );
  }
  const { grant } = granted;
  const timeoutMs = tool.timeoutMs ?? 60_000;
  const ending = new AbortController();
  const signals = options.signal === undefined ? [] : [options.signal];
  const signal = AbortSignal.any([...signals, ending.signal]);
  let undeclared: ToolError | undefined;
  const programs = confinedPrograms(granted, environment, {
    grant,
    approve: async (staged, about) =>
      await approveChanges({ state: granted, environment }, staged, about),
  });
  const narrowed = narrowHost(environment.host, {
    grant,
    cwd: environment.cwd,
    signal,
    ...programs.narrowing,
    confineSearch: environment.confineSearch,
    onUndeclared: (error) => {
      undeclared ??= error;
    },
  });
  const context = { ...lookingContext(granted, environment, narrowed.host), signal };
  const late = (): ToolError =>
    new ToolError("TIMEOUT", `${tool.name} did not undo it within ${timeoutMs / 1000} s.`, {
      hint: "Check what it did before you try again.",
    });
  try {
    const undoing = Promise.resolve(tool.undo(state.input, outcome, context));
    const returned = await lookWithin(undoing, { state, environment, ms: timeoutMs, late });
    const result = takeResult(tool.name, returned);
    if (undeclared !== undefined) throw undeclared;
    const account = await programs.close();
    if (account?.failure !== undefined) throw account.failure;
    return result;
  } catch (cause) {
    throw undeclared ?? cause;
  } finally {
    await programs.close();
    narrowed.revoke();
    ending.abort(new ToolError("ABORTED", "The undo is over."));
  }
}

/**
 * An undo is an action of the user, not of a model, so the session's taint is no reason to refuse it or to ask about
 * it. Rules apply as for every call.
 */
function asUsersOwn(environment: PipelineEnvironment): PipelineEnvironment {
  const clean = {
    untrustedSeen: false,
    privateRead: false,
    mayBeUntrusted: false,
    mayBePrivate: false,
    secretsHidden: false,
  };
  return { ...environment, taint: () => clean };
}
