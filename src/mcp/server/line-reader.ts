const newline = 0x0a;

export interface LineListener {
  /** One line without its end, never empty. */
  onLine(line: Buffer): void;
  /** A line grew over the limit; the rest of it is passed over. */
  onTooLong(): void;
}

/** Cuts a byte stream into lines and holds at most one line of `maxBytes`, whatever is sent. */
export function lineReader(maxBytes: number, listener: LineListener): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isSkipping = false;

  function hold(part: Buffer): void {
    if (isSkipping || part.length === 0) return;
    if (heldBytes + part.length <= maxBytes) {
      held.push(part);
      heldBytes += part.length;
      return;
    }
    isSkipping = true;
    held = [];
    heldBytes = 0;
    listener.onTooLong();
  }

  function endLine(): void {
    const [first] = held;
    const line = held.length === 1 && first !== undefined ? first : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    isSkipping = false;
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
