import { serviceToken } from "./service-token.ts";

/** File content that the model has seen in this session; lets Edit and Write detect a stale view. */
export interface SeenFiles {
  /** Records content shown to the model: a hash of the whole file and the lines shown. Default: all lines. */
  saw(path: string, view: FileView): void;
  /** Returns what was seen of a file; undefined if it was not read. */
  view(path: string): FileView | undefined;
  /** Forgets a file, as if it had not been read. */
  forget(path: string): void;
}

/** Content of a file that a session has seen. */
export interface FileView {
  /** Content hash of what was seen. */
  readonly hash: string;
  /** Inclusive line ranges shown, from 1. Default: the whole file. */
  readonly ranges?: readonly (readonly [first: number, last: number])[];
  /** Encoding of the file, where it is not UTF-8 or UTF-16 with a byte order mark. */
  readonly encoding?: SeenEncoding;
}

/** An encoding in which a file was shown, and may therefore be changed. */
export interface SeenEncoding {
  /** Name of the encoding, such as `windows-1252`. */
  readonly name: string;
  /** Concluded from the bytes: only characters that the file has are known to be written as they are read. */
  readonly isConcluded?: boolean;
}

/** Token of the service that records which files a session has read. */
export const seenFiles = serviceToken<SeenFiles>("fileState");
