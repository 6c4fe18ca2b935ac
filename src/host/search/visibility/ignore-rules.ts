import { IgnoreFile } from "./ignore-file.ts";

/** Files with ignore rules in one directory, the strongest first. */
export const ignoreFileNames = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

/** The first of these are for searches, so they hold for what git tracks as well; git's own do not. */
const searchKinds = 2;

interface Asked {
  readonly path: string;
  readonly name: string;
  readonly isDirectory: boolean;
}

interface Level {
  /** Length of the directory's path with the slash behind it. */
  readonly prefix: number;
  /** One for each of `ignoreFileNames`. */
  readonly files: readonly (IgnoreFile | undefined)[];
}

/** The ignore files of a directory that may be there, given the names in it. */
export function ignoreFilesAmong(names: ReadonlySet<string>): readonly string[] {
  return ignoreFileNames.filter((file) => names.has(file.startsWith(".git/") ? ".git" : file));
}

/**
 * The ignore rules that hold in one directory: its own files and those of the directories above it.
 * A stronger kind of file wins over a weaker one, then a deeper directory over a higher one.
 */
export class IgnoreRules {
  static readonly none = new IgnoreRules([]);
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  /** The rules with those of one more directory, given the texts of its ignore files. */
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

  /** Asked for a path below the directory whose own directories are not ignored. */
  ignores(path: string, name: string, isDirectory: boolean): boolean {
    return this.#ignores({ path, name, isDirectory }, ignoreFileNames.length);
  }

  /** The same for what git tracks: `.gitignore` says nothing about it, `.ignore` and `.rgignore` do. */
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
