import { stat } from "node:fs/promises";
import { logLines, rareFiles, rareWord, sourceLine, type World } from "./corpus.ts";
import type { Subject } from "./subject.ts";

/** One workload: what is called, how often in a round, and how an answer is known to be right. */
export interface Row {
  readonly name: string;
  readonly goal: Goal;
  /** Calls in one round; a figure is their mean. */
  readonly calls: number;
  /** Whether a fresh process is measured once more for its memory. */
  readonly isForMemory: boolean;
  /** Whether every round has a fresh process, which knows nothing of the rounds before. */
  readonly isFresh?: boolean;
  /** Called before the clock starts. */
  prepare?(subject: Subject, world: World): Promise<unknown> | undefined;
  /** Undefined where the subject has no such tool. */
  run(subject: Subject, world: World): Promise<readonly string[]> | undefined;
  /** Why an answer is not right. */
  wrong(answers: readonly string[], world: World): string | undefined | Promise<string | undefined>;
}

/** Goals of haft in a row; a missing field has no goal. */
export interface Goal {
  /** Maximum ratio to the floor. */
  readonly ratio?: number;
  /** The same in the big corpus, where it differs. */
  readonly bigRatio?: number;
  readonly ms?: number;
  readonly peakMb?: number;
  /** More than the floor's peak. */
  readonly overFloorMb?: number;
  /** Of the answer. */
  readonly bytes?: number;
}

const deepLine = 8_000_000;
const outputBytes = 1_000_000_000;

export const rows: readonly Row[] = [
  {
    name: "Grep, rare word",
    goal: { ratio: 1.08, bigRatio: 1.05 },
    calls: 1,
    isForMemory: false,
    run: (subject) => one(subject.grep?.(rareWord)),
    wrong: ([text = ""]) =>
      count(text, "file.ts") >= rareFiles ? undefined : `not all ${rareFiles} matches`,
  },
  {
    name: "Grep, common word",
    goal: { ratio: 1.3 },
    calls: 3,
    isForMemory: false,
    run: (subject) => one(subject.grep?.("return")),
    wrong: ([text = ""]) => (count(text, "return") >= 50 ? undefined : "hardly a match"),
  },
  {
    name: "Grep, rare word, confined",
    goal: { ratio: 1.08, bigRatio: 1.05 },
    calls: 1,
    isForMemory: false,
    run: (subject) => one(subject.confinedGrep?.(rareWord)),
    wrong: ([text = ""]) =>
      count(text, "file.ts") >= rareFiles ? undefined : `not all ${rareFiles} matches`,
  },
  {
    name: "Grep, common word, confined",
    goal: { ratio: 1.3 },
    calls: 3,
    isForMemory: false,
    run: (subject) => one(subject.confinedGrep?.("return")),
    wrong: ([text = ""]) => (count(text, "return") >= 50 ? undefined : "hardly a match"),
  },
  {
    name: "Glob **/*.ts",
    goal: { ratio: 0.7, bytes: 10_000 },
    calls: 1,
    isForMemory: false,
    run: (subject) => one(subject.glob?.("**/*.ts")),
    wrong: ([text = ""]) => (count(text, ".ts") >= 50 ? undefined : "hardly a file"),
  },
  {
    name: "Read 50 lines, small file",
    goal: { ratio: 2 },
    calls: 50,
    isForMemory: false,
    run: (subject, { small }) => one(subject.read?.(small, { offset: 1, limit: 50 })),
    wrong: ([text = ""]) =>
      text.includes("value50 ") && !text.includes("value51 ") ? undefined : "other lines",
  },
  {
    name: "Read head of 1 GB",
    goal: { ratio: 1.3 },
    calls: 3,
    isForMemory: true,
    run: (subject, { log }) => one(subject.read?.(log, { offset: 1, limit: 200 })),
    wrong: ([text = ""]) =>
      text.includes("request 200 ") && !text.includes("request 201 ") ? undefined : "other lines",
  },
  {
    name: "Read 200 lines at 8,000,000",
    goal: { ratio: 1.2, overFloorMb: 16 },
    calls: 1,
    isForMemory: true,
    isFresh: true,
    // The tool is loaded by then, but nothing is known of the log.
    prepare: (subject, { small }) => subject.read?.(small, { offset: 1, limit: 50 }),
    run: readDeep,
    wrong: notDeep,
  },
  {
    name: "the same lines again",
    goal: { ms: 5 },
    calls: 3,
    isForMemory: false,
    run: readDeep,
    wrong: notDeep,
  },
  {
    // No peer stores the old content or waits for the disk. haft does both before the change is visible, so that a
    // power cut leaves the old file or the new one and the edit can be undone; `floor-durable` is the least cost of
    // that.
    name: "Edit, 200 lines",
    goal: { ratio: 1.5 },
    calls: 50,
    isForMemory: false,
    run: (subject, { small }) => twice(subject, small, 120),
    wrong: async (_, { small }) => ((await stat(small)).size > 0 ? undefined : "the file is empty"),
  },
  {
    name: "Edit, 10 MB",
    goal: { ratio: 2, peakMb: 200 },
    calls: 1,
    isForMemory: true,
    run: (subject, { large }) => twice(subject, large, 120_000),
    wrong: async (_, { large }) => ((await stat(large)).size > 9e6 ? undefined : "a smaller file"),
  },
  {
    name: "Bash true",
    goal: { ratio: 1.2 },
    calls: 10,
    isForMemory: false,
    run: (subject) => one(subject.bash?.("true")),
    wrong: () => undefined,
  },
  {
    name: "Bash true, confined",
    goal: {},
    calls: 10,
    isForMemory: false,
    run: (subject) => one(subject.confined?.("true")),
    wrong: () => undefined,
  },
  {
    name: "Bash that writes a file",
    goal: {},
    calls: 10,
    isForMemory: false,
    run: (subject) => one(subject.bash?.("date > bench-written")),
    wrong: () => undefined,
  },
  {
    name: "Bash that writes a file, confined and undoable",
    goal: {},
    calls: 10,
    isForMemory: false,
    run: (subject) => one(subject.confined?.("date > bench-written")),
    wrong: () => undefined,
  },
  {
    name: "Bash, 1 GB of output",
    goal: { ratio: 1.15, peakMb: 100, bytes: 30_000 },
    calls: 1,
    isForMemory: true,
    run: (subject) =>
      one(subject.bash?.(`yes 0123456789012345678901234567890 | head -c ${outputBytes}`)),
    wrong: ([text = ""]) => (text.length > 0 ? undefined : "nothing"),
  },
  {
    name: "Ten parallel reads",
    goal: { ratio: 2 },
    calls: 50,
    isForMemory: false,
    run: (subject, { ten }) => {
      const answers = ten.map((file) => subject.read?.(file, { offset: 1, limit: 2000 }));
      return Promise.all(answers.filter((answer) => answer !== undefined));
    },
    wrong: (answers) => (answers.length === 10 ? undefined : "not ten answers"),
  },
];

function readDeep(subject: Subject, { log }: World): Promise<readonly string[]> | undefined {
  return one(subject.read?.(log, { offset: deepLine, limit: 200 }));
}

function notDeep([text = ""]: readonly string[]): string | undefined {
  return text.includes(`request ${deepLine} `) && text.includes(`request ${deepLine + 199} `)
    ? undefined
    : `other lines (${logLines} there are)`;
}

function one(answer: Promise<string> | undefined): Promise<readonly string[]> | undefined {
  return answer?.then((text) => [text]);
}

/** There and back, so that the next call finds the file as it was; a figure is for both. */
function twice(
  subject: Subject,
  file: string,
  line: number,
): Promise<readonly string[]> | undefined {
  if (subject.edit === undefined) return undefined;
  const before = sourceLine(line);
  const after = before.replace("compute", "recompute");
  return (async () => {
    await subject.prepareEdit?.(file);
    const there = await subject.edit?.(file, { from: before, to: after });
    const back = await subject.edit?.(file, { from: after, to: before });
    return [there ?? "", back ?? ""];
  })();
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
