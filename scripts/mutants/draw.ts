import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { replacementsIn, type Operators } from "./replacements.ts";

/** One change of one file. */
export interface Mutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly line: number;
  /** Survives edits elsewhere in the file: no line numbers. */
  readonly key: string;
}

export interface Draw {
  readonly count: number;
  readonly seed: number;
  /** Folders of src, drawn from in turn. */
  readonly layers: readonly string[];
  readonly operators: Operators;
  /** Draws from this file alone. */
  readonly file?: string | undefined;
}

/** Draws mutants, for the same seed always the same. */
export function drawMutants({ count, seed, layers, operators, file }: Draw): Mutant[] {
  const random = seededRandom(seed);
  const perLayer = layers.map((layer) =>
    shuffled(
      filesOf(layer)
        .filter((each) => file === undefined || each === file)
        .flatMap((each) => mutantsOfFile(each, operators)),
      random,
    ),
  );
  const drawn: Mutant[] = [];
  for (
    let round = 0;
    drawn.length < count && perLayer.some((list) => round < list.length);
    round += 1
  ) {
    for (const list of perLayer) {
      const mutant = list[round];
      if (mutant !== undefined && drawn.length < count) drawn.push(mutant);
    }
  }
  return drawn;
}

function filesOf(layer: string): string[] {
  return globSync(`src/${layer}/**/*.ts`, { ignore: ["**/*.test*.ts", "**/index.ts"] }).toSorted();
}

function mutantsOfFile(file: string, operators: Operators): Mutant[] {
  const source = readFileSync(file, "utf8");
  const found = new Map<string, Mutant>();
  for (const { start, end, text } of replacementsIn(file, source, operators)) {
    const line = source.slice(0, start).split("\n").length;
    const was = source.slice(start, end);
    const whole = source.split("\n")[line - 1]?.trim() ?? "";
    const key = `${file}: ${whole} [${was} -> ${text}]`;
    found.set(key, { file, start, end, text, line, key });
  }
  return [...found.values()];
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** A linear congruential generator: the same draw on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
