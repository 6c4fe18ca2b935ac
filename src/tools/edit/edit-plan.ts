/** One requested replacement in a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every match. Default false: exactly one must match. */
  readonly replaceAll?: boolean | undefined;
  /** Line, from 1: of several matches, the one that starts nearest to it is replaced. */
  readonly nearLine?: number | undefined;
}

export interface PlanOptions {
  /** Apply the edits that can be applied and report the others. Default false: all of them or none. */
  readonly partial?: boolean | undefined;
}

/** A replacement with its range in the original text. */
export interface Splice {
  /** Index of its edit, from 0. */
  readonly edit: number;
  /** UTF-16 offsets in the original, half-open. */
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** First and last line affected, from 1, in the original. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Result of one edit, in the order in which they were given. */
export type EditStatus =
  | {
      readonly kind: "applied";
      /** First line of each match, from 1, in the original. */
      readonly lines: readonly number[];
      /** Normalizations with which the edit matched; empty if it matched literally. */
      readonly interpretations: readonly string[];
    }
  | { readonly kind: "refused"; readonly refusal: EditRefusal };

export interface EditPlan {
  readonly kind: "plan";
  /** Text with every splice applied; characters outside them are unchanged. */
  readonly text: string;
  /** Splices in order of position, never overlapping. */
  readonly splices: readonly Splice[];
  /** Normalizations with which the edits matched; empty if all matched literally. */
  readonly interpretations: readonly string[];
  /** One for each edit. Only with `partial` may some be refused. */
  readonly statuses: readonly EditStatus[];
}

/** Reason why an edit was not applied. */
export interface EditRefusal {
  readonly kind: "refusal";
  readonly code: "NO_MATCH" | "AMBIGUOUS_MATCH" | "NO_CHANGE" | "INVALID_INPUT";
  /** Index of the refused edit, from 0. */
  readonly edit: number;
  readonly message: string;
  readonly hint: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
