import { closeSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import type { Descriptor } from "../../core/index.ts";
import { fileError } from "../file-error.ts";

/** What a program gets from its descriptor 3 on. */
export interface HandedDescriptors {
  readonly stdio: readonly (number | Socket)[];
  /** Lets go of this side, once the program runs or where it does not. */
  close(): void;
}

/** Opens them for one start. */
export async function handDescriptors(
  descriptors: readonly Descriptor[] = [],
): Promise<HandedDescriptors> {
  const sockets = new Map<number, Socket>();
  let files: readonly number[] = [];
  const close = (): void => {
    for (const file of files) closeSync(file);
    for (const socket of sockets.values()) socket.destroy();
    files = [];
  };
  try {
    for (const { kind, number, path } of descriptors) {
      if (kind === "socket") sockets.set(number, await connected(path));
    }
    files = handFiles(descriptors.filter(({ kind }) => kind === "file"));
  } catch (error) {
    close();
    throw error;
  }
  const last = Math.max(files.length + 2, ...sockets.keys());
  if (last > files.length + 2) files = [...files, ...nothing(last - files.length - 2)];
  return { stdio: files.map((file, index) => sockets.get(index + 3) ?? file), close };
}

/** The same for files alone, without waiting. A hole holds nothing: left open it would be whatever is there. */
export function handFiles(
  files: readonly Pick<Descriptor, "number" | "path">[] = [],
): readonly number[] {
  const opened: number[] = [];
  try {
    for (const { number, path } of files.toSorted((a, b) => a.number - b.number)) {
      opened.push(...nothing(number - 3 - opened.length));
      opened.push(openSync(path, "r"));
    }
    return opened;
  } catch (error) {
    for (const file of opened) closeSync(file);
    throw error;
  }
}

function nothing(count: number): readonly number[] {
  return Array.from({ length: count }, () => openSync("/dev/null", "r"));
}

async function connected(path: string): Promise<Socket> {
  const { connect } = await import("node:net");
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", () => reject(fileError("ECONNREFUSED", path)));
  });
  return socket;
}
