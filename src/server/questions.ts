import { randomUUID } from "node:crypto";
import { ToolError, type Answer, type Ask, type HaftEvent, type OnAsk } from "../core/index.ts";
import { HttpProblem } from "./reply.ts";

export interface QuestionOptions {
  /** Time in which a question must be answered. */
  readonly timeoutMs: number;
  /** Time for which a question stays open after the last reader of the events is gone, so that it can come back. */
  readonly graceMs: number;
}

interface Open {
  answer(answer: Answer): void;
  refuse(why: string): void;
}

/** A question as an event shows it. */
interface Shown {
  readonly seq: number;
  readonly id: string;
}

/**
 * Open questions, which the readers of the events answer by their id. A question that nobody reads, or that nobody
 * answers in time, approves nothing.
 */
export class Questions {
  readonly #options: QuestionOptions;
  readonly #open = new Map<string, Open>();
  /** Latest question of each running call. */
  readonly #latest = new Map<string, Shown>();
  /** Ids of open questions by the number of the event that shows them. */
  readonly #bySeq = new Map<number, string>();
  #readers = 0;
  #grace: NodeJS.Timeout | undefined;

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  /** Notes the questions of calls as their events pass; the kit emits one before it asks. */
  hear(event: HaftEvent): void {
    if (event.type === "call-end") this.#latest.delete(keyOf(event));
    if (event.type !== "permission-ask") return;
    this.#latest.set(keyOf(event), { seq: event.seq, id: `question-${randomUUID()}` });
  }

  /** Id of the question that an event shows, while it is open. */
  idFor(event: HaftEvent): string | undefined {
    if (event.type !== "permission-ask") return undefined;
    const id = this.#bySeq.get(event.seq);
    // An event of another process may have the same number.
    return id !== undefined && this.#latest.get(keyOf(event))?.id === id ? id : undefined;
  }

  /** Puts a question to the readers of the events. */
  readonly onAsk: OnAsk = async (ask, { signal }) => {
    if (this.#readers === 0) throw unanswered(ask, "No reader of the events can answer it.");
    const shown = this.#latest.get(keyOf(ask));
    if (shown === undefined) throw unanswered(ask, "No event shows it.");
    const { id, seq } = shown;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const refuse = (why: string): void => reject(unanswered(ask, why));
    const { timeoutMs } = this.#options;
    const deadline = setTimeout(
      () => refuse(`Nobody answered within ${timeoutMs / 1000} s.`),
      timeoutMs,
    );
    const onAbort = (): void => refuse("The call ended before the answer.");
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#open.set(id, { answer: resolve, refuse });
    this.#bySeq.set(seq, id);
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      this.#open.delete(id);
      this.#bySeq.delete(seq);
    }
  };

  /** Answers a question, once. */
  answer(id: string, answer: Answer): void {
    const open = this.#open.get(id);
    if (open === undefined) {
      throw new HttpProblem(404, "NOT_FOUND", {
        message: "No open question has this id: it was answered, or its call is over.",
        hint: "Take the id of a permission-ask event that is not answered.",
      });
    }
    this.#open.delete(id);
    open.answer(answer);
  }

  /** Counts a reader that can answer; call the returned function when it is gone. */
  addReader(): () => void {
    this.#readers += 1;
    clearTimeout(this.#grace);
    let isGone = false;
    return () => {
      if (isGone) return;
      isGone = true;
      this.#readers -= 1;
      if (this.#readers > 0) return;
      this.#grace = setTimeout(
        () => this.#refuseAll("The reader of the events that could answer is gone."),
        this.#options.graceMs,
      );
    };
  }

  close(): void {
    clearTimeout(this.#grace);
    this.#readers = 0;
    this.#refuseAll("The server ends.");
  }

  #refuseAll(why: string): void {
    for (const open of this.#open.values()) open.refuse(why);
  }
}

/** Identifies a running call: ids of calls are a model's own, so two sessions may use the same. */
function keyOf(of: Pick<HaftEvent, "sessionId" | "agentId"> & Pick<Ask, "callId">): string {
  return JSON.stringify([of.sessionId, of.agentId, of.callId]);
}

function unanswered({ tool, suggestion }: Ask, why: string): ToolError {
  return new ToolError("APPROVAL_REQUIRED", `${tool} needs an answer of the user. ${why}`, {
    hint: "Read GET /events and answer with POST /answer, or allow the call with a rule.",
    data: { asked: true, ...(suggestion === undefined ? {} : { suggestion }) },
  });
}
