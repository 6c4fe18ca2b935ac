import { z } from "zod";
import { defineTool, people, ToolError, type UserReply } from "../../core/index.ts";

const maxQuestions = 4;
const maxOptions = 10;

const Option = z.strictObject({
  label: z.string().trim().min(1),
  description: z.string().optional(),
});

const Question = z.strictObject({
  question: z.string().trim().min(1),
  header: z.string().optional(),
  options: z.array(Option).max(maxOptions).default([]),
  multi_select: z.boolean().optional(),
});

const Input = z.strictObject({
  questions: z
    .array(Question)
    .min(1)
    .max(maxQuestions)
    .describe("The user may also type an answer."),
});

type AskedQuestion = z.infer<typeof Question>;

export const askUserQuestion = defineTool({
  name: "AskUserQuestion",
  displayName: "Ask the user",
  description:
    "Ask the user what only they can decide, with choices. Not for approval of a call: haft asks for that.",
  category: "interaction",
  searchHint: "ask user question choice clarify decide prompt",
  aliases: ["AskUser"],
  input: Input,
  touches: ["interact"],
  needs: [people],
  effects: () => [{ kind: "interact" }],
  signature: ({ questions }) => `AskUserQuestion ${questions[0]?.question ?? ""}`,

  async run({ questions }, context) {
    for (const each of questions) requireDistinct(each);
    const answers: { readonly question: string; readonly reply: UserReply }[] = [];
    for (const { question, header, options, multi_select: isMultiSelect } of questions) {
      const choices = options.map(({ label, description }) => ({
        label,
        ...(description === undefined ? {} : { description }),
      }));
      const asked = {
        kind: "question",
        question,
        header,
        isMultiSelect,
        ...(choices.length === 0 ? {} : { options: choices }),
      } as const;
      answers.push({ question, reply: await context.ask(asked) });
    }
    return {
      content: answers.map(({ question, reply }) => `${question}\n${says(reply)}`).join("\n\n"),
      title: "Ask the user",
      summary: answers.map(({ reply }) => short(reply)).join("; "),
      metadata: { answers: answers.map(({ question, reply }) => ({ question, ...reply })) },
    };
  },

  async preview({ questions }) {
    const asked = questions.map(({ question }) => question).join("\n");
    return { summary: `Would ask you:\n${asked}`, changes: [] };
  },
});

/** Two choices with one label could not be told apart in the answer. */
function requireDistinct({ question, options }: AskedQuestion): void {
  const labels = options.map(({ label }) => label);
  if (new Set(labels).size === labels.length) return;
  throw new ToolError(
    "INVALID_INPUT",
    `Two options of the question ${JSON.stringify(question)} are the same.`,
    {
      hint: "Give each option a label of its own.",
    },
  );
}

function says(reply: UserReply): string {
  switch (reply.kind) {
    case "answer": {
      const { choices, text } = reply;
      const parts = [
        ...(choices.length === 0 ? [] : [`The user chose: ${choices.join(", ")}`]),
        ...(text === undefined || text === "" ? [] : [`The user says: ${text}`]),
      ];
      return parts.join("\n");
    }
    case "refused":
      return reply.reason === undefined
        ? "The user did not want to answer. Nothing is approved."
        : `The user did not want to answer, so nothing is approved: ${reply.reason}`;
    case "automatic":
    case "approved":
      return "No user was asked, because questions are answered automatically here, and nothing was chosen. Decide by yourself, and say what you assumed.";
  }
}

function short(reply: UserReply): string {
  if (reply.kind === "answer") return [...reply.choices, reply.text ?? []].flat().join(", ");
  return reply.kind === "refused" ? "not answered" : "nobody asked";
}
