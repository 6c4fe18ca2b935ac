import { ToolError, type HostFile, type HostStat, type ToolContext } from "../../core/index.ts";
import { byteSize } from "../files/paths/display-path.ts";
import type { ReadInput } from "./read-input.ts";

/** A file to read, with the input of the call. */
export interface ReadTarget {
  readonly stat: HostStat;
  /** Path in the form in which the model may use it again. */
  readonly shown: string;
  readonly input: ReadInput;
  /** Complete file, if it is small enough to be read at once. */
  readonly file: HostFile | undefined;
  /** First bytes of the file. */
  readonly head: Uint8Array;
}

export interface WholeOptions {
  readonly maxBytes: number;
  /** Kind of files, as in "PDF documents". */
  readonly what: string;
}

/** Reads all bytes of a file that is only useful as a whole; refuses it by its size before reading anything. */
export async function wholeFile(
  { stat, shown, file }: ReadTarget,
  { maxBytes, what }: WholeOptions,
  { host, signal }: ToolContext,
): Promise<HostFile> {
  if (stat.size > maxBytes) {
    throw new ToolError(
      "TOO_LARGE",
      `${shown} has ${byteSize(stat.size)}; ${what} of at most ${byteSize(maxBytes)} are read.`,
      {
        hint: "Make a smaller one of it with a command first.",
        data: { size: stat.size, maxBytes },
      },
    );
  }
  return file ?? (await host.fs.readFile(stat.path, { maxBytes, signal }));
}
