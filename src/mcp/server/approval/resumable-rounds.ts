import { createHash } from "node:crypto";
import { ToolError } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import { RpcError } from "../protocol/json-rpc.ts";
import type { Question } from "./question.ts";
import type { StateSeals } from "./sealed-state.ts";

type Params = Readonly<Record<string, unknown>>;

/** State that the client carries from one round of a call to the next. */
interface Carried {
  /** Call it belongs to. */
  readonly call: string;
  readonly round: number;
  /** Questions of the last round, by key. */
  readonly asked: Readonly<Record<string, string>>;
  readonly answers: readonly KnownAnswer[];
}

/** An answer, which is valid only for exactly the question it was given to. */
interface KnownAnswer {
  readonly key: string;
  readonly of: string;
  readonly response: Params;
}

const maxQuestions = 16;
const maxRounds = 16;
/** Maximum characters of a client's answers that are carried into another round. */
const maxCarriedChars = 256 * 1024;

/**
 * Questions of one call in the revisions without `initialize`: the call ends with its open questions, and the client
 * repeats it with the answers. The server remembers only that it issued a state; everything else travels through the
 * client under a seal, bound to the call and to each question.
 */
export class Rounds {
  readonly #seals: StateSeals;
  readonly #call: string;
  readonly #round: number;
  readonly #answers: KnownAnswer[];
  /** Answers that came without a state, to questions that this server cannot prove it asked. */
  readonly #unasked: Params;
  readonly #pending = new Map<string, { readonly question: Question; readonly of: string }>();

  /** Refuses invalid answers and a state that this server did not issue, with a protocol error. */
  constructor(params: Params, seals: StateSeals) {
    const { name, arguments: input = {}, inputResponses = {}, requestState } = params;
    this.#seals = seals;
    this.#call = hash([name, input]);
    const responses = readResponses(inputResponses);
    if (requestState === undefined) {
      this.#round = 0;
      this.#answers = [];
      this.#unasked = responses;
      return;
    }
    const carried = typeof requestState === "string" ? seals.open(requestState) : undefined;
    if (!isCarried(carried) || carried.call !== this.#call) throw notOurs();
    this.#round = carried.round;
    this.#unasked = {};
    const given = Object.entries(carried.asked).flatMap(([key, of]) => {
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
      return isRecord(response) ? [{ key, of, response }] : [];
    });
    this.#answers = [...carried.answers, ...given];
  }

  /** Answer that the client gave to exactly this question; undefined if there is none. */
  known(question: Question): unknown {
    const { key, binding } = question;
    const of = hashOf(question);
    const known = this.#answers.find((each) => each.key === key && each.of === of);
    if (known !== undefined) return known.response;
    const isOpen = binding === undefined && Object.hasOwn(this.#unasked, key);
    return isOpen ? this.#unasked[key] : undefined;
  }

  /** Answer of the client if it gave one to exactly this question; otherwise the call has to be repeated. */
  async ask(question: Question): Promise<unknown> {
    const known = this.known(question);
    if (known !== undefined) return known;
    const { key } = question;
    const of = hashOf(question);
    const pending = this.#pending.get(key);
    if (pending !== undefined && pending.of !== of) {
      throw new TypeError(`Two questions of one call have the name ${key}.`);
    }
    if (this.#pending.size >= maxQuestions || this.#round >= maxRounds) {
      throw new ToolError("LIMIT_REACHED", "This call has asked its client too many questions.", {
        hint: `Ask at most ${maxQuestions} at once, and in at most ${maxRounds} rounds.`,
      });
    }
    this.#pending.set(key, { question, of });
    // Questions asked at the same time are sent in the same round.
    await new Promise((resolve) => setImmediate(resolve));
    throw new ToolError(
      "UNAVAILABLE",
      "The client was asked, and makes the call again to answer.",
      {
        hint: "Wait for that call.",
      },
    );
  }

  /** Response that replaces a failed call's result; undefined if no question is open. */
  required(): Params | undefined {
    if (this.#pending.size === 0) return undefined;
    const carried: Carried = {
      call: this.#call,
      round: this.#round + 1,
      asked: Object.fromEntries([...this.#pending].map(([key, { of }]) => [key, of])),
      answers: this.#answers,
    };
    if (JSON.stringify(carried).length > maxCarriedChars) {
      throw new RpcError("invalidParams", "The inputResponses are too long to ask further.");
    }
    const requests = [...this.#pending].map(([key, { question }]) => {
      const { method, params } = question;
      return [key, { method, params }];
    });
    return {
      resultType: "input_required",
      inputRequests: Object.fromEntries(requests),
      requestState: this.#seals.seal(carried),
    };
  }
}

function readResponses(responses: unknown): Params {
  if (!isRecord(responses)) {
    throw new RpcError("invalidParams", "inputResponses must be an object.");
  }
  const broken = Object.keys(responses).find((key) => !isRecord(responses[key]));
  if (broken === undefined) return responses;
  throw new RpcError("invalidParams", `inputResponses.${broken} must be an object.`);
}

function notOurs(): RpcError {
  return new RpcError(
    "invalidParams",
    "The requestState is not valid for this call: it was changed, used before, has expired, or belongs to another call. Make the call again without it.",
  );
}

/** Shallow check, because only values sealed by this server arrive here. */
function isCarried(value: unknown): value is Carried {
  return isRecord(value) && typeof value["call"] === "string" && isRecord(value["asked"]);
}

function hashOf({ key, method, params, binding }: Question): string {
  return hash([key, method, params, binding ?? null]);
}

function hash(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("base64url");
}

/** Canonical JSON: the same text for equal values, regardless of the order of keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      isRecord(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? "null"
  );
}
