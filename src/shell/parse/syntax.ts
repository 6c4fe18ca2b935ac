import type { Span } from "../../core/index.ts";

/** A part of a word that only the running shell knows. */
export type Gap =
  /** The value of one variable. */
  | { readonly kind: "variable"; readonly name: string }
  /** A glob or brace pattern: names that go on from what stands before it. */
  | { readonly kind: "pattern"; readonly text: string }
  /** One name that a pattern has matched. */
  | { readonly kind: "match"; readonly text: string }
  /** A short text without blanks, slashes and patterns that begins with no dash, such as the name of a commit. */
  | { readonly kind: "token" }
  /** One of these words. */
  | { readonly kind: "among"; readonly words: readonly Argument[] }
  /** What a command prints. */
  | { readonly kind: "output"; readonly script: ShellNode }
  /** Paths below these folders, as `find` hands them to the program it runs. */
  | {
      readonly kind: "found";
      readonly below: readonly Argument[];
      /** The folder does not stand in front of them, so they may begin with anything. */
      readonly bare?: boolean;
      /** There may be any number of them. */
      readonly several?: boolean;
    }
  /** The end of a pipe, which the shell names like `/dev/fd/63`. */
  | { readonly kind: "stream"; readonly script?: ShellNode }
  /** A count: digits, with a dash before them where it may be negative. */
  | { readonly kind: "number"; readonly signed: boolean }
  | { readonly kind: "opaque" };

/** A word the shell would still expand: its known pieces in order, and the gaps between them. */
export interface LooseWord {
  /** Why it is not known yet. */
  readonly dynamic: string;
  readonly pieces: readonly (string | Gap)[];
  /** Whether it may become several words of any form, as an unquoted variable does. */
  readonly splits: boolean;
}

/** One word of a command as this layer judges it; a loose one is a core `Word` with more to tell. */
export type Argument = string | LooseWord;

/** Something the shell itself would do that cannot be told from the text. */
export interface Hazard {
  readonly because: string;
  readonly span: Span;
  /** Variables it depends on: where each holds a number, there is nothing to evaluate. */
  readonly numbers?: readonly string[];
  /** A script it depends on: where that prints a count, there is nothing to evaluate. */
  readonly output?: ShellNode;
}

/** What the words of a command hold besides text: scripts that run first, and hazards. */
export interface Inside {
  readonly scripts: readonly ShellNode[];
  readonly hazards: readonly Hazard[];
  /** Variables that are set on the way, and whether to a number. */
  readonly sets: readonly VariableSet[];
}

export interface VariableSet {
  readonly name: string;
  readonly isNumber: boolean;
}

export interface Assignment {
  readonly name: string;
  /** What is put in; undefined where it is put behind what is there, or into one element. */
  readonly whole: Argument | undefined;
  readonly value: Argument;
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
  /** The file, the here-string, or the body of a here-document. */
  readonly target: Argument;
  readonly span: Span;
}

export interface CommandNode {
  readonly kind: "command";
  readonly words: readonly Argument[];
  /** One for each word. */
  readonly spans: readonly Span[];
  readonly assigns: readonly Assignment[];
  readonly redirects: readonly Redirection[];
  readonly inside: Inside | undefined;
  readonly span: Span;
}

/** The shape of a script, reduced to what decides which commands run, where, and fed by what. */
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
      /** The arms of a `case` behind which a later one may run as well. */
      readonly falling?: readonly number[];
    }
  | {
      readonly kind: "loop";
      readonly condition: ShellNode | undefined;
      readonly body: ShellNode;
      /** The variable of a loop over words, and the words where they are given. */
      readonly each?: { readonly name: string; readonly words: readonly Argument[] | undefined };
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
  /** Words outside any command (a loop's list, a test): only what they hold matters. */
  | { readonly kind: "words"; readonly inside: Inside };

/** A script as it was read, or why it was not. */
export type ParsedScript =
  | { readonly kind: "script"; readonly root: ShellNode; readonly commands: number }
  | { readonly kind: "refused"; readonly because: string; readonly span: Span };
