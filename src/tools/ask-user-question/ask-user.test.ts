import { describe, expect, test } from "vitest";
import { gate, settled, simpleTool, testKit } from "../../../test/support/kit.ts";
import type { Answer, Ask, HaftEvent, Mode, OnAsk } from "../../core/index.ts";
import type { ToolkitOptions } from "../../kit/index.ts";

const question = {
  question: "Which database?",
  options: [{ label: "SQLite", description: "One file." }, { label: "Postgres" }],
};

async function asked(
  answer: Answer | OnAsk | undefined,
  { input = { questions: [question] }, ...options }: ToolkitOptions & { input?: object } = {},
) {
  const asks: Ask[] = [];
  const events: HaftEvent[] = [];
  const onAsk: OnAsk | undefined =
    answer === undefined || typeof answer === "function"
      ? answer
      : async (ask) => {
          asks.push(ask);
          return await Promise.resolve(answer);
        };
  const { kit } = await testKit({
    ...(onAsk === undefined ? {} : { onAsk }),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const outcome = await kit.call({ name: "AskUserQuestion", input });
  await kit.dispose();
  return { outcome, asks, events };
}

describe("a question to the user", () => {
  test("carries its choices, and its answer goes to the model", async () => {
    const { outcome, asks, events } = await asked({ kind: "answer", choices: ["Postgres"] });

    expect(asks).toMatchObject([
      {
        kind: "question",
        tool: "AskUserQuestion",
        question: "Which database?",
        options: question.options,
        refusals: 0,
      },
    ]);
    expect(outcome.text).toBe("Which database?\nThe user chose: Postgres");
    expect(outcome.metadata["answers"]).toEqual([
      { question: "Which database?", kind: "answer", choices: ["Postgres"] },
    ]);
    expect(events.flatMap(({ type }) => (type.startsWith("permission") ? type : []))).toEqual([
      "permission-ask",
      "permission-answer",
    ]);
  });

  test("takes several choices, own words, and several questions in order", async () => {
    const answers: Answer[] = [
      { kind: "answer", choices: ["a", "c"], text: "and d" },
      { kind: "answer", choices: [], text: "Ada" },
      { kind: "deny", reason: "later" },
    ];
    const questions = [
      {
        question: "Which?",
        multi_select: true,
        options: ["a", "b", "c"].map((label) => ({ label })),
      },
      { question: "Who?" },
      { question: "When?", header: "Time" },
    ];
    const seen: Ask[] = [];

    const { outcome } = await asked(
      async (ask) => {
        seen.push(ask);
        return await Promise.resolve(answers.shift() ?? { kind: "abort" });
      },
      { input: { questions } },
    );

    expect(seen.map(({ isMultiSelect, reason }) => [isMultiSelect, reason])).toEqual([
      [true, "The agent asks."],
      [undefined, "The agent asks."],
      [undefined, "Time"],
    ]);
    expect(outcome.text).toMatchInlineSnapshot(`
      "Which?
      The user chose: a, c
      The user says: and d

      Who?
      The user says: Ada

      When?
      The user did not want to answer, so nothing is approved: later"
    `);
  });

  const refused: readonly {
    readonly answer: unknown;
    readonly mode?: Mode;
    readonly code: string;
    readonly says: string;
  }[] = [
    { answer: undefined, code: "APPROVAL_REQUIRED", says: "no user is available" },
    {
      answer: { kind: "answer", choices: ["SQLite"] },
      mode: "dontAsk",
      code: "APPROVAL_REQUIRED",
      says: "dontAsk mode asks no questions",
    },
    { answer: { kind: "abort" }, code: "ABORTED", says: "ended this turn" },
    {
      answer: { kind: "answer", choices: ["MySQL"] },
      code: "APPROVAL_REQUIRED",
      says: "not offered",
    },
    {
      answer: { kind: "answer", choices: ["SQLite", "Postgres"] },
      code: "APPROVAL_REQUIRED",
      says: "not offered",
    },
    { answer: { kind: "answer", choices: [] }, code: "APPROVAL_REQUIRED", says: 'kind "answer"' },
    { answer: { kind: "edit", input: {} }, code: "APPROVAL_REQUIRED", says: 'kind "edit"' },
    { answer: { kind: "yes" }, code: "APPROVAL_REQUIRED", says: 'kind "yes"' },
  ];

  test.each(refused)(
    "that gets $answer is an error ($says)",
    async ({ answer, mode, code, says }) => {
      const { outcome } = await asked(answer as Answer, mode === undefined ? {} : { mode });

      expect(outcome.error).toMatchObject({ code, message: expect.stringContaining(says) });
    },
  );

  test("that takes several choices takes none that was not offered", async () => {
    const questions = [{ ...question, multi_select: true }];

    const { outcome } = await asked(
      { kind: "answer", choices: ["SQLite", "MySQL"] },
      { input: { questions } },
    );

    expect(outcome.error).toMatchObject({
      code: "APPROVAL_REQUIRED",
      message: expect.stringContaining("not offered"),
    });
  });

  test("that is declined or answered automatically says that nothing was agreed to", async () => {
    const declined = await asked({ kind: "deny" });
    const automatic = await asked({ kind: "once" }, { mode: "bypassPermissions" });

    expect(declined.outcome.text).toContain("did not want to answer. Nothing is approved.");
    expect(automatic.outcome.text).toContain("No user was asked");
    expect(automatic.outcome.text).toContain("nothing was chosen");
  });

  test("with two choices of one name is refused before anybody is asked", async () => {
    const questions = [{ question: "Which?", options: [{ label: "a" }, { label: "a" }] }];
    const { outcome, asks } = await asked({ kind: "deny" }, { input: { questions } });

    expect(outcome.error).toMatchObject({ code: "INVALID_INPUT" });
    expect(asks).toEqual([]);
  });

  test("waits in the queue behind a question about permission, and its time does not run", async () => {
    const first = gate();
    const order: string[] = [];
    const tool = simpleTool("Push", () => ({ content: "pushed" }), {
      touches: ["unknown"],
      effects: () => [{ kind: "unknown", because: "it pushes", origin: "Push" }],
    });
    const { kit, host } = await testKit({
      tools: { extra: [tool] },
      onAsk: async ({ kind }) => {
        order.push(kind);
        if (kind === "permission") await first.passed;
        return kind === "permission" ? { kind: "once" } : { kind: "answer", choices: ["SQLite"] };
      },
    });

    const pushing = kit.call({ name: "Push", input: {} });
    await settled();
    const asking = kit.call({ name: "AskUserQuestion", input: { questions: [question] } });
    await settled();
    host.control.advance(3_600_000);
    await settled();
    expect(order).toEqual(["permission"]);
    first.open();

    expect((await pushing).status).toBe("ok");
    expect((await asking).status).toBe("ok");
    expect(order).toEqual(["permission", "question"]);
    await kit.dispose();
  });

  test("is offered only where a user can be asked", async () => {
    const { kit: alone } = await testKit();
    const { kit: asking } = await testKit({ onAsk: async () => ({ kind: "deny" }) });
    const isOffered = (kit: typeof alone, name: string, mode?: Mode): boolean =>
      kit.listings(mode === undefined ? {} : { mode }).some((each) => each.name === name);

    expect(isOffered(alone, "AskUserQuestion")).toBe(false);
    expect(isOffered(asking, "AskUserQuestion")).toBe(true);
    expect(isOffered(asking, "ExitPlanMode")).toBe(false);
    expect(isOffered(asking, "ExitPlanMode", "plan")).toBe(true);
    await alone.dispose();
    await asking.dispose();
  });

  test("of a tool that does not say that it asks is refused", async () => {
    const tool = simpleTool("Sly", async (_input, context) => {
      await context.ask({ kind: "question", question: "Yes?" });
      return { content: "" };
    });
    const { kit } = await testKit({
      tools: { extra: [tool] },
      onAsk: async () => ({ kind: "answer", choices: [], text: "yes" }),
    });

    const outcome = await kit.call({ name: "Sly", input: {} });

    expect(outcome.error).toMatchObject({ code: "UNDECLARED_EFFECT" });
    await kit.dispose();
  });
});
