/** A text in which edits are made. */
export interface DriftText {
  readonly name: string;
  /** One level of its indentation. */
  readonly unit: string;
  /** With `\n` as line endings. */
  readonly text: string;
  /** In the file they are `\r\n`. */
  readonly isWindows?: boolean;
}
