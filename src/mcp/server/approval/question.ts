/** Question to a client in the course of a call. */
export interface Question {
  /** Name of the question, unique within the call. */
  readonly key: string;
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * State for which the answer is valid, beyond the text shown. If set, an answer without a matching question is
   * ignored.
   */
  readonly binding?: unknown;
}

/** Resolves with the client's answer, or rejects with a ToolError. */
export type AskClient = (question: Question) => Promise<unknown>;
