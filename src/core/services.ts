import { ToolError } from "./errors.ts";
import type { ArtefactRef } from "./outcome.ts";

/** Names something a kit may provide to tools. Two tokens with one id are the same service. */
export interface ServiceToken<T> {
  readonly id: string;
  /** Never set; carries the type. */
  readonly type?: T;
}

export function serviceToken<T>(id: string): ServiceToken<T> {
  return { id };
}

/** What a kit provides, by token. */
export interface Services {
  get<T>(token: ServiceToken<T>): T | undefined;
}

export function requireService<T>(services: Services, token: ServiceToken<T>): T {
  const service = services.get(token);
  if (service === undefined) {
    throw new ToolError("UNAVAILABLE", `Nothing here provides ${token.id}.`, {
      hint: "Use a toolkit that provides it, or leave this tool out.",
      data: { service: token.id },
    });
  }
  return service;
}

/** What of a file this session has seen; the reason Edit and Write can tell a stale view. */
export interface FileState {
  /** Remembers content shown to the model: a hash of the whole file and the lines shown, all of them when left out. */
  saw(path: string, view: FileView): void;
  view(path: string): FileView | undefined;
  forget(path: string): void;
}

export interface FileView {
  readonly hash: string;
  /** Inclusive line ranges shown, from 1. Left out: the whole file. */
  readonly ranges?: readonly (readonly [first: number, last: number])[];
}

export const fileState = serviceToken<FileState>("fileState");

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

/** Takes secrets out of a text: whoever cuts one does so first, because half a secret is known for none. */
export interface Redaction {
  load(): Promise<(text: string) => string>;
}

export const redaction = serviceToken<Redaction>("redaction");
