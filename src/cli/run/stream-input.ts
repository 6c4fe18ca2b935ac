import type { ToolkitOptions } from "../../index.ts";
import { UsageError } from "../usage-error.ts";
import type { Terminal } from "../terminal.ts";
import { slashCommandIn } from "./slash-commands.ts";

type OnAsk = NonNullable<ToolkitOptions["onAsk"]>;
type Answer = Awaited<ReturnType<OnAsk>>;

type UserLine = { readonly type: "user"; readonly text: string };
type InterruptLine = { readonly type: "interrupt" };
/** A message with nothing but `/compact`. */
type CompactLine = { readonly type: "compact" };

/** Line of `--input-format stream-json`. */
export type InputLine =
  | UserLine
  | { readonly type: "answer"; readonly id: string; readonly answer: unknown }
  | InterruptLine
  | CompactLine;

/** Reader of lines of a user: messages, answers to questions, and interruptions. */
export interface StreamInput {
  /** Puts a question to the reader of the events; its answer is a line with the id of the question. */
  readonly onAsk: OnAsk;
  /** Message for the next run; undefined once the input has ended. */
  nextMessage(): Promise<string | undefined>;
  /** Receives messages and interruptions while a run is active. */
  attach(run: RunInput): void;
  detach(): void;
  /** Ends reading, so that open input keeps no process alive. */
  close(): void;
}

/** Part of a run that input lines reach. */
export interface RunInput {
  /** Returns false if the run has ended. */
  send(text: string): boolean;
  abort(): void;
  /** Shortens the conversation before the next turn; resolves to whether it got shorter. */
  compact(): Promise<boolean>;
}

/** Reads lines until standard input ends. A line that cannot be understood is reported and skipped. */
export function streamInput(terminal: Terminal): StreamInput {
  const closing = new AbortController();
  const questions = new Map<string, (answer: Answer | undefined) => void>();
  /** Lines for the run that starts next, in order. */
  const waiting: (UserLine | InterruptLine | CompactLine)[] = [];
  /** The run that takes lines; an interrupted one takes no more. */
  let run: RunInput | undefined;
  /** Whether a task or message was taken for a run that is not attached yet. */
  let isStarting = true;
  let isEnded = false;
  let wake: (() => void) | undefined;
  const interrupt = (): void => {
    run?.abort();
    run = undefined;
  };
  const compact = (active: RunInput): void => {
    const shorten = async (): Promise<void> => {
      if (await active.compact()) return;
      report(terminal, "The conversation was not shortened: there is too little of it.");
    };
    shorten().catch(() => undefined);
  };
  const isHeld = (): boolean => waiting.some(({ type }) => type === "user");
  const take = (line: InputLine): void => {
    switch (line.type) {
      case "user":
        // A message after a command that waits for the end of the run waits too.
        if (isHeld() || !mayReach(line) || run?.send(line.text) !== true) waiting.push(line);
        return;
      case "answer": {
        const answered = questions.get(line.id);
        const answer = answerOf(line.answer);
        if (answered === undefined) report(terminal, `No question has the id ${line.id}.`);
        else if (answer === undefined) report(terminal, `The answer to ${line.id} has no kind.`);
        else answered(answer);
        return;
      }
      case "interrupt":
        if (run !== undefined) interrupt();
        else if (isStarting || waiting.length > 0) waiting.push(line);
        else report(terminal, "No run is active.");
        return;
      case "compact":
        if (run === undefined) waiting.push(line);
        else compact(run);
    }
  };
  const read = async (): Promise<void> => {
    try {
      for await (const text of terminal.readLines(closing.signal)) {
        if (text.trim() === "") continue;
        try {
          take(parseLine(text));
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          report(terminal, error.message);
        }
        wake?.();
      }
    } finally {
      isEnded = true;
      for (const answer of questions.values()) answer(undefined);
      wake?.();
    }
  };
  const reading = read();
  reading.catch(() => undefined);
  return {
    onAsk: async ({ callId }) => {
      if (isEnded) throw new Error("the input has ended");
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      questions.set(callId, resolve);
      const answer = await promise;
      questions.delete(callId);
      if (answer === undefined) throw new Error("the input has ended");
      return answer;
    },
    async nextMessage() {
      isStarting = false;
      for (;;) {
        const at = waiting.findIndex(({ type }) => type === "user");
        const line = waiting[at];
        if (line?.type === "user") {
          // An interruption before the message concerned no run; the conversation is compacted when one starts.
          const before = waiting.splice(0, at + 1).filter(({ type }) => type === "compact");
          waiting.unshift(...before);
          isStarting = true;
          return line.text;
        }
        if (isEnded) return undefined;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
    attach(next) {
      run = next;
      isStarting = false;
      // Lines between two runs belong to this one, up to its interruption.
      for (;;) {
        const line = waiting.shift();
        if (line === undefined) return;
        if (line.type === "interrupt") {
          interrupt();
          return;
        }
        if (line.type === "compact") {
          compact(next);
          continue;
        }
        if (mayReach(line) && next.send(line.text)) continue;
        waiting.unshift(line);
        return;
      }
    },
    detach: () => void (run = undefined),
    close: () => closing.abort(),
  };
}

/** Whether a message may reach the model of an active run: a command has a model, limits and an order of its own. */
function mayReach({ text }: UserLine): boolean {
  return slashCommandIn(text) === undefined;
}

/** An answer by its name alone, or the whole answer. The toolkit checks it, as it checks that of any program. */
function answerOf(answer: unknown): Answer | undefined {
  const whole: unknown = typeof answer === "string" ? { kind: answer } : answer;
  return isAnswer(whole) ? whole : undefined;
}

function isAnswer(value: unknown): value is Answer {
  return (
    typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string"
  );
}

/** Message that compacts the conversation instead of being sent to the model. */
export const compactCommand = "/compact";

/** Reads one line. Throws a UsageError that says what is wrong with it. */
export function parseLine(text: string): InputLine {
  const line = parsed(text);
  const type = line["type"];
  if (type === "user" && typeof line["text"] === "string" && line["text"].trim() !== "") {
    if (line["text"].trim() === compactCommand) return { type: "compact" };
    return { type, text: line["text"] };
  }
  if (type === "answer" && typeof line["id"] === "string" && line["answer"] !== undefined) {
    return { type, id: line["id"], answer: line["answer"] };
  }
  if (type === "interrupt") return { type };
  throw new UsageError(
    'An input line must be {"type":"user","text"}, {"type":"answer","id","answer"} or {"type":"interrupt"}.',
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // Reported below, like a value that is not an object.
  }
  throw new UsageError(`An input line is not a JSON object: ${text.slice(0, 80)}`);
}

function report(terminal: Terminal, message: string): void {
  terminal.err(`${message}\n`);
}
