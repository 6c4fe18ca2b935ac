import {
  ToolError,
  type Answer,
  type Ask,
  type Effect,
  type Finding,
  type HookProgramListener,
  type Outcome,
} from "../../core/index.ts";
import {
  blockedHint,
  givenHooksNotes,
  type AfterHookAnswer,
  type AfterHookInput,
  type BeforeHook,
  type BeforeHookAnswer,
  type BeforeHookInput,
  type KnownHooks,
} from "../../pipeline/index.ts";
import { compileRules, decide, ruleAliases } from "../../policy/index.ts";
import { deepEqual } from "../../text/index.ts";
import { absoluteInput } from "../../workspace/index.ts";
import type { KitHooks, KitHooksParts } from "./kit-hooks.ts";

type CallHooksParts = KitHooksParts & Pick<KitHooks, "run">;

/** Maximum number of times that hooks see a call whose input they change. */
const maxRounds = 3;

/** Hooks for the pipeline: those of the program, then those of settings, skills and agents. */
export function callHooks(parts: CallHooksParts): KnownHooks {
  const { set, given } = parts;
  const before = beforeHook(parts);
  return {
    get before() {
      return set.has("PreToolUse") ? [...(given.before ?? []), before] : (given.before ?? []);
    },
    get permission() {
      const isAsked = set.has("PermissionRequest") || set.has("Notification");
      const mine = isAsked ? [async (ask: Ask) => await answerFor(ask, parts)] : [];
      return [...(given.permission ?? []), ...mine];
    },
    get after() {
      const isHeard =
        set.has("PostToolUse") || set.has("PostToolUseFailure") || set.has("PermissionDenied");
      const mine = isHeard ? [afterHook(parts)] : [];
      // Functions of the caller are in this process, so no listener hears of their programs.
      const functions = given.after?.map((hook) => (call: AfterHookInput) => hook(call)) ?? [];
      return [...functions, ...mine];
    },
    foresee: async (call) => await foreseen(call, parts),
  };
}

function beforeHook(parts: CallHooksParts): BeforeHook {
  const hook = async (call: BeforeHookInput): Promise<BeforeHookAnswer> =>
    await beforeCall(call, parts);
  return Object.defineProperty(hook, "timeoutMs", {
    get: () => {
      const longest = Math.max(0, ...parts.set.list().map(({ timeoutMs }) => timeoutMs));
      // Each hook ends at its own timeout; this one is only reached if that fails.
      return (longest + 30_000) * maxRounds;
    },
  });
}

async function beforeCall(
  { tool, input: sent, callId, ...source }: BeforeHookInput,
  parts: CallHooksParts,
): Promise<BeforeHookAnswer> {
  const { place, run } = parts;
  const contexts: string[] = [];
  const trail: Finding[] = [];
  let input = sent;
  let asks: string | undefined;
  for (let round = 0; round < maxRounds; round += 1) {
    const current = input;
    const verdicts = await run({
      event: "PreToolUse",
      names: namesOf(tool, parts),
      fields: {
        tool_name: tool,
        tool_input: absoluteInput(current, place.workspace),
        tool_use_id: callId,
      },
      source,
      callId,
      meets: async (rule) => await meets(rule, { tool, input: current }, parts),
    });
    if (verdicts === undefined) return undefined;
    trail.push(...verdicts.trail);
    const { decision, reason, context, stop } = verdicts;
    if (stop !== undefined) return { verdict: "deny", reason: stop, trail };
    if (decision === "deny") return { verdict: "deny", reason: reason ?? "", trail };
    if (decision === "ask") asks = reason;
    if (context !== undefined) contexts.push(context);
    const rewritten = verdicts.input;
    const isSettled =
      rewritten === undefined ||
      deepEqual(rewritten, current) ||
      deepEqual(rewritten, absoluteInput(current, place.workspace));
    if (!isSettled) {
      // A hook that guards saw the former input, so all of them see the new one too.
      input = rewritten;
      continue;
    }
    const verdict = asks === undefined ? decision : "ask";
    const why = asks ?? reason;
    return {
      verdict,
      ...(why === undefined ? {} : { reason: why }),
      ...(input === sent ? {} : { input }),
      ...(contexts.length === 0 ? {} : { context: contexts.join("\n") }),
      trail,
    };
  }
  const reason = `Hooks changed the input ${maxRounds} times and did not agree.`;
  return { verdict: "deny", reason, trail };
}

/** Lists what hooks would do about a call that is only explained. */
async function foreseen(
  { tool, input, effects, sessionId, agentId, runId }: Foreseen,
  parts: CallHooksParts,
): ReturnType<NonNullable<KnownHooks["foresee"]>> {
  const found = await parts.set.foresee(
    {
      event: "PreToolUse",
      names: namesOf(tool, parts),
      input: {},
      env: {},
      sessionId,
      agentId,
      runId,
      meets: async (rule) => matchesRule(rule, { tool, input, effects }, parts),
    },
    parts.place.workspace,
  );
  const textsOf = (wanted: Finding["verdict"]): string =>
    found.flatMap((finding) => (finding.verdict === wanted ? finding.text : [])).join(" ");
  const [asks, blocks] = [textsOf("ask"), textsOf("deny")];
  return {
    trail: [...givenHooksNotes(parts.given), ...found],
    ...(asks === "" ? {} : { asks }),
    ...(blocks === "" ? {} : { blocks }),
  };
}

type Foreseen = BeforeHookInput & { readonly effects: readonly Effect[] };

/** Name of a tool, and the other names that a matcher may use for it. */
function namesOf(tool: string, { registry }: CallHooksParts): readonly string[] {
  const aliases = registry.resolve(tool)?.traits.aliases ?? [];
  const inRules = Object.keys(ruleAliases).filter((name) => ruleAliases[name] === tool);
  return [...new Set([tool, ...aliases, ...inRules])];
}

/** Whether a call has an effect that a permission rule names; an unclear call or rule counts as a match. */
async function meets(
  rule: string,
  call: { readonly tool: string; readonly input: unknown },
  parts: CallHooksParts,
): Promise<boolean> {
  const { effects, error } = await parts.explain({ name: call.tool, input: call.input });
  return error !== undefined || matchesRule(rule, { ...call, effects }, parts);
}

function matchesRule(
  rule: string,
  { effects, ...call }: Pick<Foreseen, "tool" | "input" | "effects">,
  { place, registry }: CallHooksParts,
): boolean {
  const tool = registry.resolve(call.tool);
  if (tool === undefined) return true;
  const { boundary, trusted, anchors } = place;
  const { rules, problems } = compileRules(
    [{ scope: "option", list: "ask", rules: [rule], ...anchors }],
    { roots: boundary.roots, known: registry.getNames() },
  );
  if (problems.some(({ severity }) => severity === "error")) return true;
  const { trail, kind } = decide({
    tool: tool.traits,
    input: call.input,
    effects,
    rules,
    mode: "bypassPermissions",
    boundary,
    trusted,
  });
  return kind === "deny" || trail.some((finding) => finding.rule?.scope === "option");
}

/** Lets hooks answer an approval question; undefined passes it on to the user. */
async function answerFor(ask: Ask, parts: CallHooksParts): Promise<Answer | undefined> {
  const { place, run, onAsk } = parts;
  const { tool, input, callId, sessionId, agentId } = ask;
  const source = { sessionId, agentId };
  const fields = {
    tool_name: tool,
    tool_input: absoluteInput(input, place.workspace),
    tool_use_id: callId,
    reason: ask.reason,
  };
  const verdicts = await run({
    event: "PermissionRequest",
    names: namesOf(tool, parts),
    fields,
    source,
    callId,
    meets: async (rule) => await meets(rule, { tool, input }, parts),
  });
  if (verdicts?.stop !== undefined) return { kind: "abort" };
  if (verdicts?.decision === "deny") {
    const message = `A hook refused ${tool}: ${verdicts.reason ?? ""}`;
    throw new ToolError("BLOCKED_BY_HOOK", message, {
      hint: blockedHint(verdicts.trail, message),
    });
  }
  // Like a rule, a hook cannot allow what needs an answer of the user.
  if (verdicts?.decision === "allow" && ask.suggestion !== undefined) {
    const changed = verdicts.input;
    const isSame = changed === undefined || deepEqual(changed, fields.tool_input);
    return isSame || deepEqual(changed, input)
      ? { kind: "once" }
      : { kind: "edit", input: changed };
  }
  if (onAsk !== undefined) {
    const message = `${ask.displayName} needs approval: ${ask.reason}`;
    const kind = "permission_prompt";
    // The user is asked at the same time.
    void run({
      event: "Notification",
      names: [kind],
      fields: { message, notification_type: kind },
      source,
    });
  }
  return undefined;
}

function afterHook(parts: CallHooksParts): AfterHook {
  return async (call, onProgramStart) => await afterCall(call, parts, onProgramStart);
}

type AfterHook = (
  call: AfterHookInput,
  onProgramStart: HookProgramListener | undefined,
) => Promise<AfterHookAnswer | undefined>;

async function afterCall(
  { tool, input, outcome, callId, ...source }: AfterHookInput,
  parts: CallHooksParts,
  onProgramStart: HookProgramListener | undefined,
): Promise<AfterHookAnswer | undefined> {
  const { place, run } = parts;
  const { event, fields } = afterEvent(outcome);
  const verdicts = await run({
    event,
    names: namesOf(tool, parts),
    fields: {
      tool_name: tool,
      tool_input: absoluteInput(input, place.workspace),
      tool_use_id: callId,
      ...fields,
    },
    source,
    callId,
    meets: async (rule) => await meets(rule, { tool, input }, parts),
    onProgramStart,
  });
  if (verdicts === undefined) return undefined;
  const { decision, reason, context, output } = verdicts;
  const texts = [
    ...(decision === "deny" ? [`(A hook reports: ${reason ?? ""})`] : []),
    ...(context === undefined ? [] : [context]),
  ];
  if (texts.length === 0 && output === undefined) return undefined;
  return {
    ...(output === undefined ? {} : { content: output }),
    ...(texts.length === 0 ? {} : { context: texts.join("\n") }),
  };
}

function afterEvent({ status, text, error, structuredContent, durationMs }: Outcome): {
  readonly event: "PostToolUse" | "PostToolUseFailure" | "PermissionDenied";
  readonly fields: Readonly<Record<string, unknown>>;
} {
  switch (status) {
    case "ok":
      return {
        event: "PostToolUse",
        fields: { tool_response: structuredContent ?? { text }, duration_ms: durationMs },
      };
    case "denied":
      return { event: "PermissionDenied", fields: { reason: error?.message ?? text } };
    case "failed":
    case "aborted":
      return {
        event: "PostToolUseFailure",
        fields: { error: error?.message ?? text, is_interrupt: status === "aborted" },
      };
  }
}
