import { sentMessage, type UserMessage } from "../../session/index.ts";

/** Messages that the user sends to a run while it is active. */
export interface Inbox {
  /** Adds a message; returns false if the run takes no more. */
  send(message: string | UserMessage): boolean;
  /** Removes and returns the messages, in order. */
  take(): readonly UserMessage[];
  isEmpty(): boolean;
  /** Ends the inbox if it is empty; returns whether it is ended. */
  close(): boolean;
  /** Ends the inbox; returns the messages that were not taken. */
  end(): readonly UserMessage[];
}

export function createInbox(): Inbox {
  let waiting: UserMessage[] = [];
  let isClosed = false;
  const take = (): readonly UserMessage[] => {
    const taken = waiting;
    waiting = [];
    return taken;
  };
  return {
    send(message) {
      const checked = sentMessage(message);
      if (isClosed) return false;
      waiting.push(checked);
      return true;
    },
    take,
    isEmpty: () => waiting.length === 0,
    close() {
      isClosed ||= waiting.length === 0;
      return isClosed;
    },
    end() {
      isClosed = true;
      return take();
    },
  };
}
