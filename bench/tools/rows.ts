import { stat } from "node:fs/promises";
import { logLines, rareFiles, rareWord, type World } from "./corpus.ts";
import type { Subject } from "./subject.ts";

/** One workload: what is called, how often in a round, and how an answer is known to be right. */
export interface Row {
  readonly name: string;
  readonly goal: string;
  /** Calls in one round; a figure is their mean. */
  readonly calls: number;
  /** Whether a fresh process is measured once more for its memory. */
  readonly isForMemory: boolean;
  /** Undefined where the subject has no such tool. */
  run(subject: Subject, world: World): Promise<readonly string[]> | undefined;
  /** Why an answer is not right. */
  wrong(answers: readonly string[], world: World): string | undefined | Promise<string | undefined>;
}

const deepLine = 8_000_000;
const outputBytes = 1_000_000_000;

export const rows: readonly Row[] = [
  {
    name: "Grep, rare word",
    goal: "1.08x (big: 1.05x)",
    calls: 1,
    isForMemory: false,
    run: (subject) => one(subject.grep?.(rareWord)),
    wrong: ([text = ""]) =>
      count(text, "file.ts") >= rareFiles ? undefined : `not all ${rareFiles} matches`,
  },
  {
    name: "Grep, common word",
    goal: "1.3x",
    calls: 3,
    isForMemory: false,
    run: (subject) => one(subject.grep?.("return")),
    wrong: ([text = ""]) => (count(text, "return") >= 50 ? undefined : "hardly a match"),
  },
  {
    name: "Glob **/*.ts",
    goal: "0.7x, 10 kB",
    calls: 1,
    isForMemory: false,
    run: (subject) => one(subject.glob?.("**/*.ts")),
    wrong: ([text = ""]) => (count(text, ".ts") >= 50 ? undefined : "hardly a file"),
  },
  {
    name: "Read 50 lines, small file",
    goal: "2x",
    calls: 50,
    isForMemory: false,
    run: (subject, { small }) => one(subject.read?.(small, { offset: 1, limit: 50 })),
    wrong: ([text = ""]) =>
      text.includes("value50 ") && !text.includes("value51 ") ? undefined : "other lines",
  },
  {
    name: "Read head of 1 GB",
    goal: "1.3x",
    calls: 3,
    isForMemory: true,
    run: (subject, { log }) => one(subject.read?.(log, { offset: 1, limit: 200 })),
    wrong: ([text = ""]) =>
      text.includes("request 200 ") && !text.includes("request 201 ") ? undefined : "other lines",
  },
  {
    name: "Read 200 lines at 8,000,000",
    goal: "1.2x, +16 MiB; again 5 ms",
    calls: 1,
    isForMemory: true,
    run: (subject, { log }) => one(subject.read?.(log, { offset: deepLine, limit: 200 })),
    wrong: ([text = ""]) =>
      text.includes(`request ${deepLine} `) && text.includes(`request ${deepLine + 199} `)
        ? undefined
        : `other lines (${logLines} there are)`,
  },
  {
    name: "Edit, 200 lines",
    goal: "1.5x",
    calls: 10,
    isForMemory: false,
    run: (subject, { small }) => twice(subject, small, 120),
    wrong: async (_, { small }) => ((await stat(small)).size > 0 ? undefined : "the file is empty"),
  },
  {
    name: "Edit, 10 MB",
    goal: "2x, 200 MiB",
    calls: 1,
    isForMemory: true,
    run: (subject, { large }) => twice(subject, large, 120_000),
    wrong: async (_, { large }) => ((await stat(large)).size > 9e6 ? undefined : "a smaller file"),
  },
  {
    name: "Bash true",
    goal: "1.2x",
    calls: 10,
    isForMemory: false,
    run: (subject) => one(subject.bash?.("true")),
    wrong: () => undefined,
  },
  {
    name: "Bash, 1 GB of output",
    goal: "1.15x, 100 MiB, 30 kB",
    calls: 1,
    isForMemory: true,
    run: (subject) =>
      one(subject.bash?.(`yes 0123456789012345678901234567890 | head -c ${outputBytes}`)),
    wrong: ([text = ""]) => (text.length > 0 ? undefined : "nothing"),
  },
  {
    name: "Ten parallel reads",
    goal: "2x",
    calls: 10,
    isForMemory: false,
    run: (subject, { ten }) => {
      const { read } = subject;
      if (read === undefined) return undefined;
      return Promise.all(ten.map((file) => read.call(subject, file, { offset: 1, limit: 2000 })));
    },
    wrong: (answers) => (answers.length === 10 ? undefined : "not ten answers"),
  },
];

function one(answer: Promise<string> | undefined): Promise<readonly string[]> | undefined {
  return answer?.then((text) => [text]);
}

/** There and back, so that the next call finds the file as it was; a figure is for both. */
function twice(
  subject: Subject,
  file: string,
  line: number,
): Promise<readonly string[]> | undefined {
  const { edit } = subject;
  if (edit === undefined) return undefined;
  const before = `export const value${line} = compute(${line - 1}); // line ${line}`;
  const after = `export const value${line} = recompute(${line - 1}); // line ${line}`;
  return (async () => {
    await subject.prepareEdit?.(file);
    const there = await edit.call(subject, file, { from: before, to: after });
    return [there, await edit.call(subject, file, { from: after, to: before })];
  })();
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
