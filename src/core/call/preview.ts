import type { StagedChanges } from "../ports/confinement.ts";
import type { Host } from "../ports/host/host.ts";
import { serviceToken } from "../ports/service-token.ts";

/** Predicted change of one path. */
export interface PreviewChange {
  /** Canonical. */
  readonly path: string;
  /** `mode`: only the permission bits change; `replaced`: an entry of another kind replaces it. */
  readonly change: "created" | "modified" | "deleted" | "mode" | "replaced" | "unknown";
  /** Kind of the entry afterwards, or before if it is deleted; absent where it is not known. */
  readonly kind?: "file" | "directory" | "symlink" | "special";
  /** Bytes afterwards, or before if it is deleted. */
  readonly size?: number;
  /** Permission bits afterwards, where the path is created or they change. */
  readonly mode?: number;
  /** Encoding of a text file. */
  readonly encoding?: string;
  /** `sha256:` and 64 hex digits of the content afterwards. */
  readonly hash?: string;
  /** Target of a link afterwards. */
  readonly target?: string;
  /** Number of added lines. */
  readonly added?: number;
  /** Number of removed lines. */
  readonly removed?: number;
  /** Unified diff of the complete change; applied to the file, it gives the content after the call. */
  readonly diff?: string;
  /** Why a file has no diff. */
  readonly because?: string;
  /** Totals of the unlisted content of a tree that is created or deleted as a whole. */
  readonly below?: { readonly entries: number; readonly bytes: number };
  /** The path runs code or changes agents' permissions; such a change requires approval in every mode but one. */
  readonly isProtected?: true;
}

/** Predicted result of a call, for `kit.preview` and for approval questions. */
export interface PreviewResult {
  /** Predicted result, in a few words. */
  readonly summary: string;
  /** All diffs, concatenated. */
  readonly diff?: string;
  /** Sorted by path. Absent where it is not known which paths would change. */
  readonly changes?: readonly PreviewChange[];
  /** Number of changes beyond those listed. */
  readonly moreChanges?: number;
  /** Content that the call would return. */
  readonly content?: string;
  /** Changes that could not be applied to the real tree, with the reason. */
  readonly refused?: StagedChanges["refused"];
  /** Trees that were written directly: the call's changes there are not shown. */
  readonly passthrough?: readonly string[];
  /**
   * Source of the prediction: `run`, the call ran with its changes isolated, so they are exact; `reported`, the
   * tool's own preview; `declared`, only the effects that the call declares.
   */
  readonly basis?: "run" | "reported" | "declared";
}

/** A host that stores its changes separately: the host below it is only read. */
export interface StagedHost {
  readonly host: Host;
  /** Returns the changes so far. Sources of files are read through the staged host itself. */
  readonly changes: () => Promise<StagedChanges>;
}

/** A command for a dry run. */
export interface CommandPreviewRequest {
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Canonical. */
  readonly cwd: string;
  /** Variables set in addition to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of the host's environment to pass on. Default: all. */
  readonly keepEnv?: readonly string[] | undefined;
  /** Time limit, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the preview. */
  readonly signal: AbortSignal;
}

/** Result of a command's dry run. */
export interface CommandPreviewed {
  /** Sources of files are read through the host itself. */
  readonly staged: StagedChanges;
  /** Output of the command. */
  readonly output: {
    readonly stdout: string;
    readonly stderr: string;
    /** Null where a signal ended the command. */
    readonly exitCode: number | null;
  };
  /** Deletes everything that the dry run stored. Safe to call twice. */
  readonly drop: () => Promise<void>;
}

/** Runs a command without changing any file of the workspace, and returns the changes it would have made. */
export type CommandPreview = (request: CommandPreviewRequest) => Promise<CommandPreviewed>;

/** Provided where commands can run dry, on an overlay of the workspace. */
export const commandPreview = serviceToken<CommandPreview>("commandPreview");
