import type { HaftEvent, Kit } from "../../index.ts";
import { counted, moneyOf } from "../print/describe-session.ts";
import { runPrinter } from "../print/print-run.ts";
import type { Terminal } from "../terminal.ts";

export const outputFormats = ["text", "json", "stream-json"] as const;

/** `json`: one document at the end; `stream-json`: a line for each event, the result last. */
export type OutputFormat = (typeof outputFormats)[number];

type RunResult = Awaited<ReturnType<Kit["run"]>["result"]>;
type ErrorInfo = NonNullable<RunResult["error"]>;

export interface ReporterOptions {
  readonly terminal: Terminal;
  readonly format: OutputFormat;
  /** Print the answer only; refusals and errors are still printed. */
  readonly isQuiet: boolean;
}

export interface EndedRun {
  readonly sessionId: string;
  readonly runId: string;
  readonly result: RunResult;
}

export interface RunReporter {
  event(event: HaftEvent): void;
  end(run: EndedRun): void;
}

export function runReporter({ terminal, format, isQuiet }: ReporterOptions): RunReporter {
  switch (format) {
    case "json":
      return {
        event: () => undefined,
        end: (run) => terminal.out(`${JSON.stringify(summaryOf(run), null, 2)}\n`),
      };
    case "stream-json":
      return {
        event: (event) => terminal.out(`${JSON.stringify(withQuestionId(event))}\n`),
        end: (run) => terminal.out(`${JSON.stringify({ type: "result", ...summaryOf(run) })}\n`),
      };
    case "text":
      return textReporter(terminal, isQuiet);
  }
}

/** An answer names the question by this id. */
function withQuestionId(event: HaftEvent): object {
  return event.type === "permission-ask" ? { id: event.callId, ...event } : event;
}

function textReporter(terminal: Terminal, isQuiet: boolean): RunReporter {
  const printer = runPrinter(terminal);
  return {
    event(event) {
      // A provider that is asked again is the reason for a pause, which a quiet run must explain too.
      if (!isQuiet || event.type === "model-retry") printer.print(event);
    },
    end({ sessionId, result }) {
      // The last text was streamed; a user who sees both streams need not read it twice.
      const isSaid = terminal.isOutputRead && printer.lastText().trim() === result.text.trim();
      if (!isSaid || isQuiet) terminal.out(`${result.text}\n`);
      for (const { tool, message, agentId } of result.denials) {
        const source = agentId === undefined ? "" : ` by ${agentId}`;
        terminal.err(`refused: ${tool}${source}: ${message}\n`);
      }
      if (!isQuiet) terminal.err(`${terminal.style("dim", factsOf(result, sessionId))}\n`);
      if (result.error === undefined) return;
      const { code, message, hint } = inCommandLine(result.error);
      terminal.err(`${code}: ${message}\n${hint === undefined ? "" : `${hint}\n`}`);
    },
  };
}

/** Tokens, money, turns and calls of a run, and its session. */
function factsOf(result: RunResult, sessionId: string): string {
  const { usage, turns, calls } = result;
  const cached =
    usage.cacheRead === undefined || usage.cacheRead === 0
      ? ""
      : ` (${usage.cacheRead} from the cache)`;
  const facts = [
    `${usage.input} tokens in${cached}`,
    `${usage.output} out`,
    ...moneyOf(result),
    counted(turns, "turn"),
    counted(calls, "call"),
  ];
  return `${facts.join(", ")}; session ${sessionId}`;
}

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** The result for programs; the conversation itself is in the session. */
function summaryOf({ sessionId, runId, result }: EndedRun): object {
  const { status, text, output, usage, tokensSaved, costUsd, turns, calls, denials, error } =
    result;
  return {
    sessionId,
    runId,
    status,
    text,
    ...(output === undefined ? {} : { output }),
    // A program finds the same members in each document, and `null` for a cost that is not known.
    usage: { ...noUsage, ...usage },
    tokensSaved,
    costUsd: costUsd ?? null,
    turns,
    calls,
    denials: denials.map(({ message, ...denial }) => ({ ...denial, reason: message })),
    ...(error === undefined ? {} : { error: inCommandLine(error) }),
  };
}

function inCommandLine(error: ErrorInfo): ErrorInfo {
  return error.hint === undefined ? error : { ...error, hint: inOptions(error.hint) };
}

/** Advice for a program, and what a user of the command does instead. */
const adviceOf = [
  ["Continue from the conversation", "Continue the session with --continue"],
  [
    "Set info.usdPerMTok of the model, or remove maxCost.",
    "Set usdPerMTok in models.catalog of the settings, or remove --max-cost.",
  ],
] as const;

const optionOf = new Map([
  ["limits.maxTurns", "--max-turns"],
  ["limits.maxCalls", "--max-calls"],
  ["limits.maxTokens", "--max-tokens"],
  ["limits.maxCost", "--max-cost"],
  ["limits.deadlineMs", "--deadline"],
]);

/** Rewrites a hint for a program as one for the command line. */
export function inOptions(hint: string): string {
  const advice = adviceOf.reduce((text, [program, user]) => text.replace(program, user), hint);
  return advice.replaceAll(/limits\.\w+/gu, (named) => optionOf.get(named) ?? named);
}
