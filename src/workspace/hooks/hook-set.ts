import type { Finding } from "../../core/index.ts";
import { deepEqual, madeOnce, messageOf } from "../../text/index.ts";
import { hookName, type Hook } from "./hook.ts";
import { hookEvent, type HookEventName } from "./hook-events.ts";
import type { HookContext, HookInvocation, HookRun } from "./run-hook.ts";

/** An event as it happens. */
export interface HookOccasion extends HookInvocation {
  readonly event: HookEventName;
  /** Names that a matcher is compared with: a tool's own and others, a source, a type of agent. */
  readonly names: readonly string[];
  /** Whether the call matches a permission rule; absent where the event is not about a call. */
  readonly meets?: (rule: string) => Promise<boolean>;
}

/** Combined answers of the hooks of an event. */
export interface HookVerdicts {
  readonly runs: readonly HookRun[];
  readonly decision: "allow" | "ask" | "deny" | "none";
  /** Reasons of the decision. */
  readonly reason?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly context?: string;
  readonly output?: string;
  readonly messages: readonly string[];
  readonly stop?: string;
  /** One finding for each hook that had something to say. */
  readonly trail: readonly Finding[];
}

/** Checks that a hook is, in this directory too, the one that the user trusts; resolves to the reason why not. */
export type VerifyHook = (hook: Hook, directory: string) => Promise<string | undefined>;

export interface HookSet {
  /** Whether any hook of the event exists. */
  has(event: HookEventName): boolean;
  list(): readonly Hook[];
  /** Adds hooks, as those of a skill, with the check of each at its use; the returned function removes them. */
  add(hooks: readonly Hook[], verify: VerifyHook): () => void;
  /** Hooks that run on this occasion. */
  matching(occasion: HookOccasion): Promise<readonly Hook[]>;
  /** Lists what the matching hooks would do on this occasion, as far as that is known before they run. */
  foresee(occasion: HookOccasion, directory: string): Promise<readonly Finding[]>;
  /** Runs all matching hooks at the same time and combines their answers. Never rejects. */
  run(occasion: HookOccasion, context: HookContext): Promise<HookVerdicts>;
}

/** Most calls match no hook, and then nothing that runs hooks is loaded. */
const running = madeOnce(async () => await import("./run-hook.ts"));

export function hookSet(given: readonly Hook[], verifyGiven: VerifyHook): HookSet {
  const checks = new WeakMap<Hook, VerifyHook>();
  const verify: VerifyHook = async (hook, directory) =>
    await (checks.get(hook) ?? verifyGiven)(hook, directory);
  let all: readonly Hook[] = withoutCopies(given);
  /** Result of a hook that must not run; undefined for one that may. */
  const unusable = async (hook: Hook, directory: string): Promise<HookRun | undefined> => {
    if (hook.asksBecause !== undefined) return asking(hook, hook.asksBecause, acceptChanges);
    // At the time of use: what was trusted when the kit was opened may have been replaced since.
    const why = await verify(hook, directory).catch(messageOf);
    if (why === undefined) return undefined;
    // A change of its files must not let calls through, whatever a failure of the hook itself does.
    return hook.event === "PreToolUse" && hook.onFailure === "allow"
      ? asking(hook, `The hook ${hookName(hook)} did not run: ${why}.`, acceptChanges)
      : { hook, kind: "failure", why };
  };
  const set: HookSet = {
    has: (event) => all.some((hook) => hook.event === event),
    list: () => all,
    add(hooks, check) {
      for (const hook of hooks) checks.set(hook, check);
      all = [...all, ...hooks];
      return () => {
        all = all.filter((hook) => !hooks.includes(hook));
      };
    },
    async matching(occasion) {
      const { event, names, meets } = occasion;
      const matching = all.filter(
        (hook) =>
          hook.event === event &&
          hook.matches(names) &&
          hook.appliesTo?.(occasion) !== false &&
          !(occasion.isOfHook === true && startsCalls(hook)),
      );
      const met = await Promise.all(
        matching.map(async ({ condition }) =>
          condition === undefined || meets === undefined ? true : await meets(condition),
        ),
      );
      return matching.filter((_hook, index) => met[index]);
    },
    async foresee(occasion, directory) {
      const matching = await set.matching(occasion);
      const found = matching.map(async (hook): Promise<Finding> => {
        const run = await unusable(hook, directory);
        if (run !== undefined) {
          const { finding } = judgedRun(run, hookEvent(occasion.event).blocks !== undefined);
          if (finding !== undefined) return finding;
        }
        const text = `The hook ${hookName(hook)} runs before the call: it may block it, change it, or ask about it.`;
        return { verdict: "note", text };
      });
      return await Promise.all(found);
    },
    async run(occasion, context) {
      const matching = await set.matching(occasion);
      if (matching.length === 0) return combined([], occasion.event);
      const { runHook } = await running();
      const runs = await Promise.all(
        matching.map(
          async (hook): Promise<HookRun> =>
            (await unusable(hook, context.cwd)) ?? (await runHook(hook, occasion, context)),
        ),
      );
      for (const { hook, kind } of runs) {
        // One that failed has not run: it must not let the next call through.
        if (hook.once && kind === "answer") all = all.filter((each) => each !== hook);
      }
      return combined(runs, occasion.event);
    },
  };
  return set;
}

function asking(hook: Hook, reason: string, hint: string): HookRun {
  return { hook, kind: "answer", answer: { decision: "ask", reason, hint } };
}

const acceptChanges = "haft trust add accepts the changes; then the hook checks calls again.";

/** Whether a hook makes calls itself, for which hooks run in turn. */
function startsCalls({ handler: { type } }: Hook): boolean {
  return type === "agent" || type === "mcp_tool";
}

/** The same handler for the same event and matcher in two files runs once. */
function withoutCopies(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.filter(
    (hook, index) =>
      hooks.findIndex(
        (each) =>
          each.event === hook.event &&
          each.matcher === hook.matcher &&
          each.condition === hook.condition &&
          each.onFailure === hook.onFailure &&
          each.handler.type !== "broken" &&
          deepEqual(each.handler, hook.handler),
      ) === index || hook.handler.type === "broken",
  );
}

const order = ["deny", "ask", "allow", "none"] as const;

/** The strictest decision counts; texts of all hooks are joined. */
function combined(runs: readonly HookRun[], event: HookEventName): HookVerdicts {
  const mayBlock = hookEvent(event).blocks !== undefined;
  const judged = runs.map((run) => ({ run, ...judgedRun(run, mayBlock) }));
  const inputs = runs.flatMap((run) =>
    run.kind === "answer" && run.answer.input !== undefined ? [run.answer.input] : [],
  );
  const [input] = inputs;
  const isDisputed = inputs.some((each) => !deepEqual(each, input));
  const found = order.find((each) => judged.some(({ decision }) => decision === each)) ?? "none";
  const decision = isDisputed ? "deny" : found;
  const reasons = judged.filter((each) => each.decision === decision).map(({ text }) => text);
  if (isDisputed) reasons.push("Two hooks change the input in different ways.");
  const answers = runs.flatMap((run) => (run.kind === "answer" ? [run.answer] : []));
  const contexts = answers.flatMap(({ context }) => context ?? []);
  const output = answers.findLast((answer) => answer.output !== undefined)?.output;
  const stop = answers.find((answer) => answer.stop !== undefined)?.stop;
  return {
    runs,
    decision,
    ...(decision === "none" || reasons.length === 0 ? {} : { reason: reasons.join(" ") }),
    ...(input === undefined || isDisputed ? {} : { input }),
    ...(contexts.length === 0 ? {} : { context: contexts.join("\n") }),
    ...(output === undefined ? {} : { output }),
    messages: answers.flatMap(({ message }) => message ?? []),
    ...(stop === undefined ? {} : { stop }),
    trail: judged.flatMap(({ finding }) => finding ?? []),
  };
}

interface Judged {
  readonly decision: HookVerdicts["decision"];
  readonly text: string;
  readonly finding?: Finding;
}

function judgedRun(run: HookRun, mayBlock: boolean): Judged {
  const { hook } = run;
  const name = hookName(hook);
  const rule = { rule: name, scope: "hook" } as const;
  if (run.kind === "failure") {
    const text = `The hook ${name} failed: ${run.why}.`;
    if (hook.onFailure === "allow" || !mayBlock) {
      return { decision: "none", text, finding: { verdict: "note", text } };
    }
    const finding: Finding = { verdict: "deny", text, rule: { ...rule, list: "deny" } };
    return { decision: "deny", text, finding };
  }
  const { decision, reason, input, hint } = run.answer;
  if (decision === undefined) {
    if (input === undefined) return { decision: "none", text: "" };
    const text = `The hook ${name} changed the input.`;
    return { decision: "none", text, finding: { verdict: "note", text } };
  }
  const text = reason ?? `The hook ${name} gave no reason.`;
  const says = { allow: "allows", ask: "asks about", deny: "blocks" }[decision];
  const finding: Finding = {
    verdict: decision,
    text: text.includes(name) ? text : `The hook ${name} ${says} it: ${text}`,
    rule: { ...rule, list: decision },
    ...(decision === "ask"
      ? { hint: hint ?? `No rule and no mode answers the hook ${name}.` }
      : {}),
  };
  return { decision, text, finding };
}
