import { expect, test } from "vitest";
import { reader, summarizer, textOf } from "../../../../test/fakes/compacted-runs.ts";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { startRun, type AgentRun } from "../run.ts";

test("compact() summarizes before the next turn", async () => {
  const asked: Promise<boolean>[] = [];
  const toolkit = fakeToolkit({
    Read: {
      run: () => {
        asked.push(agent.compact());
        return "x".repeat(5000);
      },
    },
  });
  const agent: AgentRun = startRun({
    toolkit,
    task: "go",
    model: reader(2),
    backgroundModel: summarizer(),
    compaction: { keepTurns: 1 },
  });

  const result = await agent.result;

  expect(result.status).toBe("done");
  expect((await Promise.all(asked)).at(-1)).toBe(true);
  expect(textOf(result.messages)).toContain("The summary.");
  expect(await agent.compact()).toBe(false);
});

/** Runs two short turns, in the first of which the user asks to compact, and returns what became of it. */
async function compactEarly(chars: number, summary: string) {
  const answers: Promise<boolean>[] = [];
  const toolkit = fakeToolkit({
    Read: {
      run: () => {
        answers.push(agent.compact());
        return "x".repeat(chars);
      },
    },
  });
  const small = summarizer(summary);
  const agent: AgentRun = startRun({
    toolkit,
    task: "go",
    model: reader(1),
    backgroundModel: small,
    compaction: { keepTurns: 1 },
  });
  const result = await agent.result;
  const events = toolkit.emitted.filter(({ type }) => type === "compaction");
  return { answers: await Promise.all(answers), events, result, small };
}

test("compact() asks no model about a conversation that is too short for a summary", async () => {
  const { answers, events, result, small } = await compactEarly(50, "The summary.");

  expect(answers).toEqual([false]);
  expect(events).toEqual([]);
  expect(small.requests).toEqual([]);
  expect(textOf(result.messages)).not.toContain("Summary of the earlier conversation");
});

test("compact() keeps a conversation that its summary would make longer", async () => {
  const { answers, events, result, small } = await compactEarly(4000, "word ".repeat(3000));

  expect(small.requests).toHaveLength(1);
  expect(answers).toEqual([false]);
  expect(events).toEqual([]);
  expect(textOf(result.messages)).not.toContain("Summary of the earlier conversation");
});
