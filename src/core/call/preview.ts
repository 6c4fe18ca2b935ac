import type { StagedChanges } from "../ports/confinement.ts";
import type { Host } from "../ports/host.ts";
import { serviceToken } from "../ports/service-token.ts";

/** What would happen to one path. */
export interface PreviewChange {
  /** Canonical. */
  readonly path: string;
  /** `mode`: only its permission bits; `replaced`: something of another kind takes its place. */
  readonly change: "created" | "modified" | "deleted" | "mode" | "replaced" | "unknown";
  /** What it is afterwards, or was, where it goes; missing where that is not known. */
  readonly kind?: "file" | "directory" | "symlink" | "special";
  /** Bytes afterwards, or before, where it goes. */
  readonly size?: number;
  /** Permission bits afterwards, where the path is made or they change. */
  readonly mode?: number;
  /** Of a text file. */
  readonly encoding?: string;
  /** `sha256:` and 64 hex digits of the content afterwards. */
  readonly hash?: string;
  /** Where a link leads afterwards. */
  readonly target?: string;
  readonly added?: number;
  readonly removed?: number;
  /** A unified diff of the whole change, which applied to the file gives what the call would leave. */
  readonly diff?: string;
  /** Why there is no diff of a file. */
  readonly because?: string;
  /** Of a tree that goes or comes whole: what lies below it, which is not listed. */
  readonly below?: { readonly entries: number; readonly bytes: number };
  /** It runs code or changes what agents may do; such a change is asked about in every mode but one. */
  readonly isProtected?: true;
}

/** What a call would do, for `kit.preview` and the question a person is asked. */
export interface PreviewResult {
  readonly summary: string;
  /** Every difference there is to show, one after the other. */
  readonly diff?: string;
  /** By path. Missing where it is not known which paths would change. */
  readonly changes?: readonly PreviewChange[];
  /** Changes beyond those listed. */
  readonly moreChanges?: number;
  /** What the call would answer. */
  readonly content?: string;
  /** Changes that could not be brought to the real tree, and why. */
  readonly refused?: StagedChanges["refused"];
  /** Trees that were written straight through: what the call would do there is not shown. */
  readonly through?: readonly string[];
  /**
   * Where this comes from: `run`, the call itself ran and its changes were kept apart, so they are exact; `told`, the
   * tool's own account; `declared`, nothing but what the call says it would touch.
   */
  readonly basis?: "run" | "told" | "declared";
}

/** A host whose changes stay with it: what it is made from is only read. */
export interface StagedHost {
  readonly host: Host;
  /** What was changed so far. The sources of files are read through the staged host itself. */
  readonly changes: () => Promise<StagedChanges>;
}

/** A command to try. */
export interface CommandPreviewRequest {
  readonly argv: readonly string[];
  /** Canonical. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of the host's own environment only these names; all where left out. */
  readonly keepEnv?: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What a command did where nothing of it counts. */
export interface CommandPreviewed {
  /** The sources of files are read through the host itself. */
  readonly staged: StagedChanges;
  readonly output: {
    readonly stdout: string;
    readonly stderr: string;
    /** Null where a signal ended it. */
    readonly exitCode: number | null;
  };
  /** Takes away all that was kept. Safe to call twice. */
  readonly drop: () => Promise<void>;
}

/** Runs a command so that no file of the workspace changes, and tells what it would have changed. */
export type CommandPreview = (request: CommandPreviewRequest) => Promise<CommandPreviewed>;

/** Provided where commands can be tried: on an overlay of the workspace. */
export const commandPreview = serviceToken<CommandPreview>("commandPreview");
