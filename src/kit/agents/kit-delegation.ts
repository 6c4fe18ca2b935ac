import { runDelegation } from "../../agent/index.ts";
import { ToolError, type Agents, type DelegateLimits, type Delegation } from "../../core/index.ts";
import type { PathDifference } from "../../journal/index.ts";
import type { ToolAgentSettings } from "../../workspace/index.ts";
import type { KitParts } from "../kit-parts.ts";

type DelegationParts = Pick<KitParts, "place" | "shared" | "host">;

/** Part of a kit that tells what a call has changed. */
interface ChangedFiles {
  readonly workspace: { readonly path: string };
  diff(callId: string): Promise<readonly PathDifference[]>;
}

/** Delegated tasks of a kit, within the limits of its settings. */
export function kitDelegation(
  kit: ChangedFiles,
  agents: Agents,
  { place, shared, host }: DelegationParts,
): Delegation {
  const limits = limitsOf(place.settings.toolAgentSettings);
  return {
    delegate: async (request, caller, options = {}) =>
      await runDelegation(request, caller, {
        agents,
        workspace: kit.workspace.path,
        onAsk: shared.onAsk,
        now: () => host.clock.now(),
        changedBy: async (callId) => await changedPaths(kit, callId),
        options: {
          ...options,
          model: options.model ?? limits.model,
          maxToolCalls: options.maxToolCalls ?? limits.maxToolCalls,
          timeoutMs: options.timeoutMs ?? limits.timeoutMs,
          autoConfirmDangerous: options.autoConfirmDangerous ?? limits.autoConfirmDangerous,
        },
      }),
  };
}

function limitsOf(settings: ToolAgentSettings): DelegateLimits {
  const { maxToolCalls, timeoutMs, autoConfirmDangerous, providerId, model } = settings;
  const name =
    model !== undefined && providerId !== undefined && !model.includes(":")
      ? `${providerId}:${model}`
      : model;
  return { maxToolCalls, timeoutMs, autoConfirmDangerous, model: name };
}

/** Paths that the journal recorded for a call; undefined where it has no entry. */
async function changedPaths(
  kit: ChangedFiles,
  callId: string,
): Promise<readonly string[] | undefined> {
  try {
    return (await kit.diff(callId)).map(({ path }) => path);
  } catch (error) {
    if (ToolError.is(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
