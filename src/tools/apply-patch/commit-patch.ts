import { fileState, parentPath, ToolError, type ToolContext } from "../../core/index.ts";
import { knownAs, viewAfter } from "../files/seen-file.ts";
import { encodeText } from "../files/text-encoding.ts";
import type { PlannedFile } from "./plan-patch.ts";

/**
 * Writes what was planned: changes first, then new files, and what goes away last. Every write asks that the
 * file is still what was planned for. If one fails, those before it are taken back, so that every file is as
 * it was; a file that something else changed meanwhile is left alone and named. Each file is at any moment
 * its old or its new content, whole. A process that dies between two files leaves some changed and some not:
 * the journal then takes the call back.
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
  /** Brings back what was there before; runs without the call's signal, for an aborted call is taken back too. */
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
    // All of them, before the first goes: what is gone cannot be taken back.
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
      service(fileState).saw(path, viewAfter(seen?.view ?? {}, { hash: known, ranges })),
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
      // Of a move whose source has gone, this is the only copy.
      if (from !== undefined) await host.fs.stat(from, { signal: calm });
      const now = await host.fs.readFile(path, { signal: calm });
      if (now.hash !== written) throw changedMeanwhile(shown);
      await host.fs.remove(path, { signal: calm });
    },
    remember: () =>
      service(fileState).saw(path, viewAfter(seen?.view ?? {}, { hash: known, ranges })),
  };
}

/** Whether a file that is to go is still what was planned for. */
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
    remember: () => service(fileState).forget(path),
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

/** A call that was aborted is still taken back. */
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
      : `Not taken back: ${left.join(", ")}; undo brings the call back.`;
  return new ToolError(error.code, `${error.message} ${state}`, {
    hint: error.hint,
    data: { ...error.data, ...(left.length === 0 ? {} : { left }) },
    cause: error,
  });
}
