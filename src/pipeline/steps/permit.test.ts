import { describe, expect, test } from "vitest";
import type { Answer, Ask, Effect, HaftEvent } from "../../core/index.ts";
import { simpleTool, testKit } from "../../../test/support/kit.ts";

const write = { name: "Write", input: { file_path: "a.txt", content: "new\n" } };
const files = { "a.txt": "old\n" };

/** Creates a kit that answers questions from a list and records the questions and events. */
async function asking(answers: readonly Answer[], options: Parameters<typeof testKit>[0] = {}) {
  const asked: Ask[] = [];
  const events: HaftEvent[] = [];
  const left = [...answers];
  const made = await testKit(
    {
      onAsk: async (ask) => {
        asked.push(ask);
        return await Promise.resolve(left.shift() ?? { kind: "once" });
      },
      onEvent: (event) => events.push(event),
      ...options,
    },
    { files },
  );
  await made.kit.call({ name: "Read", input: { file_path: "a.txt" } }, { sessionId: "s" });
  const told = (type: HaftEvent["type"]) => events.filter((event) => event.type === type);
  return { ...made, asked, told };
}

/** A call whose input is too long to be identified by its full text. */
function long(content: string) {
  const ends = ["x".repeat(600), "y".repeat(600)];
  return { name: "Write", input: { file_path: "a.txt", content: ends.join(content) } };
}

describe("a question", () => {
  test("says all that a user needs, and is reported as an event as well", async () => {
    const { kit, asked, told } = await asking([{ kind: "once" }]);
    const effect: Effect = {
      kind: "write",
      path: "/project/a.txt",
      scope: "file",
      change: "modify",
    };

    const { id } = await kit.call(write, { sessionId: "s", agentId: "tester" });
    const [ask] = asked;

    expect(ask).toStrictEqual({
      kind: "permission",
      callId: id,
      tool: "Write",
      displayName: "Write file",
      input: write.input,
      effects: expect.arrayContaining([effect]),
      question: "Write to a.txt?",
      reason: "Changing files in the workspace needs approval in default mode.",
      suggestion: "Edit(/a.txt)",
      preview: expect.stringContaining("-old\n+new\n"),
      trail: expect.arrayContaining([expect.objectContaining({ verdict: "ask" })]),
      sessionId: "s",
      agentId: "tester",
      refusals: 0,
    });
    expect(told("permission-ask")).toMatchObject([
      { callId: id, ask, sessionId: "s", agentId: "tester" },
    ]);
    expect(told("permission-answer")).toMatchObject([
      { callId: id, answer: "once", sessionId: "s", agentId: "tester" },
    ]);
    expect(told("permission-answer")[0]).not.toHaveProperty("rule");
  });

  test("leaves out what there is not", async () => {
    const { kit, asked } = await asking([], {
      tools: {
        extra: [
          simpleTool("Pay", () => ({ content: "paid" }), {
            displayName: "Pay a bill",
            touches: ["unknown"],
            effects: () => [
              { kind: "unknown", because: "it pays", origin: "Pay", alwaysAsks: true },
            ],
            undo: async () => await Promise.resolve({ content: "paid back" }),
          }),
        ],
      },
    });

    await kit.call({ name: "Pay", input: {} });

    expect(Object.keys(asked[0] ?? {}).toSorted()).toEqual([
      "callId",
      "displayName",
      "effects",
      "input",
      "kind",
      "question",
      "reason",
      "refusals",
      "tool",
      "trail",
    ]);
    expect(asked[0]?.displayName).toBe("Pay a bill");
  });

  test("says where not all of it could be undone", async () => {
    const open: readonly Effect[] = [{ kind: "unknown", because: "it may", origin: "Open" }];
    const looking: readonly Effect[] = [{ kind: "connect", host: "a.org" }];
    const { kit, asked } = await asking([], {
      tools: {
        extra: [
          simpleTool("Open", () => ({ content: "" }), {
            touches: ["unknown"],
            effects: () => open,
          }),
          simpleTool("Look", () => ({ content: "" }), {
            touches: ["connect"],
            effects: () => looking,
          }),
        ],
      },
    });

    await kit.call({ name: "Open", input: {} });
    await kit.call({ name: "Look", input: {} });

    expect(asked[0]?.notUndoable).toEqual(expect.any(String));
    expect(asked[1]).not.toHaveProperty("notUndoable");
  });

  test("counts how often this very call was refused, and no other", async () => {
    const { kit, asked } = await asking([
      { kind: "deny" },
      { kind: "once" },
      { kind: "deny" },
      { kind: "once" },
    ]);
    const other = { name: "Write", input: { file_path: "b.txt", content: "new\n" } };

    for (const call of [write, other, write, write]) await kit.call(call, { sessionId: "s" });
    expect(asked.map(({ refusals }) => refusals)).toEqual([0, 0, 1, 2]);

    asked.length = 0;
    await kit.call(long("1"), { sessionId: "s" });
    await kit.call(long("1"), { sessionId: "s" });
    expect(asked.map(({ refusals }) => refusals)).toEqual([0, 0]);
  });
});

describe("an answer", () => {
  test("that saves a rule names it in the event, and is not asked for again", async () => {
    const { kit, asked, told } = await asking([
      { kind: "save", rule: "Edit(/a.txt)", scope: "session" },
    ]);

    const first = await kit.call(write, { sessionId: "s" });
    const second = await kit.call(
      { name: "Write", input: { file_path: "a.txt", content: "newer\n" } },
      { sessionId: "s" },
    );

    expect([first.status, second.status]).toEqual(["ok", "ok"]);
    expect(asked).toHaveLength(1);
    expect(told("permission-answer")).toMatchObject([{ answer: "save", rule: "Edit(/a.txt)" }]);
    expect(first.decision).toMatchObject({ kind: "ask", answeredBy: "user" });
  });

  test.each([
    [{ kind: "deny" }, "The user said no."],
    [{ kind: "deny", reason: "" }, "The user said no."],
    [{ kind: "deny", reason: "not now" }, "The user said no: not now"],
    [{ kind: "deny-all", reason: "stop" }, "The user said no: stop"],
  ] as const)("%j is a refusal with its reason", async (answer, message) => {
    const { kit, host } = await asking([answer]);

    const { error } = await kit.call(write, { sessionId: "s" });

    expect(error).toMatchObject({
      code: "DENIED_BY_USER",
      message,
      hint: "Respect the answer: do something else, or ask what they would prefer.",
    });
    expect(host.control.texts()["/project/a.txt"]).toBe("old\n");
  });

  test("that ends the turn ends the calls after it as well", async () => {
    const { kit, asked } = await asking([{ kind: "abort" }]);

    const outcomes = await kit.callAll([write, { ...write, input: { ...write.input } }]);

    expect(outcomes.map(({ error }) => error?.code)).toEqual(["ABORTED", "ABORTED"]);
    expect(asked).toHaveLength(1);
  });

  test("to one of several questions may refuse those that wait, with the same reason", async () => {
    const { kit } = await asking([{ kind: "deny-all", reason: "enough" }]);

    const outcomes = await kit.callAll([write, { ...write, input: { ...write.input } }]);

    expect(outcomes.map(({ error }) => error?.message)).toEqual([
      "The user said no: enough",
      "The user said no: enough",
    ]);
  });
});

describe("where nobody can be asked", () => {
  test("the error says what would allow the call", async () => {
    const { kit } = await testKit({}, { files });
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    const { error } = await kit.call(write);

    expect(error).toMatchObject({
      code: "APPROVAL_REQUIRED",
      message:
        "Write needs approval, and no user is available to give it: Changing files in the workspace needs approval in default mode.",
      hint: "The user can allow it with the rule Edit(/a.txt), or by a mode that allows it.",
      data: { suggestion: "Edit(/a.txt)" },
    });
  });

  test("the error names no rule where none would do", async () => {
    const { kit } = await testKit({}, { files: { ".npmrc": "a\n" } });
    await kit.call({ name: "Read", input: { file_path: ".npmrc" } });

    const { error } = await kit.call({
      name: "Write",
      input: { file_path: ".npmrc", content: "b\n" },
    });

    expect(error).toMatchObject({
      code: "APPROVAL_REQUIRED",
      hint: "Run it where the user can answer, or in a mode that allows it.",
    });
    expect(error?.data ?? {}).toEqual({});
  });

  test("the one that sent the call is asked instead of the kit's own asker", async () => {
    const { kit, asked } = await asking([]);
    const own: Ask[] = [];
    const onAsk = async (ask: Ask): Promise<Answer> => {
      own.push(ask);
      return await Promise.resolve({ kind: "deny" });
    };

    const { error } = await kit.call(write, { sessionId: "s", onAsk });

    expect(error?.code).toBe("DENIED_BY_USER");
    expect([asked.length, own.length]).toEqual([0, 1]);
  });

  test.each([
    ["an error", new Error("The terminal is gone."), "APPROVAL_REQUIRED"],
    ["a text", "gone", "APPROVAL_REQUIRED"],
  ])("an asker that throws %s has given no answer", async (_, cause, code) => {
    const { kit, host } = await asking([], {
      onAsk: async () => await Promise.reject(cause),
    });

    const { error } = await kit.call(write, { sessionId: "s" });

    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(/^The user could not be asked: .*gone/u),
      hint: "Fix the program that asks; the call did not run.",
    });
    expect(host.control.texts()["/project/a.txt"]).toBe("old\n");
  });
});
