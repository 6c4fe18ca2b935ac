import { parentPath } from "../../text/index.ts";
import type { WriteEffect } from "../../core/index.ts";
import type { CallPlace, PipelineEnvironment } from "../environment/environment.ts";
import type { Next, StateOf, Step } from "../step.ts";

type Sets = "undo" | "transaction";
type Needs = "tool" | "valid" | "effects" | "approval";
type State = StateOf<Sets, Needs>;

/**
 * Journals the files that the call is about to overwrite.
 *
 * Runs after permit, so a refused call costs nothing, and before run, so the before-image is durable when the
 * first byte changes.
 */
export const checkpoint: Step<Sets, Needs, "checkpoint"> = (state, environment) => {
  if (environment.checkpoints === undefined || state.effects.length === 0) return undefined;
  const writes = [
    ...state.effects.filter((effect): effect is WriteEffect => effect.kind === "write"),
    ...(environment.writtenByKit?.(state.tool.name, state.input) ?? []),
  ];
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
function changesByHost({ tool, effects }: State): boolean {
  return (
    tool.staged === "files" && effects.every(({ kind }) => kind === "read" || kind === "write")
  );
}

/** Adds links: deleting or moving a path that names a link affects the link, so it is captured with its target. */
async function withLinks(
  { requested }: State,
  { host }: CallPlace,
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

async function journal(
  state: State,
  environment: PipelineEnvironment,
  { writes, isOpen }: { readonly writes: readonly WriteEffect[]; readonly isOpen: boolean },
): Promise<Next> {
  const { checkpoints } = environment;
  const watch = isOpen ? ((await checkpoints?.watched?.()) ?? []) : [];
  if (writes.length === 0 && watch.length === 0) return undefined;
  const { sessionId, agentId, signal } = state.options;
  const taken = await checkpoints?.before(state.key, await withLinks(state, environment, writes), {
    tool: state.tool.name,
    ...(watch.length === 0 ? {} : { watch }),
    ...(signal === undefined ? {} : { signal }),
    isTransaction: changesByHost(state),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
  });
  state.undo = taken?.undo;
  state.transaction = taken?.transaction;
  return undefined;
}
