import { isAscii } from "node:buffer";
import { OutputMarks } from "../../../text/index.ts";
import {
  type ArtifactStore,
  type Limits,
  type OutputReading,
  type ToolContext,
} from "../../../core/index.ts";
import { byteSize } from "../../files/paths/display-path.ts";
import { BinaryWatch } from "./binary-output.ts";
import { CapturedOutput, type StreamName } from "./capture.ts";
import { OutputFile } from "./output-file.ts";
import { OutputDecoder } from "./output-decoder.ts";
import { PacedOutput } from "./throttle.ts";
import { shownText } from "./stream-capture.ts";

/** Bytes decoded per step; small strings are collected cheaply. */
const sliceBytes = 8192;
const newline = 10;

export interface TakingOptions {
  readonly limits: Limits["bash"];
  /** Characters above which the full output is stored. */
  readonly shownChars: number;
  readonly store: ArtifactStore | undefined;
  /** Removes secrets from text before it is cut. */
  readonly redact: (text: string) => string;
}

type TakingContext = Pick<ToolContext, "callId" | "host" | "output" | "progress">;

/** Decoder of both streams that distributes their text to the buffer, the live output and the artifact. */
export class TakenOutput implements OutputReading {
  readonly output: CapturedOutput;
  readonly kept: OutputFile;
  readonly marks = new OutputMarks();
  readonly #paced: PacedOutput;
  readonly #streams: Readonly<Record<StreamName, ReturnType<typeof newStream>>> = {
    stdout: newStream(),
    stderr: newStream(),
  };

  constructor({ limits, shownChars, store, redact }: TakingOptions, context: TakingContext) {
    this.output = new CapturedOutput(limits, redact);
    this.kept = new OutputFile(store, context.callId, shownChars);
    const { output } = this;
    this.#paced = new PacedOutput(context, limits.progressMs, (chars) => output.latest(chars));
  }

  /** Sentences about output that was not UTF-8. */
  get notes(): readonly string[] {
    const { stdout, stderr } = this.#streams;
    return [...new Set([...stdout.decoder.notes, ...stderr.decoder.notes])];
  }

  /** Decodes bytes; without bytes, returns the end of the stream: a partial character, or a note on binary output. */
  decode(name: StreamName, bytes?: Uint8Array): string {
    const { watch } = this.#streams[name];
    if (bytes !== undefined) return watch.add(bytes) ? "" : this.#textOf(name, bytes);
    return watch.format === undefined
      ? this.#textOf(name)
      : `[${watch.format}, ${byteSize(watch.bytes)}: not shown. Write it to a file with > to keep it.]\n`;
  }

  /** Adds bytes; the caller may reuse them once the promise resolves, or at once if there is none. */
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

  /** Forwards pending output, before a task continues with this reader. */
  async leave(): Promise<void> {
    this.#paced.flush();
    await this.kept.flush();
  }

  /** Whether bytes are stored without decoding: of a very large output only the end is needed as text. */
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
