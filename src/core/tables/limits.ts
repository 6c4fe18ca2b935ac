import { serviceToken } from "../ports/service-token.ts";

/** Limits of what tools accept, do and return. Sizes are bytes, times milliseconds, lengths characters (UTF-16 units). */
export interface Limits {
  /** Limits of Read. */
  readonly read: {
    /** Lines of a page if the call sets no limit. Default 2,000. */
    readonly lines: number;
    /** Bytes of a page. Default 131,072. */
    readonly pageBytes: number;
    /** Bytes of a file read without `offset` or `limit`. Default 10,000,000. */
    readonly wholeBytes: number;
    /** Characters of a line shown at once; a longer line is shown in windows. Default 2,000. */
    readonly lineChars: number;
    /** Bytes of an image. Default 50,000,000. */
    readonly imageBytes: number;
    /** Pixels of an image as stored. Default 100,000,000. */
    readonly imagePixels: number;
    /** Pixels of an image's longer side; larger images are scaled down. Default 2,000. */
    readonly imageSide: number;
    /** Characters of an image in base64. Default 5,000,000. */
    readonly imageBase64: number;
    /** Bytes of a PDF, Word document or notebook. Default 64,000,000. */
    readonly documentBytes: number;
    /** Bytes of the unpacked text of a Word document. Default 32,000,000. */
    readonly unpackedBytes: number;
    /** Pages of a PDF in one call. Default 20. */
    readonly pages: number;
    /** Pages of a PDF read without `pages`. Default 10. */
    readonly wholePages: number;
    /** Characters of one output of a notebook cell. Default 10,000. */
    readonly outputChars: number;
    /** Characters of all outputs of a notebook. Default 100,000. */
    readonly outputsChars: number;
  };
  /** Limits of Glob. */
  readonly glob: {
    /** Files collected before Glob stops. Default 10,000. */
    readonly found: number;
    /** Files shown. Default 100. */
    readonly shown: number;
  };
  /** Limits of Grep. */
  readonly grep: {
    /** Lines or files shown if the call sets no limit. Default 100. */
    readonly lines: number;
    /** Characters of a line; a longer line is cut around its match. Default 500. */
    readonly lineChars: number;
  };
  /** Limits of ListDir. */
  readonly listDir: {
    /** Entries shown. Default 500. */
    readonly entries: number;
  };
  /** Limits of Bash. */
  readonly bash: {
    /** Time until a command is stopped or moves to the background. Default 120,000. */
    readonly timeoutMs: number;
    /** Longest timeout that a call may request. Default 600,000. */
    readonly maxTimeoutMs: number;
    /** Time after which a command that moved to the background by itself is stopped. Default 3,600,000. */
    readonly promotedMs: number;
    /** Time from TERM to KILL when a process is stopped. Default 5,000. */
    readonly terminateMs: number;
    /** Time after KILL until haft stops waiting. Default 2,000. */
    readonly killMs: number;
    /** Characters of standard output that are captured. Default 200,000. */
    readonly stdoutChars: number;
    /** Characters of standard error that are captured. Default 56,000. */
    readonly stderrChars: number;
    /** Shortest duration that the answer reports. Default 5,000. */
    readonly minReportedMs: number;
    /** Shortest time between two progress reports. Default 100. */
    readonly progressMs: number;
  };
  /** Limits of the agents that an agent starts. */
  readonly agents: {
    /** Agents below each other, not counting the one that talks to the user. Default 3. */
    readonly depth: number;
    /** Agents of one run that are active at once. Default 20. */
    readonly active: number;
    /** Agents of one run in total. Default 50. */
    readonly total: number;
    /** Time without an event after which an agent is stopped. Default 600,000. */
    readonly idleMs: number;
  };
  /** Limits of every tool's answer. */
  readonly answer: {
    /** Images, audio and files shown. Default 20. */
    readonly media: number;
    /** Characters of base64 in one of these. Default 8,000,000. */
    readonly mediaChars: number;
    /** Characters of JSON in `structuredContent`. Default 100,000. */
    readonly structuredChars: number;
  };
  /** Limits of stored outputs. */
  readonly artifacts: {
    /** Bytes of one artifact. Default 67,108,864. */
    readonly bytes: number;
    /** Bytes of all artifacts of a workspace. Default 1,073,741,824. */
    readonly totalBytes: number;
    /** Days an artifact is stored. Default 7. */
    readonly days: number;
  };
  /** Limits of the journal. */
  readonly undo: {
    /** Calls in the history that can be undone; the oldest are deleted first. Default 1,000. */
    readonly calls: number;
    /** Days a call can be undone. Default 30. */
    readonly days: number;
    /** Bytes of the stored content. Default 1,073,741,824. */
    readonly totalBytes: number;
  };
  /** Limits of the event log in a file. */
  readonly events: {
    /** Bytes of `events.db`, at least 8,388,608; past it the oldest events are deleted. Default 134,217,728. */
    readonly bytes: number;
    /** Days after which a collection deletes events. Default 30. */
    readonly days: number;
  };
  /** Characters of an answer that a model sees, by tool name; any other tool has the toolkit's `maxChars`. */
  readonly shownChars: Readonly<Record<string, number>>;
}

/** Some of the limits, by the same names; what is left out keeps its default. */
export interface LimitOptions {
  /** Limits of Read. */
  readonly read?: Partial<Limits["read"]>;
  /** Limits of Glob. */
  readonly glob?: Partial<Limits["glob"]>;
  /** Limits of Grep. */
  readonly grep?: Partial<Limits["grep"]>;
  /** Limits of ListDir. */
  readonly listDir?: Partial<Limits["listDir"]>;
  /** Limits of Bash. */
  readonly bash?: Partial<Limits["bash"]>;
  /** Limits of agents started by agents. */
  readonly agents?: Partial<Limits["agents"]>;
  /** Limits of every result. */
  readonly answer?: Partial<Limits["answer"]>;
  /** Limits of stored outputs. */
  readonly artifacts?: Partial<Limits["artifacts"]>;
  /** Limits of the journal. */
  readonly undo?: Partial<Limits["undo"]>;
  /** Limits of the event log. */
  readonly events?: Partial<Limits["events"]>;
  /** Characters of a result that a model sees, by tool name. */
  readonly shownChars?: Limits["shownChars"];
}

/** Characters of an answer that the model sees, unless options or settings say otherwise. */
export const defaultMaxChars = 50_000;

/** Limits that apply where neither an option nor a setting changes them. */
export const defaultLimits: Limits = {
  read: {
    lines: 2000,
    pageBytes: 128 * 1024,
    wholeBytes: 10_000_000,
    lineChars: 2000,
    imageBytes: 50_000_000,
    imagePixels: 100_000_000,
    imageSide: 2000,
    imageBase64: 5_000_000,
    documentBytes: 64_000_000,
    unpackedBytes: 32_000_000,
    pages: 20,
    wholePages: 10,
    outputChars: 10_000,
    outputsChars: 100_000,
  },
  glob: { found: 10_000, shown: 100 },
  grep: { lines: 100, lineChars: 500 },
  listDir: { entries: 500 },
  bash: {
    timeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    promotedMs: 3_600_000,
    terminateMs: 5000,
    killMs: 2000,
    stdoutChars: 200_000,
    stderrChars: 56_000,
    minReportedMs: 5000,
    progressMs: 100,
  },
  agents: { depth: 3, active: 20, total: 50, idleMs: 600_000 },
  answer: { media: 20, mediaChars: 8_000_000, structuredChars: 100_000 },
  artifacts: { bytes: 64 * 1024 * 1024, totalBytes: 1024 * 1024 * 1024, days: 7 },
  undo: { calls: 1000, days: 30, totalBytes: 1024 * 1024 * 1024 },
  events: { bytes: 128 * 1024 * 1024, days: 30 },
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
    agents: { ...defaultLimits.agents, ...given.agents },
    answer: { ...defaultLimits.answer, ...given.answer },
    artifacts: { ...defaultLimits.artifacts, ...given.artifacts },
    undo: { ...defaultLimits.undo, ...given.undo },
    events: { ...defaultLimits.events, ...given.events },
    shownChars: { ...given.shownChars },
  };
}

/** Every toolkit provides it. */
export const limits = serviceToken<Limits>("limits");

/**
 * Environment variables that the settings give to the commands of Bash. A command that is known to do nothing beyond its
 * listed effects does not get them, because a variable can change what it does.
 */
export const commandEnvironment =
  serviceToken<Readonly<Record<string, string>>>("commandEnvironment");
