/** Something a client is asked in the course of a call. */
export interface Question {
  /** Its name within the call. */
  readonly key: string;
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: Readonly<Record<string, unknown>>;
  /** What its answer holds for, beyond the words that are shown. An answer nobody asked for is then none. */
  readonly binding?: unknown;
}

/** Resolves with what the client answered, or rejects with a ToolError. */
export type AskClient = (question: Question) => Promise<unknown>;
