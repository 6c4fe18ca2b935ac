import { UserLeft } from "../../src/cli/prompt/lines.ts";
import type { Terminal } from "../../src/cli/terminal.ts";

export interface FakeTerminal extends Terminal {
  /** Everything printed on standard output, and on standard error. */
  readonly output: () => string;
  readonly errors: () => string;
  /** The questions that were put, with the text offered in their line. */
  readonly questions: readonly string[];
  /** Lets this many milliseconds pass. */
  pass(milliseconds: number): void;
  readonly timers: () => number;
}

export interface FakeTerminalOptions {
  readonly isInteractive?: boolean;
  readonly isOutputRead?: boolean;
  readonly isOutputShown?: boolean;
  readonly hasColours?: boolean;
  readonly columns?: number;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Lines that a person types, one for each question; they leave after the last. Without it nobody can be asked. */
  readonly answers?: readonly string[];
  /** Lines of standard input as they arrive. Default: those of `stdin`. */
  readonly lines?: () => AsyncIterable<string>;
  /** Called with everything printed on standard output. */
  readonly onOutput?: (text: string) => void;
  /** Called with everything printed on standard error. */
  readonly onError?: (text: string) => void;
  /** Called while they think. */
  readonly onQuestion?: () => Promise<void>;
}

/** A terminal that records its input, with a clock that is moved by hand. */
export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const { answers, hasColours = false, isInteractive = answers !== undefined } = options;
  let output = "";
  let errors = "";
  let now = 0;
  const left = [...(answers ?? [])];
  const questions: string[] = [];
  const timers = new Set<{ readonly every: number; readonly act: () => void; next: number }>();
  return {
    out: (text) => {
      output += text;
      options.onOutput?.(text);
    },
    err: (text) => {
      errors += text;
      options.onError?.(text);
    },
    raw: (text, stream) => {
      if (stream === "out") output += text;
      else errors += text;
    },
    output: () => output,
    errors: () => errors,
    questions,
    style: (style, text) => (hasColours ? `<${style}>${text}</${style}>` : text),
    isInteractive,
    isOutputRead: options.isOutputRead ?? false,
    isOutputShown: options.isOutputShown ?? options.isOutputRead ?? false,
    isAttached: isInteractive,
    canAsk: answers !== undefined,
    columns: options.columns ?? 80,
    readStdin: async () => options.stdin ?? "",
    readLines: async function* readLines() {
      if (options.lines !== undefined) yield* options.lines();
      else yield* (options.stdin ?? "").replace(/\n$/u, "").split("\n");
    },
    openLines: async () => ({
      async question(text, { offered } = {}) {
        questions.push(offered === undefined ? text : `${text}${offered}`);
        await options.onQuestion?.();
        const answer = left.shift();
        if (answer === undefined) throw new UserLeft();
        return answer;
      },
      close: () => undefined,
    }),
    now: () => now,
    every(milliseconds, act) {
      const timer = { every: milliseconds, act, next: now + milliseconds };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const due = [...timers]
          .filter(({ next }) => next <= until)
          .toSorted((one, other) => one.next - other.next)[0];
        if (due === undefined) break;
        now = due.next;
        due.next += due.every;
        due.act();
      }
      now = until;
    },
    timers: () => timers.size,
    env: options.env ?? {},
    cwd: options.cwd ?? "/",
  };
}
