import type { FoundTools, ToolkitDeferral } from "../../core/index.ts";
import { checkSession, checkToolText } from "../options/check-arguments.ts";
import type { KitCore } from "./kit-core.ts";

/**
 * Tools that a model sees where many are offered: a session begins with the core tools and ToolSearch, and the others
 * join when they are found or called. Each method takes a session; without one, calls without a session are meant.
 */
export interface KitDeferral extends ToolkitDeferral {
  /** Names of the tools that the model of a session sees now. */
  active(sessionId?: string): readonly string[];
  /** Finds tools as ToolSearch does, and activates none. */
  search(query: string, sessionId?: string): Promise<FoundTools>;
  /** Shows a deferred tool to the model of a session from now on; false if nothing changed. */
  activate(name: string, sessionId?: string): boolean;
  /** Whether a tool is offered but the model of a session does not see it yet. */
  isDeferred(name: string, sessionId?: string): boolean;
  /** Defers again what a session has found and called. A new session begins without activated tools. */
  reset(sessionId?: string): void;
}

export function kitDeferral({ parts, deferral }: KitCore): KitDeferral {
  return {
    async chooseCalls(model, sessionId) {
      checkSession(sessionId);
      const calls = deferral.chooseCalls(model, sessionId);
      if (calls === "envelope" && deferral.isOn) await parts.envelope.addTo(parts.registry);
      return calls;
    },
    tokensSaved(sessionId) {
      checkSession(sessionId);
      return deferral.saved(sessionId);
    },
    active(sessionId) {
      checkSession(sessionId);
      const offered = parts.registry.getOffered({ mode: parts.getMode() });
      return deferral.shown(offered, { sessionId }).map(({ name }) => name);
    },
    async search(query, sessionId) {
      checkToolText("query of deferral.search", query, sessionId);
      return await deferral.search(query, sessionId);
    },
    activate(name, sessionId) {
      checkToolText("name of deferral.activate", name, sessionId);
      return deferral.activate(name, sessionId);
    },
    isDeferred(name, sessionId) {
      checkToolText("name of deferral.isDeferred", name, sessionId);
      return deferral.isDeferred(name, sessionId);
    },
    reset(sessionId) {
      checkSession(sessionId);
      deferral.reset(sessionId);
    },
  };
}
