import { describe, expect, test } from "vitest";
import { boundary } from "../../../test/policy/policy-world.ts";
import { memoryHost } from "../../host/index.ts";
import { simpleTool } from "../../../test/support/kit.ts";
import type { Answer, Ask, StagedChanges } from "../../core/index.ts";
import { approveChanges } from "./approve-changes.ts";
import type { CallState } from "../call-state.ts";
import type { Resolved } from "../step.ts";
import type { ApprovalContext } from "../environment/confinement.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";

const staged: StagedChanges = { since: 0, changes: [], refused: [], through: [] };
const never = { isAborted: false, add: () => () => undefined };

/** Decides about changes; returns the result with the questions, events and turns it caused. */
async function approved(
  answer: Answer | Error | undefined,
  grounds?: ApprovalContext,
  options: Partial<CallState["options"]> = {},
) {
  const asked: Ask[] = [];
  const told: unknown[] = [];
  const turn = { aborted: false, denied: undefined, abort: () => (turn.aborted = true) };
  const onAsk = async (ask: Ask): Promise<Answer> => {
    asked.push(ask);
    if (answer instanceof Error) throw answer;
    return await Promise.resolve(answer as Answer);
  };
  const state = {
    id: "call-1",
    tool: simpleTool("Run", () => ({ content: "" }), { displayName: "Run it" }),
    input: { command: "x" },
    effects: [],
    options,
    stops: never,
    turn,
  } as unknown as Resolved;
  const environment = {
    onAsk: answer === undefined ? undefined : onAsk,
    host: memoryHost(),
    cwd: "/ws",
    boundary: () => boundary,
    askQueue: { run: async (ask: () => Promise<unknown>) => await ask() },
    emit: (event: unknown) => told.push(event),
  } as unknown as PipelineEnvironment;
  const refused = await approveChanges({ state, environment }, staged, grounds);
  return { refused, asked, told, turn };
}

describe("changes that a command made where they do not count yet", () => {
  test("are shown with why they are asked about, and counted by a yes", async () => {
    const grounds = {
      protectedWrites: ["/ws/.npmrc", "/ws/.envrc"],
      ruled: ["/ws/a", "/ws/.npmrc"],
      locked: "It is locked.",
      notUndoable: "It is large.",
    };
    const { refused, asked, told } = await approved({ kind: "once" }, grounds, {
      sessionId: "s",
      agentId: "tester",
    });
    const [ask] = asked;

    expect(refused).toBeUndefined();
    expect(ask).toEqual({
      kind: "permission",
      callId: "call-1",
      tool: "Run",
      displayName: "Run it",
      input: { command: "x" },
      effects: [],
      question: "Keep what the command changed, .npmrc, .envrc, a included?",
      reason: expect.stringMatching(
        /^It ran on an overlay\. 2 of these files run by themselves .* Rules ask about 2 of these files\. It is locked\. It is large\. ./u,
      ),
      preview: expect.any(String),
      notUndoable: "It is large.",
      trail: [],
      sessionId: "s",
      agentId: "tester",
      refusals: 0,
    });
    expect(told).toEqual([
      { type: "permission-ask", callId: "call-1", ask, sessionId: "s", agentId: "tester" },
      {
        type: "permission-answer",
        callId: "call-1",
        answer: "once",
        sessionId: "s",
        agentId: "tester",
      },
    ]);
  });

  test("are asked about without what there is not", async () => {
    const { asked } = await approved({ kind: "once" });

    expect(asked[0]?.question).toBe("Keep what the command changed?");
    expect(asked[0]?.reason).toMatch(/^It ran on an overlay\. (?!.*asks? about)/u);
    for (const key of ["notUndoable", "sessionId", "agentId"]) {
      expect(asked[0]).not.toHaveProperty(key);
    }
  });

  test("that only a rule names are not said to run by themselves", async () => {
    const { asked } = await approved({ kind: "once" }, { protectedWrites: [], ruled: ["/ws/a"] });

    expect(asked[0]?.reason).toMatch(
      /^It ran on an overlay\. A rule asks about one of these files\. /u,
    );
  });

  test("are described in the singular if they concern one file", async () => {
    const { asked } = await approved(
      { kind: "once" },
      { protectedWrites: ["/ws/.npmrc"], ruled: ["/ws/a"] },
    );

    expect(asked[0]?.reason).toContain("One of these files runs by itself");
    expect(asked[0]?.reason).toContain("A rule asks about one of these files.");
  });

  test.each([
    [{ kind: "save", rule: "Edit", scope: "session" }, undefined],
    [{ kind: "deny" }, { because: "the user said no", code: "DENIED_BY_USER" }],
    [
      { kind: "deny", reason: "" },
      { because: "the user said no", code: "DENIED_BY_USER" },
    ],
    [
      { kind: "deny", reason: "x" },
      { because: "the user said no: x", code: "DENIED_BY_USER" },
    ],
    [
      { kind: "deny-all", reason: "x" },
      { because: "the user said no: x", code: "DENIED_BY_USER" },
    ],
    [
      { kind: "edit", input: {} },
      { because: "the user wanted another command", code: "DENIED_BY_USER" },
    ],
    [{ kind: "abort" }, { because: "the user ended this turn", code: "ABORTED" }],
    [{ kind: "yes" }, { because: "the user did not answer", code: "APPROVAL_REQUIRED" }],
    [new Error("gone"), { because: "the user did not answer", code: "APPROVAL_REQUIRED" }],
    [
      undefined,
      { because: "no user was available to approve it", code: "APPROVAL_REQUIRED", isAbsent: true },
    ],
  ] as const)("after the answer %j: %j", async (answer, is) => {
    const { refused, turn } = await approved(answer as Answer);
    const kind = answer !== undefined && "kind" in answer ? answer.kind : undefined;

    expect(refused).toEqual(is);
    expect(turn.aborted).toBe(kind === "abort");
    expect(turn.denied).toEqual(kind === "deny-all" ? { reason: "x" } : undefined);
  });

  test("are put to the caller's own onAsk", async () => {
    const own: Ask[] = [];
    const onAsk = async (ask: Ask): Promise<Answer> => {
      own.push(ask);
      return await Promise.resolve({ kind: "deny" });
    };
    const { refused, asked } = await approved({ kind: "once" }, {}, { onAsk });

    expect(refused?.code).toBe("DENIED_BY_USER");
    expect([own.length, asked.length]).toEqual([1, 0]);
  });
});
