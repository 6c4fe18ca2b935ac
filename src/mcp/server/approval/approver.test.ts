import { describe, expect, test } from "vitest";
import { readOf, runOf, unknownOf, writeOf } from "../../../../test/policy/policy-world.ts";
import { ToolError, type Ask } from "../../../core/index.ts";
import { approvalAnswer, approvalForm } from "./approval-form.ts";
import { approvalMessage, approver } from "./approval.ts";
import type { Question } from "./question.ts";

const question: Ask = {
  kind: "permission",
  callId: "call-1",
  tool: "Write",
  displayName: "Write file",
  input: { file_path: "a.txt", content: "hi" },
  effects: [writeOf("/ws/a.txt", "create")],
  question: "Create a.txt?",
  reason: "It is inside the workspace.",
  trail: [],
  refusals: 0,
};
const signal = new AbortController().signal;

function asked(answers: readonly unknown[]) {
  const questions: Question[] = [];
  const left = [...answers];
  const ask = async (each: Question): Promise<unknown> => {
    questions.push(each);
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return await Promise.resolve(answer);
  };
  return { questions, onAsk: approver(ask) };
}

const accept = (content: object) => ({ action: "accept", content });
const once = accept({ decision: "Allow once" });
const edit = accept({ decision: "Change the input", changed_content: "ho" });

describe("a permission question to a client", () => {
  test.each([
    { suggestion: undefined, bound: null },
    { suggestion: "Edit(/a.txt)", bound: "Edit(/a.txt)" },
  ])("is bound to all that a yes is about, with the rule $suggestion", async (given) => {
    const full = given.suggestion === undefined ? question : { ...question, ...given };
    const { questions, onAsk } = asked([once]);

    expect(await onAsk(full, { signal })).toEqual({ kind: "once" });
    expect(questions).toEqual([
      {
        key: "approval",
        method: "elicitation/create",
        params: {
          message: approvalMessage(full),
          requestedSchema: approvalForm(full),
        },
        binding: {
          tool: "Write",
          input: question.input,
          effects: question.effects,
          suggestion: given.bound,
        },
      },
    ]);
  });

  test("has another name after each change of the input, and after nothing else", async () => {
    const { questions, onAsk } = asked([once, edit, edit, once]);
    for (let count = 0; count < 4; count += 1) await onAsk(question, { signal });

    expect(questions.map(({ key }) => key)).toEqual([
      "approval",
      "approval",
      "approval-2",
      "approval-3",
    ]);
  });

  test.each([
    { suggestion: undefined, data: { asked: true } },
    { suggestion: "Edit(/a.txt)", data: { asked: true, suggestion: "Edit(/a.txt)" } },
  ])("that nobody answers needs a yes still: $data", async ({ suggestion, data }) => {
    const { onAsk } = asked([new ToolError("TIMEOUT", "Nobody answered.")]);
    const full = suggestion === undefined ? question : { ...question, suggestion };

    await expect(onAsk(full, { signal })).rejects.toMatchObject({
      code: "APPROVAL_REQUIRED",
      message: "Write needs approval. Nobody answered.",
      hint: "Send the call again when a user can answer.",
      data,
    });
  });

  test.each([new ToolError("ABORTED", "It is over."), new TypeError("A mistake.")])(
    "that ends with %s tells that as it is",
    async (cause) => {
      await expect(asked([cause]).onAsk(question, { signal })).rejects.toBe(cause);
    },
  );
});

describe("the form of a question", () => {
  test("offers what can be answered, in words", () => {
    const { input } = question;
    const properties = {
      decision: { type: "string", title: "Your decision", enum: expect.anything() },
      reason: { type: "string", title: "If you deny: why, for the model to read" },
      changed_file_path: {
        type: "string",
        title: "If you change the input: file_path",
        default: "a.txt",
      },
      changed_content: {
        type: "string",
        title: "If you change the input: content",
        default: "hi",
      },
    };

    expect(approvalForm({ input })).toEqual({
      type: "object",
      properties: {
        ...properties,
        decision: { ...properties.decision, enum: ["Allow once", "Change the input", "Deny"] },
      },
      required: ["decision"],
    });
    expect(approvalForm({ input, suggestion: "Edit" })).toMatchObject({
      properties: {
        decision: {
          enum: ["Allow once", "Allow for this session", "Change the input", "Deny"],
        },
      },
    });
  });

  test.each([
    { input: {}, because: "there is no part" },
    { input: [1], because: "it is a list" },
    { input: { "a b": 1 }, because: "the name of a part is none of a field" },
    { input: { a: null }, because: "a part is of no kind that fields have" },
    { input: { a: "x\ny" }, because: "a part has lines" },
    { input: { a: "x".repeat(2001) }, because: "a part is too long" },
    {
      input: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`a${at}`, at])),
      because: "there are too many parts",
    },
  ])("offers the whole as JSON where $because", ({ input }) => {
    expect(approvalForm({ input })["properties"]).toMatchObject({
      input_as_json: {
        type: "string",
        title: "If you change the input: all of it, as JSON",
        default: JSON.stringify(input),
      },
    });
  });

  test.each([undefined, { a: "x".repeat(10_001) }])(
    "offers no change of what is not there or too long",
    (input) => {
      expect(approvalForm({ input })).toMatchObject({
        properties: { decision: { enum: ["Allow once", "Deny"] } },
      });
      expect(() => approvalAnswer({ input }, edit)).toThrow("not one of the offered choices");
    },
  );
});

describe("the answer in a form", () => {
  const offered = { input: question.input, suggestion: "Edit(/a.txt)" };

  test.each([
    { answer: once, is: { kind: "once" } },
    {
      answer: accept({ decision: "Allow for this session" }),
      is: { kind: "save", rule: "Edit(/a.txt)", scope: "session" },
    },
    { answer: edit, is: { kind: "edit", input: { file_path: "a.txt", content: "ho" } } },
    { answer: accept({ decision: "Deny" }), is: { kind: "deny" } },
    { answer: accept({ decision: "Deny", reason: " " }), is: { kind: "deny" } },
    { answer: accept({ decision: "Deny", reason: 7 }), is: { kind: "deny" } },
    { answer: accept({ decision: "Deny", reason: " no " }), is: { kind: "deny", reason: "no" } },
    { answer: { action: "decline" }, is: { kind: "deny" } },
    { answer: { action: "decline", content: { decision: "Allow once" } }, is: { kind: "deny" } },
  ])("$answer is $is", ({ answer, is }) => {
    expect(approvalAnswer(offered, answer)).toStrictEqual(is);
  });

  test.each([
    undefined,
    null,
    "accept",
    {},
    { action: "accept" },
    { action: "accept", content: "Allow once" },
    { action: "cancel", content: { decision: "Allow once" } },
    { action: "later", content: { decision: "Allow once" } },
    { content: { decision: "Allow once" } },
    accept({}),
    accept({ decision: "allow once" }),
    accept({ decision: true }),
  ])("%j is not an answer, and not a yes", (answer) => {
    expect(() => approvalAnswer(offered, answer)).toThrow(/client/u);
  });

  test("saves no rule that was not offered", () => {
    const answer = accept({ decision: "Allow for this session" });

    expect(() => approvalAnswer({ input: {} }, answer)).toThrow("not one of the offered choices");
  });
});

describe("what a person reads", () => {
  test.each([
    { effects: [], reads: ["touch nothing that is known"] },
    { effects: [writeOf("/ws/a", "create")], reads: ["create /ws/a"] },
    { effects: [writeOf("/ws/a", "modify")], reads: ["change /ws/a"] },
    { effects: [writeOf("/ws/a", "delete")], reads: ["delete /ws/a"] },
    { effects: [writeOf("/ws/a", "any", "tree")], reads: ["write to /ws/a and everything below"] },
    { effects: [readOf("/ws", "tree")], reads: ["read /ws and everything below"] },
    { effects: [readOf("/ws/a")], reads: ["read /ws/a"] },
    { effects: [{ kind: "connect", host: "a.org", port: 8443 }], reads: ["connect to a.org:8443"] },
    { effects: [{ kind: "connect", host: "a.org" }], reads: ["connect to a.org"] },
  ] as const)("of $effects is $reads", ({ effects, reads }) => {
    const lines = approvalMessage({ ...question, effects }).split("\n");
    const at = lines.indexOf("It would:") + 1;

    expect(lines.slice(at, at + reads.length).map((line) => line.trim())).toEqual(reads);
  });

  test("of too many effects is those that weigh most, and how many more there are", () => {
    const effects = [
      readOf("/ws/a"),
      runOf("ls", { consequences: "listed" }),
      writeOf("/ws/a"),
      { kind: "connect", host: "a.org" },
      runOf("npm test"),
      { kind: "delegate", agent: "tester" },
      unknownOf("npm"),
    ] as const;
    const many = [...effects, ...Array.from({ length: 16 }, () => ({ kind: "interact" }) as const)];
    const lines = approvalMessage({ ...question, effects: many }).split("\n");
    const at = lines.indexOf("It would:") + 1;
    const shown = lines.slice(at, at + 21).map((line) => line.trim());

    expect(shown[0]).toContain("npm can run arbitrary code");
    expect(shown[1]).toContain("tester");
    expect(shown[2]).toContain("npm test");
    expect(shown.slice(3, 6)).toEqual(["connect to a.org", "change /ws/a", "read /ws/a"]);
    expect(shown[20]).toBe("and 3 more");
    expect(shown.filter((line) => line.includes("ls"))).toEqual([]);
  });

  test.each([
    { refusals: 0, reads: undefined },
    { refusals: 1, reads: "This exact call was refused once before." },
    { refusals: 3, reads: "This exact call was refused 3 times before." },
  ])("of $refusals refusals is $reads", ({ refusals, reads }) => {
    const lines = approvalMessage({ ...question, refusals }).split("\n");

    expect(lines.find((line) => line.startsWith("This exact call"))).toBe(reads);
  });

  test.each([
    { input: "plain", reads: '"plain"' },
    { input: undefined, reads: "" },
    { input: [1, 2], reads: "[1,2]" },
  ])("of an input that is not an object, $input, is its JSON", ({ input, reads }) => {
    const lines = approvalMessage({ ...question, input }).split("\n");

    expect(lines[lines.indexOf("Input:") + 1]?.trim()).toBe(reads);
  });
});
