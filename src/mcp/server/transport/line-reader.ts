import { FrameScan, type FrameHead } from "./frame-head.ts";

const newline = 0x0a;

export interface LineListener {
  /** Called with one line without its line end, never empty. */
  onLine(line: Buffer): void;
  /** Called when a line over the limit has ended; its content was discarded. */
  onTooLong(head: FrameHead): void;
}

/** Splits a byte stream into lines and buffers at most one line of `maxBytes`, whatever is sent. */
export function lineReader(maxBytes: number, listener: LineListener): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let skipped: FrameScan | undefined;

  function hold(part: Buffer): void {
    if (skipped !== undefined) {
      skipped.push(part);
      return;
    }
    if (part.length === 0) return;
    if (heldBytes + part.length <= maxBytes) {
      held.push(part);
      heldBytes += part.length;
      return;
    }
    skipped = new FrameScan();
    for (const each of [...held, part]) skipped.push(each);
    held = [];
    heldBytes = 0;
  }

  function endLine(): void {
    if (skipped !== undefined) {
      const { head } = skipped;
      skipped = undefined;
      listener.onTooLong(head);
      return;
    }
    const [first] = held;
    const line = held.length === 1 && first !== undefined ? first : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    if (line.length > 0) listener.onLine(line);
  }

  return (chunk) => {
    let start = 0;
    let end = chunk.indexOf(newline);
    while (end !== -1) {
      hold(chunk.subarray(start, end));
      endLine();
      start = end + 1;
      end = chunk.indexOf(newline, start);
    }
    hold(chunk.subarray(start));
  };
}
