import {
  commandPreview,
  ToolError,
  type CommandPreview,
  type CommandPreviewed,
  type PreviewResult,
  type ServiceToken,
  type ToolContext,
} from "../../core/index.ts";
import { previewStaged, summaryOfChanges, textOfChanges } from "../../journal/index.ts";
import { protectedBy } from "../../policy/index.ts";
import type { Request } from "../call-state.ts";
import type { Foreseen } from "../step.ts";
import type { PipelineEnvironment, ProgramParts } from "../environment/environment.ts";

/** Dry runs of commands in the preview of one call, and their results. */
export interface CommandDryRun {
  /** Returns the context with the `commandPreview` service, where dry runs are allowed. */
  offeredBy(context: ToolContext): ToolContext;
  /** Returns the result of the last dry run; empty where there was none. */
  changes(): Promise<Partial<PreviewResult>>;
  drop(): Promise<void>;
}

/** Offers `commandPreview` to the preview of one call, and deletes what the dry runs store. */
export function commandTrial(
  state: Request & Pick<Foreseen, "effects" | "grant">,
  environment: PipelineEnvironment,
  { mayRun }: { readonly mayRun: boolean },
): CommandDryRun {
  const tried: CommandPreviewed[] = [];
  const ending = new AbortController();
  const own = ownTrial(state, environment);
  const trying = (run: CommandPreview): CommandPreview => {
    if (!mayRun && !isHarmless(state, environment)) throw needsApproval();
    return async (request) => {
      const signal = AbortSignal.any([request.signal, ending.signal]);
      const previewed = await run({ ...request, signal });
      // The preview is over; no caller needs the result.
      if (ending.signal.aborted) await previewed.drop();
      else tried.push(previewed);
      return previewed;
    };
  };
  return {
    offeredBy: (context) => ({
      ...context,
      service: <T>(token: ServiceToken<T>): T => {
        if (token.id === commandPreview.id && own !== undefined) {
          return as(token, trying(given(context) ?? own));
        }
        const service = context.service(token);
        return isCommandPreview(token, service) ? as(token, trying(service)) : service;
      },
    }),
    async changes() {
      const last = tried.at(-1);
      if (last === undefined) return {};
      const { refused, through } = last.staged;
      const shown = await stagedResult(last.staged, { environment, staged: environment.host.fs });
      return {
        ...shown,
        ...(refused.length === 0 ? {} : { refused }),
        ...(through.length === 0 ? {} : { passthrough: through }),
      };
    },
    async drop() {
      ending.abort(new ToolError("ABORTED", "The preview is over."));
      await Promise.all(tried.map(async (each) => await each.drop()));
    },
  };
}

/** The kit's own dry run for the commands of this call. */
function ownTrial(
  { grant, options: { agentId } }: Request & Pick<Foreseen, "grant">,
  { tryCommand }: ProgramParts,
): CommandPreview | undefined {
  if (tryCommand === undefined || grant === undefined) return undefined;
  return async (request) => await tryCommand(request, { grant, agentId });
}

/** The `commandPreview` service that was passed to the kit and replaces its own. */
function given(context: ToolContext): CommandPreview | undefined {
  try {
    return context.service(commandPreview);
  } catch (error) {
    if (ToolError.is(error) && error.code === "UNAVAILABLE") return undefined;
    throw error;
  }
}

/** Describes staged changes as the result of a preview. */
export async function stagedResult(
  changes: Parameters<typeof previewStaged>[0],
  {
    environment,
    staged,
  }: {
    readonly environment: PipelineEnvironment;
    readonly staged: Parameters<typeof previewStaged>[1]["staged"];
  },
): Promise<PreviewResult> {
  const { cwd, host } = environment;
  const { roots } = environment.boundary();
  const { changes: shown, moreChanges } = await previewStaged(changes, {
    before: host.fs,
    staged,
    cwd,
    decodeOlder: environment.decodeOlder,
    isProtected: (path) => protectedBy(path, roots) !== undefined,
  });
  const about = { cwd, more: moreChanges };
  const diff = textOfChanges(shown, about);
  return {
    summary: summaryOfChanges(shown, about),
    ...(diff === "" ? {} : { diff }),
    changes: shown,
    ...(moreChanges === 0 ? {} : { moreChanges }),
    basis: "run",
  };
}

/** Whether the call does nothing beyond its listed effects and reveals only files that are readable anyway. */
function isHarmless(
  { effects }: Pick<Foreseen, "effects">,
  environment: PipelineEnvironment,
): boolean {
  return effects.every((effect) => {
    switch (effect.kind) {
      case "read":
        return environment.isInside(effect);
      case "write":
        return true;
      case "execute":
        return effect.consequences === "listed";
      case "connect":
      case "delegate":
      case "interact":
      case "unknown":
        return false;
    }
  });
}

function needsApproval(): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    "It was not tried: even on an overlay the program would run, and that needs approval first.",
    { hint: "Approve the preview, or allow the command with a rule." },
  );
}

function isCommandPreview(
  token: ServiceToken<unknown>,
  service: unknown,
): service is CommandPreview {
  return token.id === commandPreview.id && typeof service === "function";
}

/** Asserts that a value provided as a service is one. */
function as<T>(token: ServiceToken<T>, service: unknown): T {
  if (isServiceOf(token, service)) return service;
  throw new TypeError(`${token.id} is a function.`);
}

function isServiceOf<T>(_token: ServiceToken<T>, service: unknown): service is T {
  return typeof service === "function";
}
