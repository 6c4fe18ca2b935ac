import { closeSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import type { Descriptor } from "../../../core/index.ts";
import { fileError } from "../../files/file-error.ts";

/** Descriptors of a program from number 3 up. */
export interface HandedDescriptors {
  readonly stdio: readonly (number | "ignore" | Socket)[];
  /** Closes the parent's copies after the program has started or failed to start. */
  close(): void;
}

/** Opens the descriptors for one start. */
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
    // Files leave a hole at the number of a socket.
    files = handFiles(
      descriptors.map((one) => (one.kind === "file" ? one : { ...one, path: nothing })),
    );
  } catch (error) {
    close();
    throw error;
  }
  return { stdio: files.map((file, index) => sockets.get(index + 3) ?? file), close };
}

/** Descriptors of a program from number 3 up, all of them files; "ignore" marks a hole. */
export type HandedFiles = readonly (number | "ignore")[];

/**
 * Opens files synchronously; `closeFiles` closes them. A hole stays as it is; the caller lists a descriptor that the
 * program would otherwise inherit there as a file with the path `nothing`. Filling every hole that way would break the
 * start: the starting process learns through a descriptor of its own that the program runs, and that may have the
 * number of any hole.
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

/** Closes each file once. */
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
