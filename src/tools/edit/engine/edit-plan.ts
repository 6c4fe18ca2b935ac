/** One replacement wanted in a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every place. Default false: exactly one place may match. */
  readonly replaceAll?: boolean | undefined;
  /** Of several places, the one that starts nearest to this line, from 1. */
  readonly nearLine?: number | undefined;
}

export interface PlanOptions {
  /** Apply the edits that can be applied and report the others. Default false: all of them or none. */
  readonly partial?: boolean | undefined;
}

/** A replacement with its place in the original text. */
export interface Splice {
  /** Which edit it belongs to, from 0. */
  readonly edit: number;
  /** UTF-16 offsets in the original, half open. */
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** First and last line touched, from 1, in the original. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** What became of one edit, in the order in which they were given. */
export type EditStatus =
  | {
      readonly kind: "applied";
      /** First line of each place, from 1, in the original. */
      readonly lines: readonly number[];
      /** How the edit was read where it did not match literally; empty when it did. */
      readonly interpretations: readonly string[];
    }
  | { readonly kind: "refused"; readonly refusal: EditRefusal };

export interface EditPlan {
  readonly kind: "plan";
  /** The text with every splice made; characters outside them are those of the original. */
  readonly text: string;
  /** In order of their place, never overlapping. */
  readonly splices: readonly Splice[];
  /** How the edits were read where they did not match literally; empty when all did. */
  readonly interpretations: readonly string[];
  /** One for each edit. Only with `partial` may some be refused. */
  readonly statuses: readonly EditStatus[];
}

/** Why nothing was done about an edit. */
export interface EditRefusal {
  readonly kind: "refusal";
  readonly code: "NO_MATCH" | "AMBIGUOUS_MATCH" | "NO_CHANGE" | "INVALID_INPUT";
  /** Which edit was refused, from 0. */
  readonly edit: number;
  readonly message: string;
  readonly hint: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
