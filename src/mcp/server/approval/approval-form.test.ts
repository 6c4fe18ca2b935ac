import { expect, test } from "vitest";
import { approvalAnswer, approvalForm } from "./approval-form.ts";

const edit = (content: object) => ({
  action: "accept",
  content: { decision: "Change the input", ...content },
});

test.each([
  {
    input: { command: "npm i", timeout: 5, run_in_background: false },
    given: { changed_command: "npm ci" },
    becomes: { command: "npm ci", timeout: 5, run_in_background: false },
    because: "each part is a field, and what did not come back stays",
  },
  {
    input: { edits: [1], path: "a" },
    given: { input_as_json: '{"edits":[]}' },
    becomes: { edits: [] },
    because: "forms hold no lists, so the whole is one field",
  },
  {
    input: { content: "a\nb" },
    given: { input_as_json: '{"content":"b\\n"}' },
    becomes: { content: "b\n" },
    because: "line ends stay as they are in JSON",
  },
  {
    input: { command: "ls \u202E\u{E0041}\u001B[2J" },
    given: { input_as_json: String.raw`{"command":"ls \u202e\udb40\udc41\u001b[2J"}` },
    becomes: { command: "ls \u202E\u{E0041}\u001B[2J" },
    because: "what would not be seen is spelled",
  },
  {
    input: { input: "a" },
    given: { changed_input: "b" },
    becomes: { input: "b" },
    because: "a part may be called input",
  },
])("the input is changed: $because", ({ input, given, becomes }) => {
  expect(approvalAnswer({ input }, edit(given))).toEqual({ kind: "edit", input: becomes });
  const fields = Object.keys(given);
  expect(approvalForm({ input })["properties"]).toMatchObject(
    Object.fromEntries(fields.map((name) => [name, { default: expect.anything() }])),
  );
});

test("a form holds nothing that would not be seen", () => {
  const input = { command: "ls \u202E\u{E0041}\u001B[2J" };

  expect(approvalForm({ input })["properties"]).toMatchObject({
    input_as_json: { default: String.raw`{"command":"ls \u202e\udb40\udc41\u001b[2J"}` },
  });
});

test.each([
  {
    input: { edits: [1] },
    answer: edit({ input_as_json: "{" }),
    says: "The changed input is not JSON.",
  },
  { input: { edits: [1] }, answer: edit({}), says: "The changed input is not JSON." },
  {
    input: { content: "x".repeat(20_000) },
    answer: edit({}),
    says: "The client's answer is not one of the offered choices.",
  },
])("$says", ({ input, answer, says }) => {
  expect(() => approvalAnswer({ input }, answer)).toThrow(says);
});

test("what is too long for a form is not offered to be changed", () => {
  const form = approvalForm({ input: { content: "x".repeat(20_000) }, suggestion: "Write" });

  expect(form["properties"]).toEqual({
    decision: {
      type: "string",
      title: "Your decision",
      enum: ["Allow once", "Allow for this session", "Deny"],
    },
    reason: expect.anything(),
  });
});
