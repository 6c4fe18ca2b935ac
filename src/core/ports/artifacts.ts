import { serviceToken } from "./service-token.ts";

/** Where the whole of a bounded answer is kept; Read and Grep can open it. */
export interface ArtefactRef {
  readonly path: string;
  /** Of the whole. */
  readonly chars: number;
  /** Of what is kept. */
  readonly lines: number;
  /** Characters at the end that are not kept, because the artefact was full; its last line says so too. */
  readonly missingChars?: number;
}

/** A text that grows in a file outside the workspace, which Read and Grep can open. */
export interface ArtefactStream {
  /** Where it is kept; the file exists from the first `write` on. */
  readonly path: string;
  /** Adds to the end; resolves when it is in the file. After a failure or the quota it is a no-op and `end` tells. */
  write(text: string): Promise<void>;
  /** Adds characters of ASCII, none of them a NUL. They are another's once it resolves, and in the file with the next text. */
  writeAscii?(ascii: Uint8Array): Promise<void>;
  /** Where it takes no more: counts so many characters that were not given to it, and says true. */
  leaveOut?(chars: number): boolean;
  /** Undefined where nothing is kept, or what is kept cannot be relied on; `missingChars` where the end is missing. */
  end(): Promise<ArtefactRef | undefined>;
}

/** Where what is too long to show is kept whole. */
export interface ArtefactStore {
  /** A new artefact under a name made from the call; nothing kept before is ever replaced. */
  open(callId: string): ArtefactStream;
}

export const artefactStore = serviceToken<ArtefactStore>("artefactStore");
