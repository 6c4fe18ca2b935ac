import { serviceToken } from "./services.ts";

/** How much a tool takes, does and answers. Sizes are bytes, times milliseconds, lengths characters (UTF-16 units). */
export interface Limits {
  readonly read: {
    /** Lines of a page where the call names no limit. Default 2,000. */
    readonly lines: number;
    /** Bytes of a page. Default 131,072. */
    readonly pageBytes: number;
    /** A larger file is read only with `offset` or `limit`. Default 10,000,000. */
    readonly wholeBytes: number;
    /** A longer line is shown in windows. Default 2,000. */
    readonly lineChars: number;
  };
  readonly glob: {
    /** Files looked at. Default 10,000. */
    readonly found: number;
    /** Files shown. Default 100. */
    readonly shown: number;
  };
  readonly grep: {
    /** Lines or files shown where the call names no limit. Default 250. */
    readonly lines: number;
    /** A longer line is cut around its match. Default 500. */
    readonly lineChars: number;
  };
  readonly listDir: {
    /** Entries shown. Default 500. */
    readonly entries: number;
  };
  readonly bash: {
    /** Default 120,000. */
    readonly timeoutMs: number;
    /** The longest a call may ask for. Default 600,000. */
    readonly maxTimeoutMs: number;
    /** Characters of standard output that are held. Default 200,000. */
    readonly stdoutChars: number;
    /** Characters of standard error that are held. Default 56,000. */
    readonly stderrChars: number;
    /** A shorter duration is not told. Default 5,000. */
    readonly toldDurationMs: number;
    /** Progress is told at most this often. Default 100. */
    readonly progressMs: number;
  };
  /** Characters of an answer that a model sees, by tool name; any other tool has the toolkit's `maxChars`. */
  readonly shownChars: Readonly<Record<string, number>>;
}

/** Some of the limits, by the same names; what is left out keeps its default. */
export interface LimitOptions {
  readonly read?: Partial<Limits["read"]>;
  readonly glob?: Partial<Limits["glob"]>;
  readonly grep?: Partial<Limits["grep"]>;
  readonly listDir?: Partial<Limits["listDir"]>;
  readonly bash?: Partial<Limits["bash"]>;
  readonly shownChars?: Limits["shownChars"];
}

export const defaultLimits: Limits = {
  read: { lines: 2000, pageBytes: 128 * 1024, wholeBytes: 10_000_000, lineChars: 2000 },
  glob: { found: 10_000, shown: 100 },
  grep: { lines: 250, lineChars: 500 },
  listDir: { entries: 500 },
  bash: {
    timeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    stdoutChars: 200_000,
    stderrChars: 56_000,
    toldDurationMs: 5000,
    progressMs: 100,
  },
  shownChars: {},
};

/** The defaults with what was given in their place. */
export function limitsWith(given: LimitOptions = {}): Limits {
  return {
    read: { ...defaultLimits.read, ...given.read },
    glob: { ...defaultLimits.glob, ...given.glob },
    grep: { ...defaultLimits.grep, ...given.grep },
    listDir: { ...defaultLimits.listDir, ...given.listDir },
    bash: { ...defaultLimits.bash, ...given.bash },
    shownChars: { ...given.shownChars },
  };
}

/** Every toolkit provides it. */
export const limits = serviceToken<Limits>("limits");
