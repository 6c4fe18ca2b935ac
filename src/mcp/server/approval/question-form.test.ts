import { expect, test } from "vitest";
import type { Ask } from "../../../core/index.ts";
import { approver } from "./approval.ts";
import type { Question } from "./question.ts";

const question: Ask = {
  kind: "question",
  callId: "c",
  tool: "AskUserQuestion",
  displayName: "Ask the user",
  input: {},
  effects: [{ kind: "interact" }],
  question: "Which\ndatabase?",
  reason: "Storage",
  options: [{ label: "SQLite", description: "One file." }, { label: "Postgres" }],
  trail: [],
  refusals: 0,
};

async function answered(result: unknown, change: Partial<Ask> = {}) {
  const asked: Question[] = [];
  const onAsk = approver(async (each) => {
    asked.push(each);
    return await Promise.resolve(result);
  });
  const answer = await onAsk({ ...question, ...change }, { signal: undefined });
  return { answer, asked };
}

test("a question is a form with its choices, or a text", async () => {
  const { asked } = await answered({ action: "accept", content: { choice: "SQLite" } });

  expect(asked).toMatchObject([
    {
      key: "question-1",
      method: "elicitation/create",
      params: {
        message: "Ask the user: Which database?\nStorage\n  SQLite: One file.\n  Postgres",
        requestedSchema: {
          properties: { choice: { enum: ["SQLite", "Postgres"] }, text: { type: "string" } },
          required: [],
        },
      },
    },
  ]);
});

test.each([
  [{ choice: "Postgres" }, {}, { kind: "answer", choices: ["Postgres"] }],
  [{ text: " both " }, {}, { kind: "answer", choices: [], text: "both" }],
  [
    { choice_1: true, choice_2: true, text: "" },
    { isMultiSelect: true },
    { kind: "answer", choices: ["SQLite", "Postgres"] },
  ],
  [{ text: "Ada" }, { options: [] }, { kind: "answer", choices: [], text: "Ada" }],
])("a form with %j for %j is %j", async (content, change, expected) => {
  expect((await answered({ action: "accept", content }, change)).answer).toEqual(expected);
});

test("declining a question declines it", async () => {
  expect((await answered({ action: "decline" })).answer).toEqual({ kind: "deny" });
});

test.each([
  [{ action: "cancel" }, {}],
  [{ action: "accept", content: {} }, {}],
  [{ action: "accept", content: { choice: "MySQL" } }, {}],
  [{ action: "accept", content: { choice: "MySQL", text: "x" } }, {}],
  [{ action: "accept", content: { choice_1: "true" } }, { isMultiSelect: true }],
  [{}, {}],
  ["yes", {}],
])("%j answers nothing", async (result, change) => {
  await expect(answered(result, change)).rejects.toMatchObject({
    code: "APPROVAL_REQUIRED",
    message: expect.stringMatching(/^The user did not answer, so nothing is approved\./u),
  });
});

test.each([
  [{ decision: "Allow once" }, { kind: "once" }],
  [
    { decision: "Change the input", input_as_json: '{"plan":"less"}' },
    { kind: "edit", input: { plan: "less" } },
  ],
  [
    { decision: "Deny", reason: "no" },
    { kind: "deny", reason: "no" },
  ],
])("a form of a plan with %j is %j", async (content, expected) => {
  const plan = { kind: "plan", input: { plan: "1.\n2." } } as const;

  const { answer, asked } = await answered({ action: "accept", content }, plan);

  expect(answer).toEqual(expected);
  expect(String(asked[0]?.params["message"])).toContain("plan: 1.\n    2.");
  await expect(answered({ action: "cancel" }, plan)).rejects.toMatchObject({
    code: "APPROVAL_REQUIRED",
  });
});
