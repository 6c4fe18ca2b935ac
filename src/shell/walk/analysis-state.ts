import type { Span } from "../../core/index.ts";
import type { Collector, InvocationContext } from "./collector.ts";
import type { Folders, Whereabouts } from "./current-directories.ts";
import type { TextOrigin } from "../parse/bash-reading.ts";
import type { Assignment, Redirection } from "../parse/syntax.ts";
import type { FedNames } from "../words/fed-names.ts";
import type { Variables } from "../words/variables.ts";
import type { Argument } from "../words/words.ts";

/** Position of a command in the text, and the constructs around it. */
export interface Frame {
  readonly context: InvocationContext;
  readonly via: readonly string[];
  readonly depth: number;
  /** Names of the programs before this one in a pipe, nearest last. */
  readonly fed: readonly string[];
  readonly piped: boolean;
  /** Text that an `echo` before it in the pipe prints. */
  readonly fedText: string | undefined;
  /** Whether a definition here certainly applies to the commands that follow. */
  readonly certain: boolean;
  readonly elsewhere: boolean;
  /** Position of the parsed text in the text of the call. */
  readonly origin: TextOrigin;
  readonly functions: Map<string, DefinedFunction>;
  /** Values of variables; undefined if they cannot be followed. */
  readonly variables: Variables | undefined;
  /** File names on its standard input, if known. */
  readonly names: FedNames | undefined;
}

export interface DefinedFunction {
  readonly certain: boolean;
  /** Whether a call may change the directory of the shell. */
  readonly moves: boolean;
  /** Judges the body for one call; returns the directories in which the shell may be afterwards. */
  readonly call: (folders: Folders, frame: Frame) => Folders;
}

/** State shared by the whole analysis of one text. */
export interface Analyst {
  readonly collector: Collector;
  /** Whole text, to which spans refer. */
  readonly input: string;
  readonly cwd: string;
  readonly workspace: string;
  readonly home: string;
  /** Environment variables of started programs; undefined if unknown. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined;
  readonly gitConfig: ReadonlyMap<string, string> | undefined;
  readonly gitFolders: readonly string[];
  /** Judges a text as a script. */
  readonly script: (text: string, folders: Folders, frame: Frame) => Folders;
  readonly whereabouts: Whereabouts;
  /** Functions that judge each trap handler again, for the directories in which it may run. */
  readonly trapped: ((folders: Folders) => void)[];
  /** Variables set by the text that are passed only to a program with open consequences. */
  readonly heldBack: { readonly name: string; readonly span: Span }[];
  /** Names of the functions defined anywhere in the text. */
  readonly defined: Set<string>;
}

/** Command with its context, ready to be judged. */
export interface Call {
  readonly argv: readonly Argument[];
  readonly assigns: readonly Assignment[];
  readonly redirects: readonly Redirection[];
  readonly span: Span;
  /** Span of each word; fewer than `argv` if a launcher added words. */
  readonly spans: readonly Span[];
  readonly folders: Folders;
  readonly frame: Frame;
  /** Names of the programs in its substitutions. */
  readonly inner: readonly string[];
  /** Whether the shell itself resolves the name, so that functions and builtins come first. */
  readonly direct: boolean;
}
