import type { Readable } from "node:stream";

/** With more waiting to be asked for, the source waits too. */
const maxWaitingBytes = 262_144;

/** What a program prints, by copies of what its stream tells; no faster than it is asked for. It is listened to at once. */
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
