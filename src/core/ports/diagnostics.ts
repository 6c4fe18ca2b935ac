import { serviceToken } from "./service-token.ts";

/** A problem that a checker or a language server found in a file. */
export interface CodeFinding {
  /** Canonical path. */
  readonly path: string;
  /** Line, counting from 1. */
  readonly line: number;
  /** Column, counting from 1; 1 where the checker names none. */
  readonly column: number;
  /** Whether it is an error. */
  readonly severity: "error" | "warning";
  /** Message, in one line. */
  readonly message: string;
  /** Code of the checker, such as `TS2304`. */
  readonly code?: string;
  /** Name of the checker or server in the settings. */
  readonly source: string;
}

/** Problems that an edit caused. */
export interface EditFindings {
  /** Lines for the model. */
  readonly text: string;
  /** All of them, errors first. */
  readonly findings: readonly CodeFinding[];
}

/** An edit that is about to be made. */
export interface BegunEdit {
  /**
   * Checks the files as they are now. Resolves to undefined where nothing is new or nothing is certain; never rejects,
   * and ends early where the signal aborts.
   */
  end(signal: AbortSignal | undefined): Promise<EditFindings | undefined>;
}

/** Checks of files after an edit. */
export interface EditChecks {
  /** Takes the state before an edit; undefined where nothing checks any of the files. Never rejects. */
  begin(
    paths: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<BegunEdit | undefined> | undefined;
}

/** A place in a file. */
export interface CodePlace {
  /** Canonical path. */
  readonly path: string;
  /** Line, counting from 1. */
  readonly line: number;
  /** Column in UTF-16 units, counting from 1. */
  readonly column: number;
}

/** A symbol with its place. */
export interface CodeSymbol extends CodePlace {
  /** Name of the symbol. */
  readonly name: string;
  /** Kind, such as `function`. */
  readonly kind: string;
  /** Name of the symbol that contains it. */
  readonly container?: string;
}

/** Replaced text of a file; positions count from 0, columns in UTF-16 units. */
export interface TextReplacement {
  /** Start of the replaced text. */
  readonly start: { readonly line: number; readonly character: number };
  /** End of the replaced text. */
  readonly end: { readonly line: number; readonly character: number };
  /** Text in its place. */
  readonly newText: string;
}

/** Changes of one file. */
export interface FileReplacements {
  /** Canonical path. */
  readonly path: string;
  /** Replacements, none of which overlap. */
  readonly edits: readonly TextReplacement[];
}

/** Knowledge of the language servers that the settings name. */
export interface LanguageServers {
  /** Where the symbol at a place is defined, or used. */
  places(
    kind: "definition" | "references",
    at: CodePlace,
    signal: AbortSignal,
  ): Promise<readonly CodePlace[]>;
  /** Description of the symbol at a place; "" if there is none. */
  hover(at: CodePlace, signal: AbortSignal): Promise<string>;
  /** Symbols of a file. */
  symbols(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** Symbols of the workspace whose names match. */
  search(query: string, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** Problems of a file as it is now; undefined where the server does not say for which content they are. */
  problems(path: string, signal: AbortSignal): Promise<readonly CodeFinding[] | undefined>;
  /** Changes that give the symbol at a place another name; nothing is changed. */
  rename(at: CodePlace, name: string, signal: AbortSignal): Promise<readonly FileReplacements[]>;
}

/** Token of the language servers, which exist where the settings name one. */
export const languageServers = serviceToken<LanguageServers>(
  "languageServers",
  "The user can name a language server in the setting diagnostics.servers.",
);
