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

/** Adds to one file, piece after piece, until it is full. */
export class FileArtefact implements ArtefactStream {
  readonly path: string;
  readonly #file: ArtefactFile;
  readonly #encoder = new TextEncoder();
  #waiting: string[] = [];
  #half = "";
  #filter: TextFilter | undefined;
  #adding: Promise<void> | undefined;
  #state: "new" | "open" | "full" | "failed" | "ended" = "new";
  #ref: ArtefactRef | undefined;
  #bytes = 0;
  #chars = 0;
  #lines = 0;
  #lastChar = "\n";
  #missing = 0;
  #addedAt = 0;

  constructor(file: ArtefactFile) {
    this.path = file.path;
    this.#file = file;
  }

  async write(text: string): Promise<void> {
    if (this.#state === "ended" || this.#state === "failed") return;
    this.#take(text);
    await this.#flush();
  }

  async end(): Promise<ArtefactRef | undefined> {
    if (this.#state === "ended") return this.#ref;
    this.#take("", true);
    await this.#flush();
    const rest = this.#filter?.end() ?? "";
    if (rest !== "") await this.#add(rest);
    if (this.#state === "open" || this.#state === "full") this.#ref = this.#finished();
    this.#state = "ended";
    this.#file.onEnd(this.#ref);
    return this.#ref;
  }

  #take(given: string, isLast = false): void {
    const whole = this.#half + given;
    // The halves of a character that come apart are put together again.
    this.#half = !isLast && /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : "";
    const text = this.#half === "" ? whole : whole.slice(0, -1);
    if (text === "") return;
    if (this.#state === "full") this.#missing += text.length;
    else this.#waiting.push(text);
  }

  /** One piece is added at a time; what comes meanwhile goes together. */
  async #flush(): Promise<void> {
    while (this.#adding !== undefined) await this.#adding;
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#adding = this.#filtered(text);
    await this.#adding;
    this.#adding = undefined;
  }

  async #filtered(text: string): Promise<void> {
    // What is not kept need not be looked through.
    if (this.#file.filter === undefined || this.#state === "full") {
      await this.#add(text);
      return;
    }
    this.#filter ??= await this.#file.filter();
    const passed = this.#filter.push(text);
    if (passed !== "") await this.#add(passed);
  }

  async #add(text: string): Promise<void> {
    if (this.#state === "full") {
      this.#missing += text.length;
      return;
    }
    if (this.#state !== "new" && this.#state !== "open") return;
    const room = this.#file.maxBytes - this.#bytes;
    const all = this.#encoder.encode(text);
    const kept = all.length <= room ? text : beginningOf(text, room);
    const note = `\n(${this.#file.maxBytes} bytes are kept; what came after is not.)\n`;
    const bytes = kept === text ? all : this.#encoder.encode(`${kept}${note}`);
    try {
      await this.#append(bytes);
    } catch {
      // What the tool does is more important than what is kept of it; `end` tells that nothing was.
      this.#state = "failed";
      return;
    }
    this.#bytes += bytes.length;
    this.#chars += kept.length;
    this.#lines += newlinesIn(kept);
    this.#lastChar = kept.at(-1) ?? this.#lastChar;
    this.#file.onAdded(bytes.length);
    if (kept === text) return;
    this.#missing += text.length - kept.length;
    this.#state = "full";
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
      lines: this.#lines + (this.#lastChar === "\n" ? 0 : 1),
      ...(this.#missing === 0 ? {} : { missingChars: this.#missing }),
    };
  }
}

/** As much of the beginning as is surely within so many bytes, and never half a character. */
function beginningOf(text: string, bytes: number): string {
  const buffer = new Uint8Array(Math.max(0, bytes));
  const { read } = new TextEncoder().encodeInto(text, buffer);
  return text.slice(0, read);
}

function newlinesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
