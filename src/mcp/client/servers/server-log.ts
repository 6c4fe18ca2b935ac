import { visibleText } from "../../../text/index.ts";

/** Characters of a server's log that are kept. */
const maxChars = 64_000;

/** Latest part of the text that a server printed to standard error and reported, and how it ended. */
export class ServerLog {
  #text = "";
  #ending: string | undefined;

  /** How it ended last, in words. */
  get ending(): string | undefined {
    return this.#ending;
  }

  /** Text with every character visible. */
  get text(): string {
    return visibleText(this.#text);
  }

  /** The last lines that are not empty. */
  tail(lines: number): readonly string[] {
    return this.text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(-lines);
  }

  /** Returns a function that drops what is added from now on: of two attempts to start only the last one counts. */
  beginAttempts(): () => void {
    const before = this.#text;
    return () => void (this.#text = before);
  }

  add(text: string): void {
    this.#text = (this.#text + text.slice(-maxChars)).slice(-maxChars);
  }

  ended(why: string): void {
    this.#ending = why;
  }
}
