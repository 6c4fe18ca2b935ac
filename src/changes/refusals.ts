import { namedPaths } from "../text/index.ts";
import { ToolError, type StagedChanges } from "../core/index.ts";
import type { ApprovalRefused } from "../pipeline/index.ts";
import type { LockedFile } from "../sandbox/index.ts";

export const refusedByMode: ApprovalRefused = {
  because: "this mode refuses instead of asking",
  code: "APPROVAL_REQUIRED",
};

export const neverAsks: ApprovalRefused = {
  because: "this mode asks nothing",
  code: "APPROVAL_REQUIRED",
};

/**
 * Error for changes to protected paths or paths of ask rules. All changes were dropped: no user wants half of what a
 * command did.
 */
export function protectedWritesError(
  protectedWrites: readonly string[],
  what: {
    readonly refused: ApprovalRefused;
    /** Whether all of them are protected; otherwise some are named by ask rules. */
    readonly isProtected: boolean;
    readonly cwd: string;
  },
): ToolError {
  const { refused, isProtected, cwd } = what;
  const [one, several] = isProtected
    ? ["a protected file", "protected files"]
    : ["a file that is asked about", "files that are asked about"];
  const files = protectedWrites.length === 1 ? one : several;
  return new ToolError(
    refused.code,
    `No change of the command was applied, because it also changed ${files} (${namedPaths(protectedWrites, cwd)}) and ${refused.because}.`,
    {
      hint: "It ran on an overlay, so the workspace is unchanged. Run it again without those files; if they are needed, name each in a call of its own, so that the user is asked.",
      data: { paths: protectedWrites.slice(0, maxData) },
      retryable: false,
    },
  );
}

/** Error for a program that was not started, because nothing keeps it from creating protected files. */
export function unheldTreesError(
  directories: readonly string[],
  {
    refused,
    because,
    cwd,
  }: { readonly refused: ApprovalRefused; readonly because: string; readonly cwd: string },
): ToolError {
  return new ToolError(
    refused.code,
    `It was not started, because it may create protected files in ${namedPaths(directories, cwd)} and ${refused.because}. ${because}`,
    {
      hint: "Declare the files that it writes instead of a tree in a new version, or ask the user to turn sandbox.overlay on.",
      data: { paths: directories },
      retryable: false,
    },
  );
}

/** Returns a note that undo does not cover a program that ran on the real files, and why it ran there. */
export function onRealFiles(because: string): string {
  return `It ran on the real files, so beyond what it declares nothing was captured for undo. ${because}`;
}

/** Names files that running programs have locked, and the program that locked the first. */
export function lockedWord(files: readonly LockedFile[], cwd: string): string {
  const [first] = files;
  const program = first?.program ?? "another program";
  const holder = first?.process === undefined ? program : `${program} (process ${first.process})`;
  const names = namedPaths(
    files.map(({ path }) => path),
    cwd,
  );
  const verb = files.length === 1 ? "is" : "are";
  return `${names} ${verb} locked by ${holder}, which would continue with the old content.`;
}

/** Error for changes to locked files. Nothing was applied: a program with an open file does not see its replacement. */
export function lockedError(locked: string, refused: ApprovalRefused): ToolError {
  return new ToolError(
    refused.code,
    `No change of the command was applied, because ${refused.because}: ${locked}`,
    {
      hint: "It ran on an overlay, so the workspace is unchanged. Stop that program, then run the command again; to change the file while both run, the user can name its directory in sandbox.passthrough.",
      retryable: false,
    },
  );
}

/** Maximum number of paths in an error's data; more add no information. */
const maxData = 100;

/** Returns a sentence about changes that cannot be undone. */
export function notUndoable(
  count: number,
  [first]: readonly { readonly path: string; readonly because: string }[],
  isCounted = true,
): string {
  const others = count > 1 ? ` and ${count - 1} more` : "";
  const more = isCounted ? others : ` and at least ${count} more`;
  return first === undefined
    ? "Not all of it can be undone."
    : `${first.path}${more} cannot be undone: ${first.because}.`;
}

/** Returns that sentence for an error of a journal that refused to apply changes it cannot undo. */
export function unkeptOf(error: unknown): string | undefined {
  if (!ToolError.is(error) || error.code !== "LIMIT_REACHED") return undefined;
  const { count, unkept } = error.data ?? {};
  if (typeof count !== "number" || !Array.isArray(unkept)) return undefined;
  return notUndoable(count, unkept.filter(isSkipped));
}

function isSkipped(value: unknown): value is { readonly path: string; readonly because: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "path" in value &&
    typeof value.path === "string" &&
    "because" in value &&
    typeof value.because === "string"
  );
}

export function unkeptError(lost: string, refused: ApprovalRefused): ToolError {
  return new ToolError(
    refused.code,
    `No change of the command was applied, because ${refused.because}. ${lost}`,
    {
      hint: "It ran on a copy, so the workspace is unchanged. Change less at once, so that it can be undone, or ask the user.",
      retryable: false,
    },
  );
}

/** Returns the overlay directory that holds files a command wrote; undefined if it wrote none. */
export function folderOf(staged: StagedChanges | undefined): string | undefined {
  for (const { to } of staged?.changes ?? []) {
    const folder =
      to.kind === "file" ? /^.*?\/haft-overlay-[^/]+/u.exec(to.source)?.[0] : undefined;
    if (folder !== undefined) return folder;
  }
  return undefined;
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
}

export function failureOf(error: unknown, kept: string | undefined): ToolError {
  const where =
    kept === undefined ? "" : ` What it made is in ${kept} until the toolkit is closed.`;
  if (isTooLong(error)) {
    const message = "The command left paths longer than the system takes, so none of its changes";
    return new ToolError("LIMIT_REACHED", `${message} reached the workspace.${where}`, {
      hint: "Make a tree that is less deep.",
      cause: error,
    });
  }
  if (!ToolError.is(error)) {
    const message = "The changes of the command could not be applied.";
    return new ToolError("INTERNAL", `${message}${where}`, {
      hint: "None of it has reached the workspace. Check the cause, then run it again.",
      cause: error,
    });
  }
  const { code, message, hint, data, retryable } = error;
  return new ToolError(code, `${message}${where}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(data === undefined ? {} : { data }),
    retryable,
    cause: error,
  });
}
