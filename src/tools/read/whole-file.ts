import { ToolError, type HostFile, type HostStat, type ToolContext } from "../../core/index.ts";
import { byteSize } from "../files/display-path.ts";
import type { ReadInput } from "./read-input.ts";

/** A file to answer with, and what the call said. */
export interface ReadTarget {
  readonly stat: HostStat;
  /** The path as the model may write it back. */
  readonly shown: string;
  readonly input: ReadInput;
  /** All of it, where it is small enough to be read at once. */
  readonly file: HostFile | undefined;
  /** Its first bytes. */
  readonly head: Uint8Array;
}

export interface WholeOptions {
  readonly maxBytes: number;
  /** As in "PDF documents". */
  readonly what: string;
}

/** All bytes of a file that only makes sense whole, refused by its size before anything of it is looked at. */
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
