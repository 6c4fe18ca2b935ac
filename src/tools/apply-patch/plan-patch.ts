import { ToolError, type ToolContext } from "../../core/index.ts";
import { displayPath } from "../files/paths/display-path.ts";
import { statOrMissing } from "../files/paths/missing-path.ts";
import {
  openBinaryFile,
  openSeenFile,
  requireLinesSeen,
  type SeenFile,
} from "../files/seen/seen-file.ts";
import { rangesAfter, type LineRange } from "../files/seen/seen-lines.ts";
import type { EncodedText } from "../files/encodings/text-encoding.ts";
import { lineCount } from "../files/unified-diff.ts";
import type { FileChange } from "./parse-patch.ts";
import { planHunks, type HunkStatus } from "./plan-hunks.ts";

/** Planned change of one file, determined before anything is written. */
export interface PlannedFile {
  readonly kind: "add" | "update" | "move" | "delete";
  /** Path of the file after the change, or of the deleted file. */
  readonly path: string;
  readonly shown: string;
  /** Previous path of a moved file. */
  readonly from: string | undefined;
  readonly shownFrom: string | undefined;
  /** Present content; undefined for an added file, and for one that is not text. */
  readonly seen: SeenFile | undefined;
  /** Hash of the present bytes; undefined for an added file. */
  readonly hash: string | undefined;
  /** Reason why a removed file is not text. */
  readonly noText?: string;
  readonly before: string | undefined;
  /** Undefined for a deleted file. */
  readonly after: string | undefined;
  readonly encoding: EncodedText["encoding"];
  /** Lines known afterwards; undefined if all are. */
  readonly ranges: readonly LineRange[] | undefined;
  readonly interpretations: readonly string[];
}

const wanting = { name: "ApplyPatch", verb: "patch", asCaptured: true };

/** Plans every file of a patch against its present content, or reports each file and hunk that does not fit. */
export async function planPatch(
  changes: readonly FileChange[],
  context: ToolContext,
): Promise<readonly PlannedFile[]> {
  const planned: PlannedFile[] = [];
  const failures: Failure[] = [];
  for (const change of changes) {
    try {
      planned.push(await planFile(change, context));
    } catch (error) {
      // An error that ends the call is rethrown; any other becomes one line of the report.
      if (!ToolError.is(error) || ending.has(error.code)) throw error;
      failures.push({ change, error });
    }
  }
  const [first] = failures;
  if (first !== undefined) throw reportOf(changes, first, failures);
  refuseSamePath(planned);
  return planned;
}

const ending: ReadonlySet<string> = new Set([
  "ABORTED",
  "UNDECLARED_EFFECT",
  "PERMISSION_DENIED",
  "OUTSIDE_WORKSPACE",
]);

interface Failure {
  readonly change: FileChange;
  readonly error: ToolError;
}

async function planFile(change: FileChange, context: ToolContext): Promise<PlannedFile> {
  switch (change.kind) {
    case "add":
      return planAdded(change, context);
    case "delete":
      return planDeleted(change, context);
    case "update":
      return planUpdated(change, context);
  }
}

async function planAdded(
  { path: given, content }: Extract<FileChange, { readonly kind: "add" }>,
  context: ToolContext,
): Promise<PlannedFile> {
  const { path, shown } = await freePath(given, context);
  return {
    kind: "add",
    path,
    shown,
    from: undefined,
    shownFrom: undefined,
    seen: undefined,
    hash: undefined,
    before: undefined,
    after: content,
    encoding: "UTF-8",
    ranges: undefined,
    interpretations: [],
  };
}

/**
 * Plans a deletion. A text must have been read completely. A file that is not text cannot be read, and undo restores
 * its bytes.
 */
async function planDeleted(
  { path: given }: Extract<FileChange, { readonly kind: "delete" }>,
  context: ToolContext,
): Promise<PlannedFile> {
  const binary = await openBinaryFile(given, context);
  if (binary === undefined) {
    const seen = await openSeenFile(given, context, wanting);
    requireLinesSeen(seen, [[1, lineCount(seen.text)]], wanting.verb);
    return { ...ofSeen(seen), kind: "delete", after: undefined, ranges: undefined };
  }
  const { path, shown, hash, because } = binary;
  return {
    kind: "delete",
    path,
    shown,
    from: undefined,
    shownFrom: undefined,
    seen: undefined,
    hash,
    noText: because,
    before: undefined,
    after: undefined,
    encoding: "UTF-8",
    ranges: undefined,
    interpretations: [],
  };
}

async function planUpdated(
  { path, moveTo, hunks }: Extract<FileChange, { readonly kind: "update" }>,
  context: ToolContext,
): Promise<PlannedFile> {
  const seen = await openSeenFile(path, context, wanting);
  const plan = planHunks(seen.text, hunks);
  if (plan.text === undefined) throw refusedHunks(seen.shown, plan.statuses, hunks);
  const touched = plan.changes.map(({ first, last }): LineRange => [first, last]);
  requireLinesSeen(seen, touched, wanting.verb);
  const interpretations = new Set(
    plan.statuses.flatMap((status) => (status.kind === "applied" ? status.interpretations : [])),
  );
  const updated = {
    ...ofSeen(seen),
    after: plan.text,
    ranges: rangesAfter(seen.view, plan.changes),
    interpretations: [...interpretations],
  };
  if (moveTo === undefined) return { ...updated, kind: "update" };
  const target = await freePath(moveTo, context);
  return { ...updated, ...target, kind: "move", from: seen.path, shownFrom: seen.shown };
}

function ofSeen(seen: SeenFile) {
  const { path, shown, text, encoding } = seen;
  return {
    path,
    shown,
    from: undefined,
    shownFrom: undefined,
    seen,
    hash: seen.file.hash,
    before: text,
    encoding,
    interpretations: [],
  };
}

async function freePath(
  given: string,
  context: ToolContext,
): Promise<{ readonly path: string; readonly shown: string }> {
  const { host, cwd, signal } = context;
  const path = await host.fs.canonical(given, { base: cwd, signal });
  const shown = displayPath(path, cwd);
  if ((await statOrMissing(path, context)) === undefined) return { path, shown };
  throw new ToolError("ALREADY_EXISTS", `${shown} exists already.`, {
    hint: "Use `*** Update File:` for a file that is there, or another path.",
  });
}

function refusedHunks(
  shown: string,
  statuses: readonly HunkStatus[],
  hunks: readonly { readonly at: number }[],
): ToolError {
  const first = statuses.find((status) => status.kind === "refused");
  const lines = statuses.map((status, index) => {
    const name = `Hunk ${index + 1} (line ${hunks[index]?.at} of the patch)`;
    return status.kind === "applied"
      ? `${name}: fits at line ${status.line}.`
      : `${name}: ${status.because}`;
  });
  const code = first?.kind === "refused" ? first.code : "NO_MATCH";
  return new ToolError(code, `${shown}: ${lines.join("\n")}`, {
    hint: "Copy the lines as they are in the file; Read shows them.",
    data: {
      hunks: statuses.map((status) =>
        status.kind === "applied"
          ? { status: "fits", line: status.line }
          : { status: "refused", code: status.code },
      ),
    },
  });
}

/** One error for all failures: the failure itself if the patch has only one file. */
function reportOf(
  changes: readonly FileChange[],
  { error }: Failure,
  failures: readonly Failure[],
): ToolError {
  const isAlone = changes.length === 1;
  const count = `${failures.length} of ${changes.length} files cannot be changed, so none was.`;
  const reports = failures.map(({ error: each }) => each.message);
  const hints = [...new Set(failures.map(({ error: each }) => each.hint).filter(Boolean))];
  return new ToolError(
    error.code,
    isAlone ? `Nothing was changed. ${error.message}` : `${count}\n${reports.join("\n")}`,
    {
      hint: hints.join(" "),
      data: {
        files: failures.map(({ change, error: each }) => ({
          path: change.path,
          code: each.code,
          ...each.data,
        })),
      },
    },
  );
}

/** Two paths of the patch may lead to one file, through a link. */
function refuseSamePath(planned: readonly PlannedFile[]): void {
  const seen = new Map<string, string>();
  for (const { path, shown, from } of planned) {
    for (const each of from === undefined ? [path] : [path, from]) {
      if (seen.has(each)) {
        throw new ToolError("INVALID_INPUT", `Two sections of the patch change ${shown}.`, {
          hint: "Put all changes of a file into one section.",
        });
      }
      seen.set(each, shown);
    }
  }
}
