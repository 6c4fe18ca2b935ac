import { randomUUID } from "node:crypto";
import { ToolError, type Answer, type Ask, type HaftEvent, type OnAsk } from "../core/index.ts";
import { isAnswerTo } from "../pipeline/index.ts";
import { HttpProblem } from "./reply.ts";

export interface QuestionOptions {
  /** Time in which a question must be answered. */
  readonly timeoutMs: number;
  /** Time for which a question stays open after the last reader of the events is gone, so that it can come back. */
  readonly graceMs: number;
}

interface Open {
  readonly kind: Ask["kind"];
  answer(answer: Answer): void;
  refuse(why: string): void;
}

/** A question as an event shows it. The number of an event alone may be that of an event of another process. */
interface Shown {
  readonly seq: number;
  readonly at: number;
  readonly key: string;
  readonly id: string;
}

/**
 * Open questions, which the readers of the events answer by their id. A question that nobody reads, or that nobody
 * answers in time, approves nothing.
 */
export class Questions {
  readonly #options: QuestionOptions;
  readonly #open = new Map<string, Open>();
  /** Questions that were shown and not put yet: a kit puts one at a time, so there is one for each call at most. */
  readonly #shown = new Map<string, Shown>();
  /** Number of running calls by their key: a program may give several calls of a session the same id. */
  readonly #running = new Map<string, number>();
  /** Open questions by the number of the event that shows them. */
  readonly #bySeq = new Map<number, Shown>();
  #readers = 0;
  #grace: NodeJS.Timeout | undefined;

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  /** Notes the questions of calls as their events pass; the kit emits one before it asks. */
  hear(event: HaftEvent): void {
    if (event.type === "call-start") this.#count(keyOf(event), 1);
    if (event.type === "call-end") this.#count(keyOf(event), -1);
    if (event.type !== "permission-ask") return;
    const { seq, at } = event;
    const key = keyOf(event);
    this.#shown.set(key, { seq, at, key, id: `question-${randomUUID()}` });
  }

  /** Counts the running calls of a key; what was shown and never put is forgotten with the last of them. */
  #count(key: string, change: number): void {
    const count = (this.#running.get(key) ?? 0) + change;
    if (count > 0) {
      this.#running.set(key, count);
      return;
    }
    this.#running.delete(key);
    this.#shown.delete(key);
  }

  /** Id of the question that an event shows, while it is open. */
  idFor(event: HaftEvent): string | undefined {
    if (event.type !== "permission-ask") return undefined;
    const open = this.#bySeq.get(event.seq);
    return open?.at === event.at && open.key === keyOf(event) ? open.id : undefined;
  }

  /** Puts a question to the readers of the events. */
  readonly onAsk: OnAsk = async (ask, { signal }) => {
    if (this.#readers === 0) throw unanswered(ask, "No reader of the events can answer it.");
    const key = keyOf(ask);
    const shown = this.#shown.get(key);
    if (shown === undefined) throw unanswered(ask, "No event shows it.");
    this.#shown.delete(key);
    const { id, seq } = shown;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const refuse = (why: string): void => reject(unanswered(ask, why));
    const { timeoutMs } = this.#options;
    const deadline = setTimeout(
      () => refuse(`The user did not answer within ${timeoutMs / 1000} s.`),
      timeoutMs,
    );
    const onAbort = (): void => refuse("The call ended before the answer.");
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#open.set(id, { kind: ask.kind, answer: resolve, refuse });
    this.#bySeq.set(seq, shown);
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      this.#open.delete(id);
      this.#bySeq.delete(seq);
    }
  };

  /** Answers a question, once. It stays open if the value does not answer it. */
  answer(id: string, answer: unknown): void {
    const open = this.#open.get(id);
    if (open === undefined) {
      throw new HttpProblem(404, "NOT_FOUND", {
        message: "No open question has this id: it was answered, or its call is over.",
        hint: "Take the id of a permission-ask event that is not answered.",
      });
    }
    if (!isAnswerTo(open.kind, answer)) {
      throw new HttpProblem(400, "INVALID_INPUT", {
        message: `This does not answer the question, which has the kind ${open.kind}.`,
        hint: "The question is still open; docs/http.md shows the answers.",
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

/** Identifies a call: ids of calls are a model's own, so two sessions may use the same. */
function keyOf(of: Pick<HaftEvent, "sessionId" | "agentId"> & Pick<Ask, "callId">): string {
  return JSON.stringify([of.sessionId, of.agentId, of.callId]);
}

function unanswered({ tool, suggestion }: Ask, why: string): ToolError {
  return new ToolError("APPROVAL_REQUIRED", `${tool} needs an answer from the user. ${why}`, {
    hint: "Read GET /events and answer with POST /answer, or allow the call with a rule.",
    data: { asked: true, ...(suggestion === undefined ? {} : { suggestion }) },
  });
}
