import type { ExpandedCommand, Kit } from "../../index.ts";
import type { Model } from "../../entries/agent.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { inOptions, runReporter, type OutputFormat } from "./report-run.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

type RunResult = Awaited<ReturnType<Kit["run"]>["result"]>;

export interface AgentGiven {
  readonly kit: Kit;
  readonly signal: AbortSignal;
  readonly model: Model;
  /** Model for work in the background, such as summaries. */
  readonly backgroundModel?: Model | undefined;
  /** Missing for a session that continues where it was interrupted. */
  readonly task?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly terminal: Terminal;
  readonly format: OutputFormat;
  /** Print the answer only. */
  readonly isQuiet?: boolean;
  readonly system?: string | undefined;
  /** Command that is its task; its `allowedTools` are the ceiling of the run. */
  readonly command?: Pick<ExpandedCommand, "name" | "allowedTools"> | undefined;
  readonly limits?: Parameters<Kit["run"]>[0]["limits"];
  /** Whether the run waits for its commands in the background. Default: true. */
  readonly isWaiting?: boolean;
  /** Called with the run as soon as it is started. */
  readonly onRun?: (run: ReturnType<Kit["run"]>) => void;
}

/** Runs the agent and prints what happens as it happens. */
export async function runAgent(given: AgentGiven): Promise<ExitCode> {
  const { command, ...rest } = given;
  if (command?.allowedTools === undefined) return await runHere(rest);
  const kit = below(given.kit, command.allowedTools, command.name);
  try {
    return await runHere({ ...rest, kit });
  } finally {
    await kit.dispose();
  }
}

/** A kit that can do no more than the command allows. */
function below(kit: Kit, ceiling: readonly string[], command: string): Kit {
  try {
    return kit.derive({ ceiling, ceilingName: `/${command} (allowed-tools)` });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

async function runHere(given: AgentGiven): Promise<ExitCode> {
  const { kit, signal, model, backgroundModel, task, sessionId, terminal } = given;
  const { format, system, limits } = given;
  const run = started(kit, {
    model,
    signal,
    ...(backgroundModel === undefined ? {} : { backgroundModel }),
    ...(task === undefined ? {} : { task }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(limits === undefined ? {} : { limits }),
    ...(system === undefined ? {} : { system }),
    ...(given.isWaiting === undefined ? {} : { waitForBackground: given.isWaiting }),
  });
  given.onRun?.(run);
  const reporter = runReporter({ terminal, format, isQuiet: given.isQuiet === true });
  for await (const event of run.events) reporter.event(event);
  const result = await run.result;
  reporter.end({ sessionId: run.sessionId, runId: run.id, result });
  return exitCodeFor(result);
}

/** Options that fit no run, such as a limit on money for a model without prices, came from the command line. */
function started(kit: Kit, options: Parameters<Kit["run"]>[0]): ReturnType<Kit["run"]> {
  try {
    return kit.run(options);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(inOptions(error.message));
    throw error;
  }
}

/** Exit code of the command for a run. */
export function exitCodeFor({ status, denials }: RunResult): ExitCode {
  switch (status) {
    case "aborted":
      return exitCodes.interrupted;
    case "deadline":
      return exitCodes.timedOut;
    case "done": {
      if (denials.length === 0) return exitCodes.ok;
      const isNobodyThere = denials.some(({ code }) => code === "APPROVAL_REQUIRED");
      return isNobodyThere ? exitCodes.approvalNeeded : exitCodes.denied;
    }
    case "failed":
    case "looping":
    case "max-turns":
    case "max-calls":
    case "max-tokens":
    case "max-cost":
    case "max-agents":
      return exitCodes.failed;
  }
}
