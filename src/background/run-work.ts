import type { ActiveWork, Completion, RunWork, WorkListener } from "../core/index.ts";
import { RecentMap } from "../text/index.ts";

/** Maximum number of conversations with completions that wait for their next run. */
const maxConversations = 1000;

interface Undelivered {
  readonly work: ActiveWork;
  readonly completion: Completion;
}

/** Creates the record of the background work of all runs of a kit. */
export function createRunWork(): RunWork {
  const active = new Map<string, Set<ActiveWork>>();
  const listeners = new Map<string, Set<WorkListener>>();
  const conversations = new Map<string, string>();
  const undelivered = new RecentMap<string, readonly Undelivered[]>(maxConversations);
  const notify = (runId: string, work: ActiveWork, completion: Completion | undefined): void => {
    let isTaken = false;
    for (const listener of listeners.get(runId) ?? []) {
      isTaken = takes(listener, work, completion) || isTaken;
    }
    if (isTaken || completion === undefined) return;
    // Work of calls that are settled before their run starts may end before the run listens.
    const key = conversations.get(runId) ?? keyOfRun(runId);
    undelivered.set(key, [...(undelivered.get(key) ?? []), { work, completion }]);
  };
  const deliver = (key: string, runId: string): void => {
    const waiting = undelivered.get(key) ?? [];
    undelivered.delete(key);
    for (const { work, completion } of waiting) notify(runId, work, completion);
  };
  const forget = (runId: string): void => {
    if (!active.has(runId) && !listeners.has(runId)) conversations.delete(runId);
  };
  return {
    start(runId, work) {
      add(active, runId, work);
      notify(runId, work, undefined);
      return (completion) => {
        if (remove(active, runId, work)) notify(runId, work, completion);
        forget(runId);
      };
    },
    active: (runId) => [...(active.get(runId) ?? [])],
    watch(runId, listener, conversation) {
      add(listeners, runId, listener);
      if (conversation !== undefined) {
        const { sessionId, agentId = "" } = conversation;
        const key = JSON.stringify([sessionId, agentId]);
        conversations.set(runId, key);
        deliver(key, runId);
      }
      deliver(keyOfRun(runId), runId);
      return () => {
        remove(listeners, runId, listener);
        forget(runId);
      };
    },
  };
}

/** Key of what waits for a run whose conversation is not known yet. */
function keyOfRun(runId: string): string {
  return JSON.stringify([runId]);
}

/** Whether a listener took the change; one that throws did not. */
function takes(
  listener: WorkListener,
  work: ActiveWork,
  completion: Completion | undefined,
): boolean {
  try {
    return listener(work, completion) !== false;
  } catch {
    return false;
  }
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
