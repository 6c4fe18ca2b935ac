import { headAndTail, isRecord, messageOf } from "../../text/index.ts";
import type { Hook, HookCaller, McpToolHandler } from "./hook.ts";
import { hookEvent, type HookEvent } from "./hook-events.ts";
import { readAnswer, shortened, type HookAnswer } from "./read-answer.ts";
import {
  maxOutputBytes,
  runProgram,
  type HookPrograms,
  type ProgramResult,
} from "./run-program.ts";
import { runRequest, type HookNetwork } from "./run-request.ts";

/** Means that hooks need to run. */
export interface HookContext extends HookPrograms, HookNetwork {
  readonly host: HookPrograms["host"] & HookNetwork["host"];
  /** Asks a model; absent where none is known. */
  readonly askModel?: AskHookModel | undefined;
  /** Asks an agent that only reads; absent where no kit is open. */
  readonly askAgent?: AskHookModel | undefined;
  /** Calls a tool, judged like any other call; absent where no kit is open. */
  readonly callTool?: CallHookTool | undefined;
}

/** Asks the model that is named, else that of the run. Rejects if there is none. */
export type AskHookModel = (
  question: { readonly prompt: string; readonly model: string | undefined },
  signal: AbortSignal,
) => Promise<string>;

/** Resolves to the text of the result. Rejects if the call did not succeed. */
export type CallHookTool = (
  call: Pick<McpToolHandler, "server" | "tool" | "input">,
  signal: AbortSignal,
) => Promise<string>;

export interface HookInvocation extends HookCaller {
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The call is one of a hook, which must not start another one without end. */
  readonly isOfHook?: boolean;
}

/** How one hook ran. */
export type HookRun = { readonly hook: Hook } & (
  | { readonly kind: "answer"; readonly answer: HookAnswer }
  /** It failed; `onFailure` of the hook says what that means. */
  | { readonly kind: "failure"; readonly why: string }
);

/** Runs one hook. Never rejects. */
export async function runHook(
  hook: Hook,
  invocation: HookInvocation,
  context: HookContext,
): Promise<HookRun> {
  const event = hookEvent(hook.event);
  let result: ProgramResult;
  try {
    result = await resultOf(hook, invocation, context);
  } catch (error) {
    result = { kind: "failure", why: messageOf(error) };
  }
  if (result.kind === "failure") return { hook, kind: "failure", why: result.why };
  return { hook, ...answerOf(result, event) };
}

async function resultOf(
  { handler, timeoutMs, origin: { plugin }, env: own }: Hook,
  { input, env: common, signal, agentId }: HookInvocation,
  context: HookContext,
): Promise<ProgramResult> {
  const text = JSON.stringify(input);
  const root = plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root };
  const env = { ...common, ...root, ...own };
  switch (handler.type) {
    case "command": {
      const request = { handler, input: text, env, timeoutMs, signal, agentId };
      if (!handler.async) return await runProgram(request, context);
      // Nothing waits for its end, so nobody can tell what it changed.
      void runProgram(request, { ...context, onProgramStart: undefined });
      return { kind: "exit", code: 0, stdout: "", stderr: "" };
    }
    case "http":
      return await runRequest({ handler, input: text, timeoutMs, signal }, context);
    case "prompt":
    case "agent": {
      const asked = handler.type === "prompt" ? context.askModel : context.askAgent;
      const { model } = handler;
      if (asked === undefined) return noModel;
      const ask: Judge["ask"] = async (prompt, ending) => await asked({ prompt, model }, ending);
      return await judgement(handler.prompt, text, { timeoutMs, signal, ask });
    }
    case "mcp_tool":
      return await calledTool({ handler, event: input, timeoutMs, signal }, context);
    case "broken":
      return { kind: "failure", why: handler.why };
  }
}

const answerForm = `Answer with one JSON object and nothing else: {"ok": true}, or {"ok": false, "reason": "…"}.`;

const noModel: ProgramResult = { kind: "failure", why: "no model is known that it could ask" };

interface Judge {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly ask: (prompt: string, signal: AbortSignal) => Promise<string>;
}

/** Asks a model or an agent to judge the event; only a clear answer counts. */
async function judgement(
  prompt: string,
  input: string,
  { timeoutMs, signal, ask }: Judge,
): Promise<ProgramResult> {
  const { timeout, ending } = endingOf(timeoutMs, signal);
  const { text: shown } = headAndTail(input, { limit: maxPromptChars, tailShare: 0.5 });
  const full = prompt.includes("$ARGUMENTS")
    ? prompt.replaceAll("$ARGUMENTS", () => shown)
    : `${prompt}\n\n${shown}`;
  const said = await ask(`${full}\n\n${answerForm}`, ending).catch((error: unknown) => {
    if (timeout.aborted) return "";
    throw error;
  });
  if (timeout.aborted) return tooLate(timeoutMs);
  const json = /^(?:```(?:json)?\s*)?(\{[^]*\})\s*(?:```)?$/u.exec(said.trim())?.[1];
  const answer = json === undefined ? undefined : parsed(json);
  const ok = answer?.["ok"];
  if (ok === true) return { kind: "exit", code: 0, stdout: "", stderr: "" };
  const reason = answer?.["reason"];
  if (ok !== false) return { kind: "failure", why: "the model did not answer with yes or no" };
  const why = typeof reason === "string" ? reason : "The model said no.";
  return { kind: "exit", code: 2, stdout: "", stderr: why };
}

function endingOf(timeoutMs: number, signal: AbortSignal | undefined) {
  const timeout = AbortSignal.timeout(timeoutMs);
  return { timeout, ending: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) };
}

function tooLate(timeoutMs: number): ProgramResult {
  return { kind: "failure", why: `no answer came within ${timeoutMs / 1000} s` };
}

/** Calls a tool of an MCP server; its text is read like what a program prints. */
async function calledTool(
  {
    handler,
    event,
    timeoutMs,
    signal,
  }: {
    readonly handler: McpToolHandler;
    readonly event: Readonly<Record<string, unknown>>;
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
  },
  { callTool }: HookContext,
): Promise<ProgramResult> {
  if (callTool === undefined) return { kind: "failure", why: "no tool can be called here" };
  const { timeout, ending } = endingOf(timeoutMs, signal);
  const { server, tool } = handler;
  const input = filledObject(handler.input, event);
  const stdout = await callTool({ server, tool, input }, ending).catch((error: unknown) => {
    if (timeout.aborted) return "";
    throw error;
  });
  if (timeout.aborted) return tooLate(timeoutMs);
  if (stdout.length > maxOutputBytes)
    return { kind: "failure", why: `it answered with more than ${maxOutputBytes} characters` };
  return { kind: "exit", code: 0, stdout, stderr: "" };
}

function filledObject(
  value: Readonly<Record<string, unknown>>,
  event: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, event)]));
}

/** A value with the fields of the event in the places of their names. A field that does not exist is "". */
function filled(value: unknown, event: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => filled(each, event));
  if (isRecord(value)) return filledObject(value, event);
  if (typeof value !== "string") return value;
  return value.replaceAll(/\$\{([\w.]{1,200})\}/gu, (_all, path: string) => {
    let found: unknown = event;
    for (const key of path.split(".")) {
      found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    if (found === undefined || found === null) return "";
    return typeof found === "string" ? found : JSON.stringify(found);
  });
}

/** Longest event that is shown to a model, in characters. */
const maxPromptChars = 100_000;

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

type Exit = Extract<ProgramResult, { readonly kind: "exit" }>;
type Answered =
  | { readonly kind: "answer"; readonly answer: HookAnswer }
  | { readonly kind: "failure"; readonly why: string };

/** Reads how a program ended: 0 with or without an answer, 2 for a block; anything else is a failure. */
function answerOf({ code, stdout, stderr }: Exit, event: HookEvent): Answered {
  if (code === 2) {
    const said = shortened(stderr.trim());
    const reason = said === "" ? "The hook ended with code 2 and gave no reason." : said;
    // Where nothing can be blocked, the reason is for the user.
    if (event.blocks === undefined) return { kind: "answer", answer: { message: reason } };
    return { kind: "answer", answer: { decision: "deny", reason } };
  }
  const read = printed(stdout.trim(), event);
  if (code === 0) return read;
  // A program that crashed after its answer can still refuse, but not allow.
  if (read.kind === "answer" && read.answer.decision === "deny") return read;
  const said = stderr.trim().split("\n").slice(-3).join(" ").slice(0, 500);
  const why = `it ended with code ${code}${said === "" ? "" : `: ${said}`}`;
  // The sandbox shows as a file system that cannot be written.
  const isConfined = /read-only file system/iu.test(said);
  return {
    kind: "failure",
    why: isConfined
      ? `${why} (a hook writes where an allow rule such as Edit(~/logs/**) lets it)`
      : why,
  };
}

function printed(text: string, event: HookEvent): Answered {
  if (text === "") return { kind: "answer", answer: {} };
  if (!text.startsWith("{")) {
    if (event.takesText === true) return { kind: "answer", answer: { context: shortened(text) } };
    // An answer after other output would be overlooked, and with it a refusal.
    if (/^\s*\{/mu.test(text)) {
      return {
        kind: "failure",
        why: "it printed text before its JSON answer; print that to stderr",
      };
    }
    return { kind: "answer", answer: {} };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "failure", why: `its answer is not JSON: ${messageOf(error)}` };
  }
  const reading = readAnswer(value, event);
  return reading.kind === "answer" ? reading : { kind: "failure", why: reading.why };
}
