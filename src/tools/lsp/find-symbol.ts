import { ToolError, type CodePlace, type EffectContext } from "../../core/index.ts";
import { displayPath } from "../files/paths/display-path.ts";

/** Number of lines above and below in which a symbol is looked for: models count lines wrongly. */
const nearLines = 3;

export interface NamedPlace {
  /** Canonical path. */
  readonly path: string;
  readonly line: number;
  readonly symbol: string;
}

/** Finds the column of a symbol in a line, or in the nearest line that has it. */
export async function findSymbol(
  { path, line, symbol }: NamedPlace,
  { host, cwd, signal }: EffectContext,
): Promise<CodePlace> {
  const { bytes } = await host.fs.readFile(path, { signal });
  const lines = new TextDecoder().decode(bytes).split("\n");
  for (let distance = 0; distance <= nearLines; distance += 1) {
    for (const near of new Set([line - distance, line + distance])) {
      const index = indexOfWord(lines[near - 1] ?? "", symbol);
      if (index !== undefined) return { path, line: near, column: index + 1 };
    }
  }
  throw new ToolError(
    "NO_MATCH",
    `${symbol} does not occur near line ${line} of ${displayPath(path, cwd)}.`,
    { hint: "Give the line in which it occurs; Grep finds it." },
  );
}

/** Position of a name in a line, as a whole word where that is possible. */
function indexOfWord(line: string, word: string): number | undefined {
  let first: number | undefined;
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    first ??= at;
    const around = `${line[at - 1] ?? " "}${line[at + word.length] ?? " "}`;
    if (!/[\p{L}\p{N}_$]/u.test(around)) return at;
  }
  // A part of a longer name, if the symbol itself is not a name.
  return /^[\p{L}\p{N}_$]+$/u.test(word) ? undefined : first;
}
