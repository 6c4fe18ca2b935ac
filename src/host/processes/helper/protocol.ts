/** A program to start, as the helper process is told; `stdio` are paths to open, null for nothing. */
export interface HelperRequest {
  readonly id: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: readonly (string | null)[];
  /** Opened for the program under these numbers, from 3 up. */
  readonly files?: readonly { readonly number: number; readonly path: string }[];
  /** Of a confined helper: what has to be at `cwd`, which then is never followed to somewhere else. */
  readonly at?: FileIdentity;
  /** Of a confined helper: a file the program finds at `handedFile`. */
  readonly file?: { readonly path: string; readonly at?: FileIdentity };
}

/** Which file of this machine it is, whatever path led to it. */
export interface FileIdentity {
  readonly dev: string;
  readonly ino: string;
}

/** Where a program finds a file that was opened for it. */
export const handedFile = "/proc/self/fd/3";

/** What a confined helper is told besides: first and once what confines it, null where it is confined already. */
export type HelperCommand =
  | { readonly confine: { readonly module: string; readonly data: string } | null }
  /** The program of that request is ended at once. */
  | { readonly kill: number }
  /** It ends, and leaves alone what its programs have left running. */
  | { readonly leave: true };

/** Says to the helper that it is a confined one. */
export const confinedFlag = "confined";

/** What the helper process tells; `ready` comes first and once. */
export type HelperReply =
  | { readonly kind: "ready" }
  /** Of a confined helper: from here on the program may have run. */
  | { readonly kind: "begun"; readonly id: number }
  /** Of a confined helper: it can not get at what the program needs, and has started nothing. */
  | { readonly kind: "unable"; readonly id: number }
  | { readonly kind: "started"; readonly id: number; readonly pid: number; readonly ticks?: number }
  | { readonly kind: "refused"; readonly id: number; readonly errno?: string }
  | {
      readonly kind: "ended";
      readonly id: number;
      readonly code: number | null;
      readonly signal: string | null;
    };

/** One message a line; JSON has no line break of its own. */
export function encodeLine(message: HelperRequest | HelperCommand | HelperReply): string {
  return `${JSON.stringify(message)}\n`;
}

/** Takes text as it arrives and hands on each whole line. */
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
