/**
 * Puts what a program prints on two streams into one text: a line `[stderr]` or `[stdout]` stands wherever the
 * other stream goes on. Output begins as standard output.
 */
export class OutputMarks {
  #current: "stdout" | "stderr" = "stdout";
  #isAtLineStart = true;

  /** What to add to the text for this piece. */
  mark(stream: "stdout" | "stderr", text: string): string {
    if (text === "") return "";
    let prefix = "";
    if (stream !== this.#current) prefix = `${this.#isAtLineStart ? "" : "\n"}[${stream}]\n`;
    this.#current = stream;
    this.#isAtLineStart = text.endsWith("\n");
    return prefix + text;
  }
}
