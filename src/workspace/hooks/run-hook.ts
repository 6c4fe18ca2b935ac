import { headAndTail, messageOf } from "../../text/index.ts";
import type { Hook, HookCaller } from "./hook.ts";
import { hookEvent, type HookEvent } from "./hook-events.ts";
import { readAnswer, shortened, type HookAnswer } from "./read-answer.ts";
import { runProgram, type HookPrograms, type ProgramResult } from "./run-program.ts";
import { runRequest, type HookNetwork } from "./run-request.ts";

/** Means that hooks need to run. */
export interface HookContext extends HookPrograms, HookNetwork {
  readonly host: HookPrograms["host"] & HookNetwork["host"];
  /** Asks a model; absent where none is known. */
  readonly askModel?: ((prompt: string, signal: AbortSignal) => Promise<string>) | undefined;
}

export interface HookInvocation extends HookCaller {
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
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
      void runProgram(request, context);
      return { kind: "exit", code: 0, stdout: "", stderr: "" };
    }
    case "http":
      return await runRequest({ handler, input: text, timeoutMs, signal }, context);
    case "prompt":
      return await askedModel(handler.prompt, text, { timeoutMs, signal, context });
    case "broken":
      return { kind: "failure", why: handler.why };
  }
}

const answerForm = `Answer with one JSON object and nothing else: {"ok": true}, or {"ok": false, "reason": "…"}.`;

/** Asks a model to judge the event; only a clear answer counts. */
async function askedModel(
  prompt: string,
  input: string,
  {
    timeoutMs,
    signal,
    context: { askModel },
  }: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
    readonly context: HookContext;
  },
): Promise<ProgramResult> {
  if (askModel === undefined)
    return { kind: "failure", why: "no model is known that it could ask" };
  const timeout = AbortSignal.timeout(timeoutMs);
  const ending = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const { text: shown } = headAndTail(input, { limit: maxPromptChars, tailShare: 0.5 });
  const full = prompt.includes("$ARGUMENTS")
    ? prompt.replaceAll("$ARGUMENTS", () => shown)
    : `${prompt}\n\n${shown}`;
  const said = (await askModel(`${full}\n\n${answerForm}`, ending)).trim();
  if (timeout.aborted)
    return { kind: "failure", why: `no answer came within ${timeoutMs / 1000} s` };
  const json = /^(?:```(?:json)?\s*)?(\{[^]*\})\s*(?:```)?$/u.exec(said)?.[1];
  const answer = json === undefined ? undefined : parsed(json);
  const ok = answer?.["ok"];
  if (ok === true) return { kind: "exit", code: 0, stdout: "", stderr: "" };
  const reason = answer?.["reason"];
  if (ok !== false) return { kind: "failure", why: "the model did not answer with yes or no" };
  const why = typeof reason === "string" ? reason : "The model said no.";
  return { kind: "exit", code: 2, stdout: "", stderr: why };
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
  return { kind: "failure", why: `it ended with code ${code}${said === "" ? "" : `: ${said}`}` };
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
