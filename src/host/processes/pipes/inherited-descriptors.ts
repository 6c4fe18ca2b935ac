import { closeSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import type { Descriptor } from "../../../core/index.ts";
import { fileError } from "../../files/file-error.ts";

/** What a program gets from its descriptor 3 on. */
export interface HandedDescriptors {
  readonly stdio: readonly (number | "ignore" | Socket)[];
  /** Lets go of this side, once the program runs or where it does not. */
  close(): void;
}

/** Opens them for one start. */
export async function handDescriptors(
  descriptors: readonly Descriptor[] = [],
): Promise<HandedDescriptors> {
  const sockets = new Map<number, Socket>();
  let files: HandedFiles = [];
  const close = (): void => {
    closeFiles(files);
    for (const socket of sockets.values()) socket.destroy();
    files = [];
  };
  try {
    for (const { kind, number, path } of descriptors) {
      if (kind === "socket") sockets.set(number, await connected(path));
    }
    // Where a socket goes is a hole among the files.
    files = handFiles(
      descriptors.map((one) => (one.kind === "file" ? one : { ...one, path: nothing })),
    );
  } catch (error) {
    close();
    throw error;
  }
  return { stdio: files.map((file, index) => sockets.get(index + 3) ?? file), close };
}

/** What a program gets from its descriptor 3 on, where all of it is files; "ignore" is a hole. */
export type HandedFiles = readonly (number | "ignore")[];

/**
 * The same for files alone, without waiting; `closeFiles` lets go of them. A hole is left as it is: what a program would
 * inherit there is among the files, with nothing in its place. To put nothing there as well would be fatal: whoever
 * starts a program learns by a descriptor of its own that it runs, and that may have the number of any hole.
 */
export function handFiles(files: readonly Pick<Descriptor, "number" | "path">[] = []): HandedFiles {
  const opened: (number | "ignore")[] = [];
  let empty: number | undefined;
  try {
    for (const { number, path } of files.toSorted((a, b) => a.number - b.number)) {
      while (opened.length < number - 3) opened.push("ignore");
      opened.push(path === nothing ? (empty ??= openSync(nothing, "r")) : openSync(path, "r"));
    }
    return opened;
  } catch (error) {
    closeFiles(opened);
    throw error;
  }
}

/** Each of them once. */
export function closeFiles(files: HandedFiles): void {
  for (const file of new Set(files)) if (file !== "ignore") closeSync(file);
}

const nothing = "/dev/null";

async function connected(path: string): Promise<Socket> {
  const { connect } = await import("node:net");
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", () => reject(fileError("ECONNREFUSED", path)));
  });
  return socket;
}
