import { seenFiles, ToolError, type ToolContext } from "../../core/index.ts";
import { parentPath } from "../../text/index.ts";
import { knownAs, viewAfter } from "../files/seen/seen-file.ts";
import { encodeText } from "../files/encodings/text-encoding.ts";
import type { PlannedFile } from "./plan-patch.ts";

/**
 * Writes the plan: changes first, then new files, then removals. Every write requires that the file still has the
 * content it was planned for. If one fails, the earlier ones are undone, so that every file is as it was; a file that
 * another process changed in the meantime is left alone and named. At any moment, each file has its complete old or its
 * complete new content. If the process dies between two files, some are changed and some are not; the journal can then
 * undo the call.
 */
export async function commitPatch(
  planned: readonly PlannedFile[],
  context: ToolContext,
): Promise<void> {
  const steps = stepsOf(planned, context);
  const done: Step[] = [];
  for (const step of steps) {
    try {
      await step.run();
      done.push(step);
    } catch (error) {
      throw await takenBack(error, done);
    }
  }
  for (const step of done) step.remember();
}

interface Step {
  readonly shown: string;
  readonly run: () => Promise<void>;
  /** Restores the previous state. Runs without the call's signal, because an aborted call is undone too. */
  readonly back: () => Promise<void>;
  readonly remember: () => void;
}

function stepsOf(planned: readonly PlannedFile[], context: ToolContext): readonly Step[] {
  const updates = planned.filter(({ kind }) => kind === "update");
  const created = planned.filter(({ kind }) => kind === "add" || kind === "move");
  const removed = planned.filter(({ kind }) => kind === "delete" || kind === "move");
  return [
    ...updates.map((file) => updating(file, context)),
    ...created.map((file) => creating(file, context)),
    // All checks precede the first removal, because a removal cannot be undone here.
    ...removed.map((file) => checking(file, context)),
    ...removed.map((file) => removing(file, context)),
  ];
}

function updating(file: PlannedFile, { host, signal, service }: ToolContext): Step {
  const { path, shown, seen, after = "", encoding, ranges } = file;
  let known = "";
  let written = "";
  return {
    shown,
    async run() {
      const result = await host.fs.writeAtomic(path, encodeText({ text: after, encoding }), {
        ifMatch: seen?.file.hash ?? null,
        signal,
      });
      written = result.hash;
      known = knownAs(result);
    },
    async back() {
      if (seen === undefined) return;
      await host.fs.writeAtomic(path, seen.file.bytes, { ifMatch: written, signal: calm });
    },
    remember: () =>
      service(seenFiles).saw(path, viewAfter(seen?.view ?? {}, { hash: known, ranges })),
  };
}

function creating(file: PlannedFile, { host, signal, service }: ToolContext): Step {
  const { path, shown, from, seen, after = "", encoding, ranges } = file;
  let known = "";
  let written = "";
  return {
    shown,
    async run() {
      await host.fs.mkdir(parentPath(path), { signal });
      const result = await host.fs.writeAtomic(path, encodeText({ text: after, encoding }), {
        ifMatch: null,
        ...(seen === undefined ? {} : { mode: seen.file.stat.mode }),
        signal,
      });
      written = result.hash;
      known = knownAs(result);
    },
    async back() {
      // If the source of a move is gone, this is the only copy.
      if (from !== undefined) await host.fs.stat(from, { signal: calm });
      const now = await host.fs.readFile(path, { signal: calm });
      if (now.hash !== written) throw changedMeanwhile(shown);
      await host.fs.remove(path, { signal: calm });
    },
    remember: () =>
      service(seenFiles).saw(path, viewAfter(seen?.view ?? {}, { hash: known, ranges })),
  };
}

/** Checks that a file to be removed still has the content it was planned for. */
function checking(file: PlannedFile, context: ToolContext): Step {
  const { shown } = removedOf(file);
  return {
    shown,
    run: async () => requireAsPlanned(file, context),
    back: async () => undefined,
    remember: () => undefined,
  };
}

function removing(file: PlannedFile, context: ToolContext): Step {
  const { host, signal, service } = context;
  const { path, shown } = removedOf(file);
  return {
    shown,
    async run() {
      await requireAsPlanned(file, context);
      await host.fs.remove(path, { signal });
    },
    back: async () => {
      throw new ToolError("TOOL_FAILED", "A file that was removed is not made again by a patch.");
    },
    remember: () => service(seenFiles).forget(path),
  };
}

function removedOf({ path, from, shown, shownFrom }: PlannedFile) {
  return { path: from ?? path, shown: shownFrom ?? shown };
}

async function requireAsPlanned(
  file: PlannedFile,
  { host, signal }: Pick<ToolContext, "host" | "signal">,
): Promise<void> {
  const { path, shown } = removedOf(file);
  const now = await host.fs.readFile(path, { signal });
  if (now.hash !== file.hash) throw changedMeanwhile(shown);
}

function changedMeanwhile(shown: string): ToolError {
  return new ToolError("STALE_READ", `${shown} changed while the patch was applied.`, {
    hint: "Read it again, then patch.",
  });
}

/** A call that was aborted is still undone. */
const calm = new AbortController().signal;

async function takenBack(error: unknown, done: readonly Step[]): Promise<unknown> {
  const left: string[] = [];
  for (const step of done.toReversed()) {
    try {
      await step.back();
    } catch {
      left.push(step.shown);
    }
  }
  if (!ToolError.is(error)) return error;
  const state =
    left.length === 0
      ? "Every file is as it was."
      : `Not undone: ${left.join(", ")}; undo reverts the call.`;
  return new ToolError(error.code, `${error.message} ${state}`, {
    hint: error.hint,
    data: { ...error.data, ...(left.length === 0 ? {} : { left }) },
    cause: error,
  });
}
