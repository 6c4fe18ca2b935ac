import { closeSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import type { Descriptor } from "../../core/index.ts";
import { fileError } from "../file-error.ts";

/** What a program gets from its descriptor 3 on. */
export interface HandedDescriptors {
  readonly stdio: readonly (number | Socket | "ignore")[];
  /** Lets go of this side, once the program runs or where it does not. */
  close(): void;
}

/** Opens them for one start. */
export async function handDescriptors(
  descriptors: readonly Descriptor[] = [],
): Promise<HandedDescriptors> {
  const sockets = new Map<number, Socket>();
  let files: readonly (number | "ignore")[] = [];
  const close = (): void => {
    closeFiles(files);
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
  const stdio: (number | Socket | "ignore")[] = [...files];
  for (const [number, socket] of sockets) {
    while (stdio.length < number - 3) stdio.push("ignore");
    stdio[number - 3] = socket;
  }
  return { stdio, close };
}

/**
 * The same for files alone, without waiting. Between them is nothing: whatever this program has open there is its own
 * and closed in the other, and filling hundreds of places would take longer than starting it.
 */
export function handFiles(
  files: readonly Pick<Descriptor, "number" | "path">[] = [],
): readonly (number | "ignore")[] {
  const opened: (number | "ignore")[] = [];
  try {
    for (const { number, path } of files.toSorted((a, b) => a.number - b.number)) {
      while (opened.length < number - 3) opened.push("ignore");
      opened.push(openSync(path, "r"));
    }
    return opened;
  } catch (error) {
    closeFiles(opened);
    throw error;
  }
}

function closeFiles(files: readonly (number | "ignore")[]): void {
  for (const file of files) if (file !== "ignore") closeSync(file);
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
