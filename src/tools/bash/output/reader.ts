import { isAscii } from "node:buffer";
import { OutputMarks } from "../../../text/index.ts";
import {
  type ArtefactStore,
  type Limits,
  type OutputReading,
  type ToolContext,
} from "../../../core/index.ts";
import { byteSize } from "../../files/paths/display-path.ts";
import { BinaryWatch } from "./binary-output.ts";
import { CapturedOutput, type StreamName } from "./capture.ts";
import { KeptOutput } from "./file.ts";
import { OutputDecoder } from "./output-decoder.ts";
import { PacedOutput } from "./throttle.ts";
import { shownText } from "./stream-capture.ts";

/** Bytes that become text at once: small texts are gone before they cost anything. */
const sliceBytes = 8192;
const newline = 10;

export interface TakingOptions {
  readonly limits: Limits["bash"];
  /** Characters from which on the whole is kept. */
  readonly shownChars: number;
  readonly store: ArtefactStore | undefined;
  /** Takes secrets out of what is cut. */
  readonly redact: (text: string) => string;
}

type TakingContext = Pick<ToolContext, "callId" | "host" | "output" | "progress">;

/** Where the bytes of both streams become text, and where that goes. */
export class TakenOutput implements OutputReading {
  readonly output: CapturedOutput;
  readonly kept: KeptOutput;
  readonly marks = new OutputMarks();
  readonly #paced: PacedOutput;
  readonly #streams: Readonly<Record<StreamName, ReturnType<typeof newStream>>> = {
    stdout: newStream(),
    stderr: newStream(),
  };

  constructor({ limits, shownChars, store, redact }: TakingOptions, context: TakingContext) {
    this.output = new CapturedOutput(limits, redact);
    this.kept = new KeptOutput(store, context.callId, shownChars);
    const { output } = this;
    this.#paced = new PacedOutput(context, limits.progressMs, (chars) => output.latest(chars));
  }

  /** Sentences on what was not UTF-8. */
  get notes(): readonly string[] {
    const { stdout, stderr } = this.#streams;
    return [...new Set([...stdout.decoder.notes, ...stderr.decoder.notes])];
  }

  /** At the end: the rest of a character that was cut, and in place of what is no text, what it was. */
  decode(name: StreamName, bytes?: Uint8Array): string {
    const { watch } = this.#streams[name];
    if (bytes !== undefined) return watch.add(bytes) ? "" : this.#textOf(name, bytes);
    return watch.format === undefined
      ? this.#textOf(name)
      : `[${watch.format}, ${byteSize(watch.bytes)}: not shown. Write it to a file with > to keep it.]\n`;
  }

  /** Undefined where they are taken at once; else they are another's when it resolves. */
  bytes(name: StreamName, bytes: Uint8Array): Promise<void> | undefined {
    if (this.#streams[name].watch.add(bytes)) return undefined;
    return this.#takesAscii(name, bytes)
      ? this.#addAscii(name, bytes)
      : this.#addTexts(name, bytes);
  }

  async #addTexts(name: StreamName, bytes: Uint8Array): Promise<void> {
    const taken: Promise<void>[] = [];
    for (let from = 0; from < bytes.length; from += sliceBytes) {
      taken.push(this.text(name, this.#textOf(name, bytes.subarray(from, from + sliceBytes))));
    }
    await Promise.all(taken);
  }

  async text(name: StreamName, text: string): Promise<void> {
    if (text === "") return;
    this.output.add(name, text);
    this.#paced.add(name, text);
    await this.kept.add(this.marks.mark(name, text));
  }

  async finish(): Promise<void> {
    for (const name of ["stdout", "stderr"] as const) await this.text(name, this.decode(name));
    this.#paced.flush();
  }

  /** Passes on what waits, for whoever goes on with it. */
  async leave(): Promise<void> {
    this.#paced.flush();
    await this.kept.flush();
  }

  /** Of a flood only the end is wanted as a text: the rest is counted, and kept as it came. */
  #takesAscii(name: StreamName, bytes: Uint8Array): boolean {
    if (!this.#paced.isFlood || !this.output.takesBytes(name)) return false;
    return !this.#streams[name].decoder.isWithin && isAscii(bytes) && this.kept.takesAscii(bytes);
  }

  #addAscii(name: StreamName, ascii: Uint8Array): Promise<void> | undefined {
    this.output.addBytes(name, ascii);
    this.#paced.count(ascii.length);
    const last = ascii.at(-1) === newline ? "\n" : "x";
    const mark = this.marks.mark(name, last).slice(0, -1);
    return mark === "" ? this.kept.addAscii(ascii) : this.#addMarked(mark, ascii);
  }

  async #addMarked(mark: string, ascii: Uint8Array): Promise<void> {
    await this.kept.add(mark);
    await this.kept.addAscii(ascii);
  }

  #textOf(name: StreamName, bytes?: Uint8Array): string {
    return shownText(this.#streams[name].decoder.decode(bytes));
  }
}

function newStream() {
  return {
    decoder: new OutputDecoder(),
    watch: new BinaryWatch(),
  };
}
