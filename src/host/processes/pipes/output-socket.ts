import type * as Net from "node:net";

/** Capacity of a pipe in bytes. */
const readBytes = 65_536;
let memory: Buffer | undefined;

/**
 * Reads a pipe and emits its bytes as `data`, in a buffer shared by all pipes and reused for each read. Otherwise a
 * program that prints a gigabyte would make this process allocate a gigabyte before it is collected. Pipes are read one
 * after the other, so each chunk is valid while its listeners run.
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
  // Bytes that arrived before the first listener are emitted first.
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

/** In a flood most reads fill the buffer. */
function firstOf(bytes: Uint8Array, count: number): Uint8Array {
  return count === bytes.length ? bytes : bytes.subarray(0, count);
}
