import { ToolError, type ArtifactRef, type ArtifactStream, type Host } from "../core/index.ts";

/** Changes a text that arrives in pieces. Text that may be part of a longer match waits for the next piece. */
export interface TextFilter {
  push(text: string): string;
  /**
   * Number of the next bytes, all ASCII, that stay unchanged and need not be pushed. The bytes after them must be
   * pushed.
   */
  skip?(ascii: Uint8Array): number;
  end(): string;
}

export interface ArtifactFile {
  readonly host: Pick<Host, "fs" | "clock">;
  readonly path: string;
  /** Makes room and creates the directory. False if the store takes no more. */
  readonly prepare: () => Promise<boolean>;
  /** Maximum size of the file in bytes. */
  readonly maxBytes: number;
  /** Creates the filter applied to every piece. */
  readonly filter: (() => Promise<TextFilter>) | undefined;
  /** Called with the number of bytes of each addition. */
  readonly onAdded: (bytes: number) => void;
  readonly onEnd: (ref: ArtifactRef | undefined) => void;
}

/** Time without additions after which another process may have removed the file. */
const idleMs = 30 * 60 * 1000;

/** Maximum number of bytes of one addition to the file; more text takes several. */
const blockBytes = 262_144;
/** Bytes decoded at once for the filter, where it may have to change them. */
const pieceBytes = 8192;
/** Maximum number of UTF-8 bytes of one UTF-16 unit. */
const unitBytes = 3;
/** Room for the note that replaces text beyond the limit. */
const noteBytes = 200;
const newline = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Appends pieces to one file until it is full. */
export class FileArtifact implements ArtifactStream {
  readonly path: string;
  readonly #file: ArtifactFile;
  #waiting: (string | Uint8Array)[] = [];
  #half = "";
  /** Whether the pending text must reach the file immediately. */
  #isDue = false;
  #filter: TextFilter | undefined;
  #adding: Promise<void> | undefined;
  #ending: Promise<ArtifactRef | undefined> | undefined;
  #state: "new" | "open" | "failed" | "ended" = "new";
  #isFull = false;
  #ref: ArtifactRef | undefined;
  /** Content of the next addition, in reused memory. */
  #block: Uint8Array = new Uint8Array();
  #blockUsed = 0;
  /** Bytes after `#blockUsed` that hold the note about omitted text. */
  #noteUsed = 0;
  #bytes = 0;
  #chars = 0;
  #lines = 0;
  #lastByte = newline;
  #missing = 0;
  #addedAt = 0;

  constructor(file: ArtifactFile) {
    this.path = file.path;
    this.#file = file;
  }

  async write(text: string): Promise<void> {
    if (this.#isClosed) return;
    this.#take(text);
    this.#isDue = true;
    await this.#flush();
  }

  async writeAscii(ascii: Uint8Array): Promise<void> {
    if (this.#isClosed) return;
    this.#take("", true);
    this.#waiting.push(ascii);
    await this.#flush();
  }

  leaveOut(chars: number): boolean {
    if (this.#isClosed) return true;
    // Pending text comes first.
    if (!this.#isFull || this.#half !== "" || this.#waiting.length > 0) return false;
    this.#missing += chars;
    return true;
  }

  /** Ends the stream once, however often it is called. */
  async end(): Promise<ArtifactRef | undefined> {
    return await (this.#ending ??= this.#end());
  }

  async #end(): Promise<ArtifactRef | undefined> {
    this.#take("", true);
    await this.#flush();
    await this.#addText(this.#filter?.end() ?? "");
    await this.#addBlock();
    if (this.#state === "open") this.#ref = this.#finished();
    this.#state = "ended";
    if (this.#block.length === blockBytes) spareBlock = this.#block;
    this.#block = new Uint8Array();
    this.#file.onEnd(this.#ref);
    return this.#ref;
  }

  /** Whether no more text is accepted; accepted text may still be pending. */
  get #isClosed(): boolean {
    return this.#ending !== undefined || this.#isOver;
  }

  get #isOver(): boolean {
    return this.#state === "ended" || this.#state === "failed";
  }

  #take(given: string, isLast = false): void {
    const whole = this.#half + given;
    // Surrogate pairs split between two pieces are joined again.
    this.#half = !isLast && /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : "";
    const text = this.#half === "" ? whole : whole.slice(0, -1);
    if (text !== "") this.#waiting.push(text);
  }

  /** Adds one block at a time; text that arrives meanwhile is added together. */
  async #flush(): Promise<void> {
    while (this.#adding !== undefined) await this.#adding;
    if (this.#waiting.length === 0 && !this.#isDue) return;
    this.#adding = this.#addWaiting();
    await this.#adding;
    this.#adding = undefined;
  }

  async #addWaiting(): Promise<void> {
    // Lets further pieces written in the same tick join this addition.
    await Promise.resolve();
    if (this.#file.filter !== undefined) this.#filter ??= await this.#file.filter();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) {
      if (typeof each === "string") await this.#addText(this.#filtered(each));
      else await this.#addAscii(each);
    }
    // Raw bytes arrive in large amounts and are written in full blocks only.
    if (!this.#isDue) return;
    this.#isDue = false;
    await this.#addBlock();
  }

  /** Text that is not stored needs no filtering. */
  #filtered(text: string): string {
    return this.#isFull ? text : (this.#filter?.push(text) ?? text);
  }

  async #addAscii(ascii: Uint8Array): Promise<void> {
    for (let rest = ascii; rest.length > 0;) {
      const passed = this.#passed(rest);
      for (let from = 0; from < passed;) {
        from += this.#copy(rest.subarray(from, passed));
        if (from < passed) await this.#addBlock();
      }
      const piece = rest.subarray(passed, passed + pieceBytes);
      if (piece.length > 0) await this.#addText(this.#filtered(decoder.decode(piece)));
      rest = rest.subarray(passed + piece.length);
    }
  }

  #passed(ascii: Uint8Array): number {
    if (this.#isFull || this.#filter === undefined) return ascii.length;
    return this.#filter.skip?.(ascii) ?? 0;
  }

  async #addText(text: string): Promise<void> {
    for (let rest = text; rest !== "";) {
      rest = rest.slice(this.#encode(rest));
      if (rest !== "") await this.#addBlock();
    }
  }

  /** Encodes as much text as fits into the block. Returns the number of characters that are handled. */
  #encode(text: string): number {
    if (this.#isFull) this.#missing += text.length;
    if (this.#isFull || this.#isOver) return text.length;
    const place = this.#place(text.length * unitBytes);
    const { read, written } = encoder.encodeInto(text, place);
    this.#chars += read;
    return this.#added(written, { done: read, of: text.length });
  }

  /** Same as `#encode`, for ASCII bytes. */
  #copy(ascii: Uint8Array): number {
    if (this.#isFull) this.#missing += ascii.length;
    if (this.#isFull || this.#isOver) return ascii.length;
    const place = this.#place(ascii.length);
    const part = ascii.subarray(0, place.length);
    place.set(part);
    this.#chars += part.length;
    return this.#added(part.length, { done: part.length, of: ascii.length });
  }

  get #room(): number {
    return this.#file.maxBytes - this.#bytes - this.#blockUsed;
  }

  /** Free part of the block for the next text. */
  #place(wanted: number): Uint8Array {
    this.#grow(this.#blockUsed + wanted + noteBytes);
    const free = this.#block.length - noteBytes - this.#blockUsed;
    return this.#block.subarray(this.#blockUsed, this.#blockUsed + Math.min(this.#room, free));
  }

  /**
   * Number of units handled. The rest is passed again if only the block is full, and counted as missing if the file is
   * full.
   */
  #added(bytes: number, { done, of }: { readonly done: number; readonly of: number }): number {
    const isAtEnd = this.#room <= this.#block.length - noteBytes - this.#blockUsed;
    this.#blockUsed += bytes;
    if (done === of || !isAtEnd) return done;
    const note = `\n(${this.#file.maxBytes} bytes are kept; what came after is not.)\n`;
    const end = this.#block.subarray(this.#blockUsed);
    this.#noteUsed = encoder.encodeInto(note, end).written;
    this.#isFull = true;
    this.#missing += of - done;
    return of;
  }

  #grow(wanted: number): void {
    if (wanted <= this.#block.length || this.#block.length === blockBytes) return;
    const block = newBlock(Math.min(blockBytes, Math.max(wanted, this.#block.length * 2)));
    block.set(this.#block.subarray(0, this.#blockUsed));
    this.#block = block;
  }

  async #addBlock(): Promise<void> {
    if (this.#blockUsed + this.#noteUsed === 0 || this.#isOver) return;
    const text = this.#block.subarray(0, this.#blockUsed);
    this.#lines += newlinesIn(text);
    this.#lastByte = text.at(-1) ?? this.#lastByte;
    const bytes = this.#block.subarray(0, this.#blockUsed + this.#noteUsed);
    try {
      await this.#append(bytes);
    } catch {
      // The work of the tool matters more than its artifact; the result of `end` shows that nothing was stored.
      this.#state = "failed";
      return;
    }
    this.#bytes += bytes.length;
    this.#blockUsed = 0;
    this.#noteUsed = 0;
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
      // Appending to a deleted file would create a file with the end of the text only.
      if (now - this.#addedAt > idleMs) await host.fs.stat(path);
      await host.fs.append(path, bytes);
    }
    this.#addedAt = now;
  }

  #finished(): ArtifactRef {
    return {
      path: this.path,
      chars: this.#chars + this.#missing,
      lines: this.#lines + (this.#lastByte === newline ? 0 : 1),
      ...(this.#missing === 0 ? {} : { missingChars: this.#missing }),
    };
  }
}

/** Block of an ended stream, for the next one: otherwise each large output leaves one to the garbage collector. */
let spareBlock: Uint8Array | undefined;

function newBlock(bytes: number): Uint8Array {
  const spare = bytes === blockBytes ? spareBlock : undefined;
  if (spare !== undefined) spareBlock = undefined;
  return spare ?? new Uint8Array(bytes);
}

const newlines = 0x0a0a0a0a;
const lowBits = 0x7f7f7f7f;
// A signed 32-bit integer, so that the whole computation stays in small integers.
const highBits = 0x80808080 | 0;

/** Counts newlines four bytes at a time, which pays off for large output. The bytes start at the start of a block. */
function newlinesIn(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let lines = 0;
  for (let at = 0; at < words.length; at += 1) {
    const other = (words[at] ?? 0) ^ newlines;
    // Sets the high bit of each byte that is a newline.
    const found = ~(((other & lowBits) + lowBits) | 0 | other) & highBits;
    if (found !== 0) lines += Math.imul(found >>> 7, 0x01010101) >>> 24;
  }
  for (let at = words.length * 4; at < bytes.length; at += 1) if (bytes[at] === newline) lines += 1;
  return lines;
}
