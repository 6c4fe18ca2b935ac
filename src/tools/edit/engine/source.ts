import { fold, type Folded, type FoldOptions } from "./fold.ts";

/** The text that is edited, with the forms in which it is compared, each made once. */
export class Source {
  readonly text: string;
  readonly #folds = new Map<string, Folded>();

  constructor(text: string) {
    this.text = text;
  }

  folded(options: FoldOptions): Folded {
    const key = `${options.trailingSpace}/${options.lookAlikes}`;
    let folded = this.#folds.get(key);
    if (folded === undefined) {
      folded = fold(this.text, options);
      this.#folds.set(key, folded);
    }
    return folded;
  }
}
