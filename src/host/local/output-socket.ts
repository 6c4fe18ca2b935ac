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
  const socket = new net.Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: memory,
      callback(count, bytes) {
        socket.emit("data", bytes.subarray(0, count));
        return true;
      },
    },
  });
  return socket;
}
