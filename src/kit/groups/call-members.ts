import type { Kit } from "../kit.ts";
import {
  checkCallAllOptions,
  checkCallId,
  checkCalls,
  checkPreviewOptions,
  checkRedoOptions,
  checkUndoOptions,
  checkUndoTarget,
} from "../options/check-arguments.ts";
import type { KitCore } from "./kit-core.ts";

type Calls = Pick<Kit, "call" | "callAll" | "reconcile" | "explain" | "preview">;

/** Members of a kit that run calls or predict what they do. */
export function callMembers({ parts, lifetime, deferral, ...core }: KitCore): Calls {
  return {
    async call(call, options) {
      const opened = core.opened(call);
      const linked = lifetime.open(options);
      const engine = core.engine() ?? (await core.load());
      const learning = parts.servers.current?.learn([opened]);
      if (learning !== undefined) await learning;
      const running = engine.call(opened, linked);
      lifetime.running.add(running);
      try {
        const outcome = await running;
        // A tool that was called by name needs no search any more.
        deferral.join(outcome.tool, linked.sessionId);
        return outcome;
      } finally {
        lifetime.running.delete(running);
      }
    },
    async callAll(calls, given) {
      const { onOutcome, ...options } = given === undefined ? {} : checkCallAllOptions(given);
      const linked = lifetime.open(given === undefined ? undefined : options);
      const turn = checkCalls(calls).map((call) => core.opened(call));
      const engine = await core.load(turn);
      const outcomes = await lifetime.track(engine.callAll(turn, { ...linked, onOutcome }));
      for (const { tool } of outcomes) deferral.join(tool, linked.sessionId);
      return outcomes;
    },
    async reconcile(call, options) {
      const linked = lifetime.open(options);
      return await lifetime.track((await core.load()).reconcile(core.opened(call), linked));
    },
    async explain(call) {
      lifetime.open(undefined);
      const opened = core.opened(call);
      return await (await core.load([opened])).explain(opened);
    },
    async preview(call, given = {}) {
      const { approved = false, ...options } = checkPreviewOptions(given);
      const opened = core.opened(call);
      const linked = lifetime.open(options);
      const engine = await core.load([opened]);
      return await lifetime.track(engine.preview(opened, { ...linked, approved }));
    },
  };
}

type History = Pick<Kit, "history" | "diff" | "undo" | "redo">;

/** Members of a kit that list what its calls have changed, and undo it. */
export function historyMembers({ lifetime, load }: KitCore): History {
  return {
    async history() {
      lifetime.open(undefined);
      return await lifetime.track((await load()).history());
    },
    async diff(callId) {
      lifetime.open(undefined);
      const id = checkCallId(callId);
      const { journal } = await load();
      return await lifetime.track(journal.diff(id));
    },
    async undo(target = { last: 1 }, options = {}) {
      const calls = checkUndoTarget(target);
      const { signal: given, ...how } = checkUndoOptions(options);
      const { signal } = lifetime.open(given === undefined ? undefined : { signal: given });
      const engine = await load();
      return await lifetime.track(engine.undo(calls, { ...how, signal }));
    },
    async redo(options = {}) {
      lifetime.open(undefined);
      const how = checkRedoOptions(options);
      return await lifetime.track((await load()).redo(how));
    },
  };
}
