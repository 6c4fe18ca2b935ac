import { fold, Traits, type Folded, type FoldOptions } from "./fold.ts";

/** The text that is edited, with the forms in which it is compared, each made once. */
export class Source {
  readonly text: string;
  readonly traits: Traits;
  readonly #folds = new Map<number, Folded>();

  constructor(text: string) {
    this.text = text;
    this.traits = new Traits(text);
  }

  folded(options: FoldOptions): Folded {
    const key = (options.trailingSpace ? 1 : 0) + (options.lookAlikes ? 2 : 0);
    let folded = this.#folds.get(key);
    if (folded === undefined) {
      folded = fold(this.text, options, this.traits);
      this.#folds.set(key, folded);
    }
    return folded;
  }
}
