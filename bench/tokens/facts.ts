/** Facts of one call of the job, from which each formatter makes the answer of its tools. */
export interface Facts {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute path of the repository. */
  readonly root: string;
  /** Of Read: the lines that were asked for, with the number of the first and of all. */
  readonly lines: readonly string[];
  readonly firstLine: number;
  readonly totalLines: number;
  /** Of Glob and of Grep: paths below the root, newest first. */
  readonly files: readonly string[];
  /** Of Grep: every matching line. */
  readonly matches: readonly {
    readonly path: string;
    readonly line: number;
    readonly text: string;
  }[];
  /** Of ListDir. */
  readonly entries: readonly {
    readonly name: string;
    readonly isDirectory: boolean;
    readonly size: number;
  }[];
  /** Of Edit: how many places were changed. */
  readonly replaced: number;
  /** Of Edit: the lines of the file afterwards, and those of them that changed, from 0. */
  readonly linesAfter: readonly string[];
  readonly changedLines: readonly number[];
  /** Of Bash. */
  readonly output: string;
}

export type Format = (facts: Facts) => string;

export function byFile(matches: Facts["matches"]): ReadonlyMap<string, Facts["matches"]> {
  return Map.groupBy(matches, ({ path }) => path);
}
