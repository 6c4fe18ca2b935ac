import { narrowHost } from "../../grant/index.ts";
import {
  ToolError,
  type Effect,
  type PreviewChange,
  type PreviewResult,
  type WriteEffect,
} from "../../core/index.ts";
import { summaryOfChanges } from "../../journal/index.ts";
import { toolOf, type CallState } from "../call-state.ts";
import type { PipelineEnvironment } from "../environment.ts";
import { lookingContext } from "./read-only-context.ts";
import { lookWithin } from "./with-deadline.ts";
import { commandTrial } from "./preview-command.ts";
import { previewMs, runStaged } from "./run-staged.ts";

export interface PreviewOptions {
  /** Somebody has said yes to this very call, so that programs it starts may be tried. */
  readonly approved: boolean;
  /** How long it may take, where that is less than a run may. */
  readonly withinMs?: number;
}

/**
 * What the call would do, exactly where that can be known: the call itself runs, with its changes kept apart. A tool
 * that says for itself what it would do is asked on a host that only reads. Undefined where neither is to be had.
 */
export async function previewCall(
  state: CallState,
  environment: PipelineEnvironment,
  { approved, withinMs = Number.POSITIVE_INFINITY }: PreviewOptions = { approved: false },
): Promise<PreviewResult | undefined> {
  const tool = toolOf(state);
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
    const told = await lookWithin(looking, { state, environment, ms, late });
    const tried = await trial.changes();
    if (told.basis !== "declared") return { basis: "told", ...told, ...tried };
    // Why it was not run has been told.
    const declared = declaredPreview(
      { effects: state.effects, tool, decision: undefined },
      environment,
    );
    return { ...declared, summary: `${told.summary} ${declared.summary}` };
  } finally {
    narrowed.revoke();
    await trial.drop();
  }
}

/** The preview of a call that nothing can be tried of: only what it says it would touch. */
export function declaredPreview(
  { effects, decision, tool }: Pick<CallState, "effects" | "decision" | "tool">,
  { cwd }: Pick<PipelineEnvironment, "cwd">,
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
      : `By its own words: ${summaryOfChanges(changes, { cwd })}`;
  return { summary, changes, basis: "declared" };
}

const made = {
  create: "created",
  modify: "modified",
  delete: "deleted",
  any: "unknown",
} as const satisfies Record<WriteEffect["change"], PreviewChange["change"]>;

/** Running it has no effect to hide. */
function looksOnly(effect: Effect): boolean {
  return effect.kind === "read" || (effect.kind === "execute" && effect.consequences === "listed");
}

function late(): ToolError {
  return new ToolError("TIMEOUT", "The preview was not there in time.", {
    hint: "Run the call, or ask for less in one.",
  });
}
