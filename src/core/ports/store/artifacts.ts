import { serviceToken } from "../service-token.ts";

/** Reference to the stored full text of a bounded answer; Read and Grep can open it. */
export interface ArtifactRef {
  /** Absolute path, which Read and Grep can open. */
  readonly path: string;
  /** Characters of the full text. */
  readonly chars: number;
  /** Lines of the stored text. */
  readonly lines: number;
  /** Characters at the end that are not stored, because the artifact was full; its last line says so too. */
  readonly missingChars?: number;
}

/** A text that grows in a file outside the workspace, which Read and Grep can open. */
export interface ArtifactStream {
  /** Path of the file, which exists from the first `write` on. */
  readonly path: string;
  /**
   * Appends text and resolves when it is in the file. After a failure or at the quota it does nothing, and `end`
   * reports the loss.
   */
  write(text: string): Promise<void>;
  /**
   * Appends ASCII characters without NUL. Once it resolves, the caller may reuse the array; the characters reach the
   * file with the next text.
   */
  writeAscii?(ascii: Uint8Array): Promise<void>;
  /** Counts characters as missing and returns true if the stream accepts no more text. */
  leaveOut?(chars: number): boolean;
  /**
   * Ends the stream. Undefined where nothing is stored or the stored text is unreliable; `missingChars` is set where
   * the end is missing.
   */
  end(): Promise<ArtifactRef | undefined>;
}

/** Store for the full text of answers that are too long to show. */
export interface ArtifactStore {
  /** Opens a new artifact with a name derived from the call; an existing one is never replaced. */
  open(callId: string): ArtifactStream;
}

/** Token of the service that stores full outputs. */
export const artifactStore = serviceToken<ArtifactStore>("artifactStore");
