/** Request to start a program; `stdio` are paths to open, null for none. */
export interface HelperRequest {
  readonly id: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: readonly (string | null)[];
  /** Files opened for the program under these descriptor numbers, from 3 up. */
  readonly files?: readonly { readonly number: number; readonly path: string }[];
  /** For a confined helper: the expected identity of `cwd`, so that a replaced directory is never entered. */
  readonly at?: FileIdentity;
  /** For a confined helper: a file that the program finds at `handedFile`. */
  readonly file?: { readonly path: string; readonly at?: FileIdentity };
}

/** Identity of a file on this machine, independent of the path that led to it. */
export interface FileIdentity {
  readonly dev: string;
  readonly ino: string;
}

/** Path at which a program finds a file that was opened for it. */
export const handedFile = "/proc/self/fd/3";

/**
 * Further messages to a confined helper. The first, sent once, is `confine`; null if the helper is already confined.
 */
export type HelperCommand =
  | { readonly confine: { readonly module: string; readonly data: string } | null }
  /** Kills the program of that request. */
  | { readonly kill: number }
  /** Ends the helper without ending what its programs left running. */
  | { readonly leave: true };

/** Argument that makes the helper a confined one. */
export const confinedFlag = "confined";

/** Messages of the helper process; `ready` is sent first and once. */
export type HelperReply =
  | { readonly kind: "ready" }
  /** From a confined helper: from here on the program may have run. */
  | { readonly kind: "begun"; readonly id: number }
  /** From a confined helper: it cannot access what the program needs and has started nothing. */
  | { readonly kind: "unable"; readonly id: number }
  | { readonly kind: "started"; readonly id: number; readonly pid: number; readonly ticks?: number }
  | { readonly kind: "refused"; readonly id: number; readonly errno?: string }
  | {
      readonly kind: "ended";
      readonly id: number;
      readonly code: number | null;
      readonly signal: string | null;
    };

/** Encodes one message per line; JSON text contains no line break. */
export function encodeLine(message: HelperRequest | HelperCommand | HelperReply): string {
  return `${JSON.stringify(message)}\n`;
}

/** Collects text as it arrives and passes on each complete line. */
export function lineReader(onLine: (line: string) => void): (text: string) => void {
  let parts: string[] = [];
  return (text) => {
    let from = 0;
    for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
      parts.push(text.slice(from, to));
      from = to + 1;
      const line = parts.join("");
      parts = [];
      onLine(line);
    }
    if (from < text.length) parts.push(text.slice(from));
  };
}
