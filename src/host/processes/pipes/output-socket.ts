import type * as Net from "node:net";

/** What a pipe holds at most. */
const readBytes = 65_536;
let memory: Buffer | undefined;

/**
 * Reads a pipe and tells what it brings by `data`, in memory that is used again for the next bytes of any pipe:
 * a program that prints a gigabyte otherwise leaves one behind, and this program grows until that is collected.
 * Pipes are read one after the other, each into its listeners' hands.
 */
export function outputSocket(net: typeof Net, fd: number): Net.Socket {
  memory ??= Buffer.allocUnsafeSlow(readBytes);
  let early: Buffer[] | undefined;
  const socket = new net.Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: memory,
      callback(count, bytes) {
        if (socket.listenerCount("data") > 0) socket.emit("data", firstOf(bytes, count));
        else (early ??= []).push(Buffer.from(bytes.subarray(0, count)));
        return true;
      },
    },
  });
  // What came before anybody listened is told first.
  socket.on("newListener", (event) => {
    if (event !== "data" || early === undefined) return;
    const waiting = early;
    early = undefined;
    queueMicrotask(() => {
      for (const bytes of waiting) socket.emit("data", bytes);
    });
  });
  return socket;
}

/** Of a flood most are full. */
function firstOf(bytes: Uint8Array, count: number): Uint8Array {
  return count === bytes.length ? bytes : bytes.subarray(0, count);
}
