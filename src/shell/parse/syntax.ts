import type { Span } from "../../core/index.ts";

/** Part of a word that only the running shell knows. */
export type Gap =
  /** Value of one variable. */
  | { readonly kind: "variable"; readonly name: string }
  /** Glob or brace pattern: names that continue the preceding text. */
  | { readonly kind: "pattern"; readonly text: string }
  /** Single name that a pattern has matched. */
  | { readonly kind: "match"; readonly text: string }
  /** Short text without blanks, slashes, patterns and leading dash, such as the name of a commit. */
  | { readonly kind: "token" }
  /** One of these words. */
  | { readonly kind: "among"; readonly words: readonly Argument[] }
  /** Output of a command. */
  | { readonly kind: "output"; readonly script: ShellNode }
  /** Paths below these directories, as `find` passes them to the program it runs. */
  | {
      readonly kind: "found";
      readonly below: readonly Argument[];
      /** Whether the paths lack their directory, so that they may begin with anything. */
      readonly bare?: boolean;
      /** Whether the gap may expand to any number of paths. */
      readonly several?: boolean;
    }
  /** End of a pipe, with a name such as `/dev/fd/63` from the shell. */
  | { readonly kind: "stream"; readonly script?: ShellNode }
  /** Count: digits, after a dash if it may be negative. */
  | { readonly kind: "number"; readonly signed: boolean }
  | { readonly kind: "opaque" };

/** Word that the shell has yet to expand: its known pieces in order, and the gaps between them. */
export interface DynamicWord {
  /** Reason why the word is unknown. */
  readonly dynamic: string;
  readonly pieces: readonly (string | Gap)[];
  /** Whether it may become several words of any form, as an unquoted variable does. */
  readonly splits: boolean;
}

/** Word of a command as this layer judges it; a `DynamicWord` carries more detail than a core `Word`. */
export type Argument = string | DynamicWord;

/** Possible action of the shell itself that the text does not determine. */
export interface Hazard {
  readonly because: string;
  readonly span: Span;
  /** Variables on which the hazard depends: if each contains a number, nothing is evaluated. */
  readonly numbers?: readonly string[];
  /** Script on which the hazard depends: if it prints a count, nothing is evaluated. */
  readonly output?: ShellNode;
}

/** Content of a command's words besides text: scripts that run first, hazards, and variables that are set. */
export interface Inside {
  readonly scripts: readonly ShellNode[];
  readonly hazards: readonly Hazard[];
  /** Variables that expansion sets, and whether to a number. */
  readonly sets: readonly VariableSet[];
}

export interface VariableSet {
  readonly name: string;
  readonly isNumber: boolean;
}

export interface Assignment {
  readonly name: string;
  /** New value of the whole variable; undefined if the assignment appends or sets one element. */
  readonly whole: Argument | undefined;
  readonly value: Argument;
  /** Elements of an array. */
  readonly elements?: readonly Argument[];
  readonly span: Span;
}

export type RedirectOperator =
  | ">"
  | ">>"
  | "<"
  | "<>"
  | "<&"
  | ">&"
  | ">|"
  | "&>"
  | "&>>"
  | "<<"
  | "<<<";

export interface Redirection {
  readonly operator: RedirectOperator;
  readonly descriptor: number | undefined;
  /** File, here-string, or body of a here-document. */
  readonly target: Argument;
  readonly span: Span;
}

export interface CommandNode {
  readonly kind: "command";
  readonly words: readonly Argument[];
  /** Span of each word. */
  readonly spans: readonly Span[];
  readonly assigns: readonly Assignment[];
  readonly redirects: readonly Redirection[];
  readonly inside: Inside | undefined;
  readonly span: Span;
}

/** Structure of a script, reduced to what determines which commands run, in which directory and with which input. */
export type ShellNode =
  | CommandNode
  | { readonly kind: "list"; readonly parts: readonly ShellNode[] }
  | {
      readonly kind: "chain";
      readonly parts: readonly ShellNode[];
      readonly operators: readonly ("&&" | "||")[];
    }
  | { readonly kind: "pipe"; readonly parts: readonly ShellNode[] }
  | { readonly kind: "subshell"; readonly body: ShellNode }
  | {
      readonly kind: "branch";
      /** Pairs of a condition and what runs when it holds. */
      readonly arms: readonly (readonly [ShellNode | undefined, ShellNode])[];
      /** Indexes of the `case` arms after which a later arm may also run. */
      readonly falling?: readonly number[];
    }
  | {
      readonly kind: "loop";
      readonly condition: ShellNode | undefined;
      readonly body: ShellNode;
      /** Variable of a loop over words, and the words if they are given. */
      readonly each?: {
        readonly name: string;
        readonly words: readonly Argument[] | undefined;
        /** Words that the shell expands before the loop, whatever decides on the value. */
        readonly expands: readonly Argument[] | undefined;
        readonly span: Span;
      };
    }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly body: ShellNode;
      readonly span: Span;
    }
  | {
      readonly kind: "redirected";
      readonly body: ShellNode;
      readonly redirects: readonly Redirection[];
      readonly inside: Inside | undefined;
    }
  /** Words outside any command (a loop's list, a test): only scripts, hazards and assignments in them matter. */
  | { readonly kind: "words"; readonly inside: Inside };

/** Parsed script, or the reason why parsing failed. */
export type ParsedScript =
  | { readonly kind: "script"; readonly root: ShellNode; readonly commands: number }
  | { readonly kind: "refused"; readonly because: string; readonly span: Span };
