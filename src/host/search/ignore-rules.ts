import ignore from "ignore";
import { pathBelow, type HostFs, type HostOptions } from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";

type Matcher = ReturnType<typeof ignore>;

/** Files with ignore rules in one directory, the strongest first. */
const ignoreFiles = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const;

interface Level {
  readonly directory: string;
  /** One for each of `ignoreFiles`. */
  readonly matchers: readonly (Matcher | undefined)[];
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

  /** The rules with those of one more directory, given the names in it. */
  async within(
    directory: string,
    names: ReadonlySet<string>,
    source: { readonly fs: HostFs; readonly options: HostOptions | undefined },
  ): Promise<IgnoreRules> {
    let isEmpty = true;
    const matchers: (Matcher | undefined)[] = [];
    for (const file of ignoreFiles) {
      const text = names.has(file.split("/")[0] ?? file)
        ? await textOf(`${directory === "/" ? "" : directory}/${file}`, source)
        : undefined;
      if (text !== undefined) isEmpty = false;
      matchers.push(text === undefined ? undefined : ignore({ ignorecase: false }).add(text));
    }
    return isEmpty ? this : new IgnoreRules([{ directory, matchers }, ...this.#levels]);
  }

  ignores(path: string, isDirectory: boolean): boolean {
    for (const kind of ignoreFiles.keys()) {
      for (const level of this.#levels) {
        const matcher = level.matchers[kind];
        const below = matcher === undefined ? undefined : pathBelow(level.directory, path);
        if (matcher === undefined || below === undefined || below === "") continue;
        const answer = matcher.test(isDirectory ? `${below}/` : below);
        if (answer.ignored) return true;
        if (answer.unignored) return false;
      }
    }
    return false;
  }
}

async function textOf(
  path: string,
  source: { readonly fs: HostFs; readonly options: HostOptions | undefined },
): Promise<string | undefined> {
  try {
    const file = await source.fs.readFile(path, { ...source.options, maxBytes: 4_194_304 });
    return new TextDecoder().decode(file.bytes);
  } catch {
    // An ignore file that cannot be read rules nothing, as in git.
    throwIfAborted(source.options?.signal);
    return undefined;
  }
}
