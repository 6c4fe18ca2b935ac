import { IgnoreFile } from "./ignore-file.ts";

/** Files with ignore rules in one directory, in descending precedence. */
export const ignoreFileNames = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

/** The first two are for searches, so they also apply to tracked files; git's own do not. */
const searchKinds = 2;

interface Asked {
  readonly path: string;
  readonly name: string;
  readonly isDirectory: boolean;
}

interface Level {
  /** Length of the directory's path including a trailing slash. */
  readonly prefix: number;
  /** One entry for each of `ignoreFileNames`. */
  readonly files: readonly (IgnoreFile | undefined)[];
}

/** The ignore files that may exist in a directory with these names. */
export function ignoreFilesAmong(names: ReadonlySet<string>): readonly string[] {
  return ignoreFileNames.filter((file) => names.has(file.startsWith(".git/") ? ".git" : file));
}

/**
 * The ignore rules that apply in one directory: its own files and those of the directories above it. A file of higher
 * precedence wins over one of lower precedence, then a deeper directory over a higher one.
 */
export class IgnoreRules {
  static readonly none = new IgnoreRules([]);
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  /** Adds the rules of one more directory, given the texts of its ignore files. */
  within(directory: string, texts: ReadonlyMap<string, string>): IgnoreRules {
    const files = ignoreFileNames.map((name) => {
      const text = texts.get(name);
      const file = text === undefined ? undefined : new IgnoreFile(text);
      return file?.isEmpty === true ? undefined : file;
    });
    if (files.every((file) => file === undefined)) return this;
    const prefix = directory === "/" ? 1 : directory.length + 1;
    return new IgnoreRules([{ prefix, files }, ...this.#levels]);
  }

  /** Whether a path is ignored. None of the directories that contain it may be ignored. */
  ignores(path: string, name: string, isDirectory: boolean): boolean {
    return this.#ignores({ path, name, isDirectory }, ignoreFileNames.length);
  }

  /** The same for tracked files: `.gitignore` does not apply to them, `.ignore` and `.rgignore` do. */
  ignoresTracked(path: string, name: string, isDirectory: boolean): boolean {
    return this.#ignores({ path, name, isDirectory }, searchKinds);
  }

  #ignores({ path, name, isDirectory }: Asked, kinds: number): boolean {
    for (let kind = 0; kind < kinds; kind += 1) {
      for (const { prefix, files } of this.#levels) {
        const answer = files[kind]?.test(path.slice(prefix), name, isDirectory);
        if (answer !== undefined) return answer === "ignored";
      }
    }
    return false;
  }
}
