import { narrowHost } from "../../grant/index.ts";
import {
  ToolError,
  type Effect,
  type PreviewChange,
  type PreviewResult,
  type WriteEffect,
} from "../../core/index.ts";
import { summaryOfChanges } from "../../journal/index.ts";
import type { Finished, Foreseen } from "../step.ts";
import type { CallPlace, PipelineEnvironment } from "../environment/environment.ts";
import { lookingContext } from "./read-only-context.ts";
import { lookWithin } from "./with-deadline.ts";
import { commandTrial } from "./preview-command.ts";
import { previewMs, runStaged } from "./run-staged.ts";

export interface PreviewOptions {
  /** This exact call was approved, so the programs it starts may run in the preview. */
  readonly approved: boolean;
  /** Maximum duration in milliseconds, if shorter than that of a run. */
  readonly withinMs?: number;
}

/**
 * Predicts the result of a call. Where possible the prediction is exact: the call runs with its changes kept apart. A
 * tool with its own `preview` runs that on a read-only host. Undefined where neither is possible.
 */
export async function previewCall(
  state: Foreseen,
  environment: PipelineEnvironment,
  { approved, withinMs = Number.POSITIVE_INFINITY }: PreviewOptions = { approved: false },
): Promise<PreviewResult | undefined> {
  const { tool } = state;
  const ms = Math.min(withinMs, previewMs(tool));
  const isLooking = tool.staged !== undefined && state.effects.every(looksOnly);
  const mayRun = approved || state.decision?.kind === "allow";
  if (isLooking && !mayRun) return undefined;
  if (isLooking || tool.staged === "files")
    return await runStaged(state, environment, { isLooking, ms });
  if (tool.preview === undefined) return undefined;
  const narrowed = narrowHost(environment.host, { grant: "read-only", cwd: environment.cwd });
  const trial = commandTrial(state, environment, { mayRun });
  const context = trial.offeredBy(lookingContext(state, environment, narrowed.host));
  try {
    const looking = tool.preview(state.input, context);
    const reported = await lookWithin(looking, { state, environment, ms, late });
    const tried = await trial.changes();
    if (reported.basis !== "declared") return { basis: "reported", ...reported, ...tried };
    // The reason why the call did not run has already been reported.
    const declared = declaredPreview(
      { effects: state.effects, tool, decision: undefined },
      environment,
    );
    return { ...declared, summary: `${reported.summary} ${declared.summary}` };
  } finally {
    narrowed.revoke();
    await trial.drop();
  }
}

/** Returns the preview of a call that cannot run dry: only its declared effects. */
export function declaredPreview(
  { effects, decision, tool }: Pick<Finished, "effects" | "decision" | "tool">,
  { cwd }: Pick<CallPlace, "cwd">,
): PreviewResult {
  const writes = effects.filter((effect): effect is WriteEffect => effect.kind === "write");
  const changes = writes.map(({ path, change }): PreviewChange => ({ path, change: made[change] }));
  const isOpen = effects.some(
    (effect) =>
      effect.kind === "unknown" ||
      effect.kind === "delegate" ||
      (effect.kind === "execute" && effect.consequences === "open"),
  );
  if (isOpen) {
    return {
      summary: `What ${tool?.name ?? "it"} would do can only be found out by running it.`,
      basis: "declared",
    };
  }
  const waits = decision?.kind === "ask" ? " It was not run, because that needs a yes first." : "";
  const summary =
    changes.length === 0
      ? `Would change no file.${waits}`
      : `As declared: ${summaryOfChanges(changes, { cwd })}`;
  return { summary, changes, basis: "declared" };
}

const made = {
  create: "created",
  modify: "modified",
  delete: "deleted",
  any: "unknown",
} as const satisfies Record<WriteEffect["change"], PreviewChange["change"]>;

/** Whether the effect changes nothing, so that running it needs no isolation. */
function looksOnly(effect: Effect): boolean {
  return effect.kind === "read" || (effect.kind === "execute" && effect.consequences === "listed");
}

function late(): ToolError {
  return new ToolError("TIMEOUT", "The preview was not there in time.", {
    hint: "Run the call, or ask for less in one.",
  });
}
