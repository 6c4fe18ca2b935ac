import { parentPath } from "../../text/index.ts";
import { type HostFile, type WriteEffect } from "../../core/index.ts";
import { toolOf, type CallState } from "../call-state.ts";
import type { Checkpoints, PipelineEnvironment } from "../environment.ts";
import type { Next, Step } from "../step.ts";

/**
 * Journals the files that the call is about to overwrite.
 *
 * Runs after permit, so a refused call costs nothing, and before run, so the before-image is durable when the
 * first byte changes.
 */
export const checkpoint: Step = (state, environment) => {
  if (environment.checkpoints === undefined || state.effects.length === 0) return undefined;
  const writes = state.effects.filter((effect): effect is WriteEffect => effect.kind === "write");
  const isOpen = state.effects.some(
    (effect) => effect.kind === "execute" && effect.consequences === "open",
  );
  return writes.length === 0 && !isOpen
    ? undefined
    : journal(state, environment, { writes, isOpen });
};

/**
 * Whether the call makes all its changes through its host. The host then fsyncs the before-image together with the new
 * content, right before the first change becomes visible, so that there is only one wait for the disk.
 */
function changesByHost({ tool, effects }: CallState): boolean {
  return (
    tool?.staged === "files" && effects.every(({ kind }) => kind === "read" || kind === "write")
  );
}

/** Adds links: deleting or moving a path that names a link affects the link, so it is captured with its target. */
async function withLinks(
  { requested }: CallState,
  { host }: PipelineEnvironment,
  writes: readonly WriteEffect[],
): Promise<readonly WriteEffect[]> {
  if (requested === undefined) return writes;
  const links: WriteEffect[] = [];
  for (const write of writes) {
    for (const path of requested.get(write.path) ?? []) {
      const parent = parentPath(path);
      if ((await host.fs.canonical(parent).catch(() => undefined)) !== parent) continue;
      links.push({ ...write, path, scope: "file" });
    }
  }
  return [...writes, ...links];
}

/** Maximum size of a file buffered until the call ends; larger ones are read again on demand. */
const maxKeptBytes = 65_536;
const maxKeptFiles = 32;

function changingByHost(state: CallState): Pick<CheckpointInfo, "flushLater" | "onKept"> {
  const kept = new Map<string, HostFile>();
  const hashes = new Map<string, string>();
  state.kept = kept;
  // Valid until the call's host changes something: changes by other processes are not the call's own.
  state.left = "nothing";
  state.keptHashes = hashes;
  return {
    flushLater: (flush) => void (state.flushImages = flush),
    onKept(file) {
      const isFew = file.bytes.length <= maxKeptBytes && kept.size < maxKeptFiles;
      hashes.set(file.stat.path, file.hash);
      if (isFew) kept.set(file.stat.path, file);
    },
  };
}

type CheckpointInfo = Parameters<Checkpoints["before"]>[2];

async function journal(
  state: CallState,
  environment: PipelineEnvironment,
  { writes, isOpen }: { readonly writes: readonly WriteEffect[]; readonly isOpen: boolean },
): Promise<Next> {
  const { checkpoints } = environment;
  const watch = isOpen ? ((await checkpoints?.watched?.()) ?? []) : [];
  if (writes.length === 0 && watch.length === 0) return undefined;
  const { sessionId, agentId, signal } = state.options;
  state.undo = await checkpoints?.before(state.key, await withLinks(state, environment, writes), {
    tool: toolOf(state).name,
    ...(watch.length === 0 ? {} : { watch }),
    ...(signal === undefined ? {} : { signal }),
    ...(changesByHost(state) ? changingByHost(state) : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
  });
  return undefined;
}
