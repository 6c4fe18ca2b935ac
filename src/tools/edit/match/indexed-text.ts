import { foldLookAlikes } from "./look-alikes.ts";
import { partsOf } from "./lines.ts";
import { fold, Traits, type Folded, type FoldOptions } from "./fold-characters.ts";

/** The edited text, with the forms in which it is compared, each computed once. */
export class Source {
  readonly text: string;
  readonly traits: Traits;
  readonly #folds: Record<string, Folded> = {};
  #plainLines: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.traits = new Traits(text);
  }

  folded(options: FoldOptions): Folded {
    const key = `${options.trailingSpace} ${options.lookAlikes}`;
    return (this.#folds[key] ??= fold(this.text, options, this.traits));
  }

  /** Its lines in plain characters, without trailing blanks. */
  get plainLines(): readonly string[] {
    return (this.#plainLines ??= plainLines(
      this.traits.hasSpecial ? foldLookAlikes(this.text) : this.text,
    ));
  }
}

/** Lines without trailing blanks. */
export function plainLines(text: string): string[] {
  return partsOf(text).map((line) => line.trimEnd());
}
