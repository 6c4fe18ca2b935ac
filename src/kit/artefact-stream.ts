import { ToolError, type ArtefactRef, type ArtefactStream, type Host } from "../core/index.ts";

/** Changes a text that comes in pieces; what may still be part of something longer waits for the next piece. */
export interface TextFilter {
  push(text: string): string;
  end(): string;
}

export interface ArtefactFile {
  readonly host: Pick<Host, "fs" | "clock">;
  readonly path: string;
  /** Makes room and the folder; false where nothing more is taken. */
  readonly prepare: () => Promise<boolean>;
  /** How many bytes it may have. */
  readonly maxBytes: number;
  /** Makes what every piece goes through. */
  readonly filter: (() => Promise<TextFilter>) | undefined;
  /** Told the bytes of everything that was added. */
  readonly onAdded: (bytes: number) => void;
  readonly onEnd: (ref: ArtefactRef | undefined) => void;
}

/** A file that was not added to for this long may have been swept by another process. */
const idleMs = 30 * 60 * 1000;

/** As much is added to the file at once; more takes several. */
const blockBytes = 262_144;
/** A UTF-16 unit takes three bytes of UTF-8 at most. */
const unitBytes = 3;
/** What is told in the place of what no longer fits takes less. */
const noteBytes = 200;
const newline = 10;
const encoder = new TextEncoder();

/** Adds to one file, piece after piece, until it is full. */
export class FileArtefact implements ArtefactStream {
  readonly path: string;
  readonly #file: ArtefactFile;
  #waiting: string[] = [];
  #half = "";
  #filter: TextFilter | undefined;
  #adding: Promise<void> | undefined;
  #state: "new" | "open" | "failed" | "ended" = "new";
  #isFull = false;
  #ref: ArtefactRef | undefined;
  /** What is added next, in memory that is used again. */
  #block: Uint8Array = new Uint8Array();
  #blockUsed = 0;
  #bytes = 0;
  #chars = 0;
  #lines = 0;
  #lastByte = newline;
  #missing = 0;
  #addedAt = 0;

  constructor(file: ArtefactFile) {
    this.path = file.path;
    this.#file = file;
  }

  async write(text: string): Promise<void> {
    if (this.#isOver) return;
    this.#take(text);
    await this.#flush();
  }

  leaveOut(chars: number): boolean {
    if (this.#isOver) return true;
    // What still waits comes before it.
    if (!this.#isFull || this.#half !== "" || this.#waiting.length > 0) return false;
    this.#missing += chars;
    return true;
  }

  async end(): Promise<ArtefactRef | undefined> {
    if (this.#state === "ended") return this.#ref;
    this.#take("", true);
    await this.#flush();
    await this.#addText(this.#filter?.end() ?? "");
    await this.#addBlock();
    if (this.#state === "open") this.#ref = this.#finished();
    this.#state = "ended";
    this.#block = new Uint8Array();
    this.#file.onEnd(this.#ref);
    return this.#ref;
  }

  get #isOver(): boolean {
    return this.#state === "ended" || this.#state === "failed";
  }

  #take(given: string, isLast = false): void {
    const whole = this.#half + given;
    // The halves of a character that come apart are put together again.
    this.#half = !isLast && /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : "";
    const text = this.#half === "" ? whole : whole.slice(0, -1);
    if (text !== "") this.#waiting.push(text);
  }

  /** One block is added at a time; what comes meanwhile goes together. */
  async #flush(): Promise<void> {
    while (this.#adding !== undefined) await this.#adding;
    if (this.#waiting.length === 0) return;
    this.#adding = this.#addWaiting();
    await this.#adding;
    this.#adding = undefined;
  }

  async #addWaiting(): Promise<void> {
    // Also lets in what is given in the same moment, one piece after the other.
    await Promise.resolve();
    if (this.#file.filter !== undefined) this.#filter ??= await this.#file.filter();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const text of waiting) {
      // What is not kept need not be looked through.
      await this.#addText(this.#isFull ? text : (this.#filter?.push(text) ?? text));
    }
    await this.#addBlock();
  }

  async #addText(text: string): Promise<void> {
    for (let rest = text; rest !== "";) {
      rest = rest.slice(this.#encode(rest));
      if (rest !== "") await this.#addBlock();
    }
  }

  /** Puts as much as fits into the block, and says how much of the text is done with. */
  #encode(text: string): number {
    if (this.#isFull) this.#missing += text.length;
    if (this.#isFull || this.#isOver) return text.length;
    this.#grow(this.#blockUsed + text.length * unitBytes + noteBytes);
    const room = this.#file.maxBytes - this.#bytes - this.#blockUsed;
    const free = this.#block.length - noteBytes - this.#blockUsed;
    const place = this.#block.subarray(this.#blockUsed, this.#blockUsed + Math.min(room, free));
    const { read, written } = encoder.encodeInto(text, place);
    const kept = place.subarray(0, written);
    this.#blockUsed += written;
    this.#chars += read;
    this.#lines += newlinesIn(kept);
    this.#lastByte = kept.at(-1) ?? this.#lastByte;
    if (read === text.length || free < room) return read;
    const note = `\n(${this.#file.maxBytes} bytes are kept; what came after is not.)\n`;
    const end = this.#block.subarray(this.#blockUsed);
    this.#blockUsed += encoder.encodeInto(note, end).written;
    this.#isFull = true;
    this.#missing += text.length - read;
    return text.length;
  }

  #grow(wanted: number): void {
    if (wanted <= this.#block.length || this.#block.length === blockBytes) return;
    const block = new Uint8Array(Math.min(blockBytes, Math.max(wanted, this.#block.length * 2)));
    block.set(this.#block.subarray(0, this.#blockUsed));
    this.#block = block;
  }

  async #addBlock(): Promise<void> {
    if (this.#blockUsed === 0 || this.#isOver) return;
    const bytes = this.#block.subarray(0, this.#blockUsed);
    try {
      await this.#append(bytes);
    } catch {
      // What the tool does is more important than what is kept of it; `end` tells that nothing was.
      this.#state = "failed";
      return;
    }
    this.#bytes += bytes.length;
    this.#blockUsed = 0;
    this.#file.onAdded(bytes.length);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const { host, path, prepare } = this.#file;
    const now = host.clock.now();
    if (this.#state === "new") {
      if (!(await prepare())) throw new ToolError("NO_SPACE", "Nothing more is kept.");
      await host.fs.writeAtomic(path, bytes, { mode: 0o600, ifMatch: null });
      this.#state = "open";
    } else {
      // Adding to a file that is gone would make another one, of the end alone.
      if (now - this.#addedAt > idleMs) await host.fs.stat(path);
      await host.fs.append(path, bytes);
    }
    this.#addedAt = now;
  }

  #finished(): ArtefactRef {
    return {
      path: this.path,
      chars: this.#chars + this.#missing,
      lines: this.#lines + (this.#lastByte === newline ? 0 : 1),
      ...(this.#missing === 0 ? {} : { missingChars: this.#missing }),
    };
  }
}

function newlinesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === newline) lines += 1;
  return lines;
}
