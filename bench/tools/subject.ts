/** One set of tools that is measured, behind the same few calls. What it cannot do is left out. */
export interface Subject {
  /** The matching lines, as far as the tool shows them. */
  grep?(pattern: string): Promise<string>;
  glob?(pattern: string): Promise<string>;
  read?(file: string, page: Page): Promise<string>;
  /** Before the first edit of a file, where a tool wants it read. */
  prepareEdit?(file: string): Promise<void>;
  edit?(file: string, change: Change): Promise<string>;
  bash?(command: string): Promise<string>;
  /** In the default sandbox of the tool, with changes stored so that they can be undone. */
  confined?(command: string): Promise<string>;
  /** A search by a program that is held. */
  confinedGrep?(pattern: string): Promise<string>;
  /** The process whose memory counts, where it is not the driver's own. */
  readonly pid?: number | undefined;
  close(): Promise<void>;
}

export interface Page {
  /** First line, from 1. */
  readonly offset: number;
  readonly limit: number;
}

export interface Change {
  readonly from: string;
  readonly to: string;
}

/** Exports of peers are not typed here, because they are not dependencies. */
export interface Loose {
  readonly [name: string]: LooseCall;
}
export type LooseCall = ((...args: readonly unknown[]) => unknown) &
  (new (...args: readonly unknown[]) => Loose);
