import { ToolError } from "../../core/index.ts";
import {
  handlerText,
  hookEvents,
  type Hook,
  type HookRun,
  type LoadedHooks,
} from "../../workspace/index.ts";
import type { KitHooks } from "./kit-hooks.ts";

/** A hook of the settings, as listed for users. */
export interface HookListing {
  /** Event at which it runs. */
  readonly event: string;
  /** Names for which it runs; "" for all. */
  readonly matcher: string;
  /** Permission rule that a call must match as well. */
  readonly condition?: string;
  /** How it runs; "broken" if its settings are not valid. */
  readonly type: "command" | "http" | "prompt" | "agent" | "mcp_tool" | "broken";
  /** Command, address or prompt, shortened. */
  readonly text: string;
  /** Milliseconds after which it is stopped and has failed. */
  readonly timeoutMs: number;
  /** Effect of a failure: "block" refuses the action that the event announces. */
  readonly onFailure: "block" | "allow";
  /** Layer of the settings that it comes from. */
  readonly scope: string;
  /** File that it comes from. */
  readonly file?: string;
  /** Line of the file, counted from 1. */
  readonly line?: number;
  /**
   * It comes with a workspace that is not trusted, so it never runs. If trust has ended because something changed, calls
   * that a PreToolUse hook matches are asked about.
   */
  readonly needsTrust: boolean;
}

/** How a hook answered a sample event. */
export interface HookTestResult {
  /** The hook that ran. */
  readonly hook: HookListing;
  /** Whether it ran and gave a valid answer. */
  readonly result: "ok" | "failure";
  /** Its decision about the sample, if any. */
  readonly decision?: "allow" | "ask" | "deny";
  /** Reason, message or context; of a failure, why it failed. */
  readonly text: string;
}

/** Hooks of a kit's settings. */
export interface KitHookList {
  /** Lists the hooks, the most specific source first; those that need trust come last. */
  list(): Promise<readonly HookListing[]>;
  /**
   * Runs the hooks of an event with a sample, confined as always. Rejects with INVALID_INPUT if there is no such event.
   *
   * @example
   * await kit.hooks.test("PreToolUse", { tool: "Bash", fields: { tool_input: { command: "ls" } } });
   */
  test(event: string, sample?: HookSample): Promise<readonly HookTestResult[]>;
}

/** Fields of the sample event. */
export interface HookSample {
  /** Name that matchers are compared with: a tool, a source, a type of agent. */
  readonly tool?: string;
  /** Fields of the event that replace those of the sample. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export function kitHookList(
  loaded: LoadedHooks | undefined,
  hooks: KitHooks | undefined,
): KitHookList {
  return {
    list: async () => [
      ...(loaded?.set.list() ?? []).map((hook) => listingOf(hook, hook.asksBecause !== undefined)),
      ...(loaded?.needTrust ?? []).map((hook) => listingOf(hook, true)),
    ],
    async test(name, { tool, fields = {} } = {}) {
      const event = hookEvents.find((each) => each.name === name)?.name;
      if (event === undefined) {
        throw new ToolError("INVALID_INPUT", `There is no event ${JSON.stringify(name)}.`, {
          hint: `The events are ${hookEvents.map((each) => each.name).join(", ")}.`,
        });
      }
      const sample = {
        ...(tool === undefined ? {} : { tool_name: tool, tool_input: {}, tool_use_id: "sample" }),
        ...fields,
      };
      const names = tool === undefined ? [] : [tool];
      const source = { sessionId: "sample" };
      const verdicts = await hooks?.run({ event, names, fields: sample, source });
      return (verdicts?.runs ?? []).map(testOf);
    },
  };
}

function testOf(run: HookRun): HookTestResult {
  const hook = listingOf(run.hook, false);
  if (run.kind === "failure") return { hook, result: "failure", text: run.why };
  const { decision, reason, context, message, stop, output, input } = run.answer;
  const text = [
    reason,
    stop,
    context,
    message,
    output,
    ...(input === undefined ? [] : [`input: ${JSON.stringify(input)}`]),
  ].filter((each) => each !== undefined);
  return {
    hook,
    result: "ok",
    ...(decision === undefined ? {} : { decision }),
    text: text.join("\n"),
  };
}

function listingOf(hook: Hook, needsTrust: boolean): HookListing {
  const { event, matcher, condition, handler, timeoutMs, onFailure, origin } = hook;
  const { scope, file, line } = origin;
  return {
    event,
    matcher,
    ...(condition === undefined ? {} : { condition }),
    type: handler.type,
    text: handler.type === "broken" ? handler.why : handlerText(handler),
    timeoutMs,
    onFailure,
    scope,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    needsTrust,
  };
}
