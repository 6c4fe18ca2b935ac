import { fold, Traits, type Folded, type FoldOptions } from "./fold.ts";

/** The text that is edited, with the forms in which it is compared, each made once. */
export class Source {
  readonly text: string;
  readonly traits: Traits;
  readonly #folds: Record<string, Folded> = {};

  constructor(text: string) {
    this.text = text;
    this.traits = new Traits(text);
  }

  folded(options: FoldOptions): Folded {
    const key = `${options.trailingSpace} ${options.lookAlikes}`;
    return (this.#folds[key] ??= fold(this.text, options, this.traits));
  }
}
