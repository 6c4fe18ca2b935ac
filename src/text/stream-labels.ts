/**
 * Merges the two output streams of a program into one text: a line `[stderr]` or `[stdout]` marks each switch to the
 * other stream. Output begins as standard output.
 */
export class OutputMarks {
  #current: "stdout" | "stderr" = "stdout";
  #isAtLineStart = true;

  /** The label, if one is needed, to insert before this piece. */
  mark(stream: "stdout" | "stderr", text: string): string {
    if (text === "") return "";
    let prefix = "";
    if (stream !== this.#current) prefix = `${this.#isAtLineStart ? "" : "\n"}[${stream}]\n`;
    this.#current = stream;
    this.#isAtLineStart = text.endsWith("\n");
    return prefix + text;
  }
}
