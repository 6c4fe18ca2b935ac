import type { Span, WriteEffect } from "../../core/index.ts";
import type { CommandClass } from "../command-class.ts";
import type { FedNames } from "../words/fed-names.ts";
import type { Redirection } from "../parse/syntax.ts";
import type { Folders } from "./current-directories.ts";
import type { Argument, Standing } from "../words/words.ts";

export type Change = WriteEffect["change"];

/** How a program starts another one. */
export interface RunOptions {
  /** The launcher's words for `via`; the program's own name when absent. */
  readonly via?: string;
  readonly standing?: Standing;
  /** Where it runs is not this machine, so its paths are not this machine's and its effects not listed. */
  readonly elsewhere?: boolean;
  /** Nothing is fed to it. */
  readonly input?: "none" | "same";
}

/** What a program's row may ask and say about one command it is judged for. */
export interface Site {
  /** The program's name without its folder. */
  readonly name: string;
  readonly args: readonly Argument[];
  readonly span: Span;
  readonly standing: Standing;
  /** Whether another command feeds this one. */
  readonly piped: boolean;
  /** The names another command feeds to this one, where they are known. */
  readonly names: FedNames | undefined;
  readonly redirects: readonly Redirection[];
  /** What is known of the repository's configuration; undefined where it is assumed to be neutralised. */
  readonly gitConfig: ReadonlyMap<string, string> | undefined;
  /** The folders that configuration holds for. */
  readonly gitFolders: readonly string[];
  /** Where an option has it work, in a folder or by a file; undefined: not known. */
  worksIn(place: Folders): void;
  read(word: Argument, scope?: "file" | "tree"): void;
  /** Reads files that are named in a file, wherever they lie. */
  readNamed(): void;
  write(word: Argument, change: Change, scope?: "file" | "tree"): void;
  /** Contacts a host; `asks` when the request itself carries nothing and changes nothing. */
  connect(host: string, port?: number, asks?: boolean): void;
  /** What an option or a command of its script makes it write, besides what it is run for. */
  writeThrough(through: string, word: Argument, change: Change): void;
  /** A consequence that cannot be told, in words for a person; `through` names the option that causes it. */
  unknown(because: string, through?: string): void;
  /** The program may do anything, as `npm test` does. */
  open(because?: string): void;
  /** A consequence that a person should look at, whatever else is known. */
  risk(because: string): void;
  /** Sets the class; undefined: this command changes nothing about the class of the whole. */
  classify(to: CommandClass | undefined): void;
  /** The class where no other part of the command has one. */
  filters(as: CommandClass): void;
  /** Judges another program that this one starts. */
  run(argv: readonly Argument[], options?: RunOptions): void;
  /** Judges text that this program has a shell read. */
  script(text: Argument, options?: RunOptions): void;
  /** The folders later commands run in; undefined: not known. */
  moveTo(word: Argument | undefined): void;
}

/** Judges one command: lists what it does through `site`, or says that it cannot be told. */
export type Program = (site: Site) => void;
