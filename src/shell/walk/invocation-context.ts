import type { Span, WriteEffect } from "../../core/index.ts";
import type { CommandClass } from "../command-class.ts";
import type { FedNames } from "../words/fed-names.ts";
import type { Redirection } from "../parse/syntax.ts";
import type { Folders } from "./current-directories.ts";
import type { Argument, Standing } from "../words/words.ts";

export type Change = WriteEffect["change"];

/** Options for judging a program that another program starts. */
export interface RunOptions {
  /** Launcher text for `via`. Default: the name of the starting program. */
  readonly via?: string;
  readonly standing?: Standing;
  /** Whether it runs on another machine, so that its paths are not local and its effects are not listed. */
  readonly elsewhere?: boolean;
  /** Standard input: none, or that of the starting program. */
  readonly input?: "none" | "same";
}

/** Interface through which a program's row inspects one command and reports its consequences. */
export interface Site {
  /** Program name without its directory. */
  readonly name: string;
  readonly args: readonly Argument[];
  readonly span: Span;
  readonly standing: Standing;
  /** Whether another command writes to this one's standard input. */
  readonly piped: boolean;
  /** File names that another command writes to this one's standard input, if known. */
  readonly names: FedNames | undefined;
  readonly redirects: readonly Redirection[];
  /** Whether another program starts this one and may add words to it. */
  readonly isLaunched: boolean;
  /** Text that an `echo` before it in the pipe prints. */
  readonly fedText: string | undefined;
  /** Known configuration of the repository; undefined if it is assumed to be neutralised. */
  readonly gitConfig: ReadonlyMap<string, string> | undefined;
  /** Directories to which `gitConfig` applies. */
  readonly gitFolders: readonly string[];
  /** Reports the directory or file with which an option makes the program work; undefined if unknown. */
  worksIn(place: Folders): void;
  /** Reports that the program may contact a host that no `connect` names; `unknown` says why. */
  anyHost(): void;
  /** Reports that every host is named, unless `anyHost` was or is called. */
  namesHosts(): void;
  read(word: Argument, scope?: "file" | "tree"): void;
  /** Reports reads of files that another file names, which may be anywhere. */
  readNamed(): void;
  write(word: Argument, change: Change, scope?: "file" | "tree"): void;
  /** Reports contact with a host; `asks` states that the request itself carries no data and changes nothing. */
  connect(host: string, port?: number, asks?: boolean): void;
  /** Reports a write caused by an option or by a command in the program's script, besides its usual writes. */
  writeThrough(through: string, word: Argument, change: Change): void;
  /** Reports an unknown consequence, worded for the user; `through` names the option that causes it. */
  unknown(because: string, through?: string): void;
  /** Reports that the program may do anything, as `npm test` may. */
  open(because?: string): void;
  /** Reports a consequence that the user should review, whatever else is known. */
  risk(because: string): void;
  /** Sets the class; undefined leaves the class of the whole text unchanged. */
  classify(to: CommandClass | undefined): void;
  /** Sets the class that applies if no other part of the command has one. */
  filters(as: CommandClass): void;
  /** Judges a program that this one starts. */
  run(argv: readonly Argument[], options?: RunOptions): void;
  /** Judges text that this program passes to a shell. */
  script(text: Argument, options?: RunOptions): void;
  /** Changes the directory of later commands; undefined makes it unknown. */
  moveTo(word: Argument | undefined): void;
}

/** Judges one command: reports its consequences to `site`, or that they are unknown. */
export type Program = (site: Site) => void;
