import type { ActiveWork, Completion, RunWork } from "../core/index.ts";
import { quietly } from "../text/index.ts";

type Listener = (work: ActiveWork, completion: Completion | undefined) => void;

/** Creates the record of the background work of all runs of a kit. */
export function createRunWork(): RunWork {
  const active = new Map<string, Set<ActiveWork>>();
  const listeners = new Map<string, Set<Listener>>();
  const notify = (runId: string, work: ActiveWork, completion: Completion | undefined): void => {
    for (const listener of listeners.get(runId) ?? []) {
      quietly(listener, work, completion);
    }
  };
  return {
    start(runId, work) {
      add(active, runId, work);
      notify(runId, work, undefined);
      return (completion) => {
        if (remove(active, runId, work)) notify(runId, work, completion);
      };
    },
    active: (runId) => [...(active.get(runId) ?? [])],
    watch(runId, listener) {
      add(listeners, runId, listener);
      return () => void remove(listeners, runId, listener);
    },
  };
}

function add<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}

/** Whether the value was in the set of the key. */
function remove<T>(sets: Map<string, Set<T>>, key: string, value: T): boolean {
  const set = sets.get(key);
  const isRemoved = set?.delete(value) === true;
  if (set?.size === 0) sets.delete(key);
  return isRemoved;
}
