import type { Readable } from "node:stream";

/** Number of unread bytes at which the source is paused. */
const maxWaitingBytes = 262_144;

/** Output of a program as copies of its stream's chunks, paused while the reader is slow. Listens from the call on. */
export function chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isOver = false;
  let wake: (() => void) | undefined;
  stream.on("data", (bytes: Buffer) => {
    waiting.push(Buffer.from(bytes));
    waitingBytes += bytes.length;
    if (waitingBytes > maxWaitingBytes) stream.pause();
    wake?.();
  });
  for (const event of ["end", "close", "error"]) {
    stream.once(event, () => {
      isOver = true;
      wake?.();
    });
  }
  return next();

  async function* next(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk !== undefined) {
        waitingBytes -= chunk.length;
        if (waitingBytes === 0 && stream.isPaused()) stream.resume();
        yield chunk;
        continue;
      }
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
