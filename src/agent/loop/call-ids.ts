import { toolCallsOf, type Message } from "../../session/index.ts";

/** Assigns the ids of calls. Ids of a provider are data: they may repeat, so nothing is looked up by them. */
export interface CallIds {
  /** Returns an id that no call of the run has. */
  next(): string;
  /** Adds the ids of recorded messages, so that `next` never returns them. */
  register(messages: readonly Message[]): void;
}

export function callIds(newId: (prefix: string) => string): CallIds {
  const used = new Set<string>();
  return {
    next() {
      let id = newId("call");
      while (used.has(id)) id = newId("call");
      used.add(id);
      return id;
    },
    register(messages) {
      for (const message of messages) {
        if (message.role !== "assistant") continue;
        for (const { id } of toolCallsOf(message)) used.add(id);
      }
    },
  };
}
