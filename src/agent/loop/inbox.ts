import type { ActiveWork, Completion } from "../../core/index.ts";
import { sentMessage, userMessage, type UserMessage } from "../../session/index.ts";

/** A message that waits for the next turn. */
export interface InboxMessage {
  readonly message: UserMessage;
  /** Background work whose end it reports; missing for a message of the user. */
  readonly workId?: string;
}

/** Messages that arrive while a run is active: from the user, and about the end of background work. */
export interface Inbox {
  /** Adds a message; returns false if the run takes no more. */
  send(message: string | UserMessage): boolean;
  /**
   * Notes a change of background work; its completion becomes a message, unless the model knows of it already. Returns
   * false if the run takes no more.
   */
  note(work: ActiveWork, completion: Completion | undefined): boolean;
  /** Whether the model knows of the end that a stored message reports. */
  isKnown(mail: number): boolean;
  /** Removes and returns the messages, in order. */
  take(): readonly InboxMessage[];
  isEmpty(): boolean;
  /** Resolves with the next message or change of background work. */
  changed(): Promise<void>;
  /** Ends the inbox if it is empty; returns whether it is ended. */
  close(): boolean;
  /** Ends the inbox; returns the messages that were not taken. */
  end(): readonly InboxMessage[];
}

type Waiting = InboxMessage & { readonly isKnown?: (() => boolean) | undefined };

export function createInbox(): Inbox {
  let waiting: Waiting[] = [];
  const stored = new Map<number, () => boolean>();
  let isClosed = false;
  let change = Promise.withResolvers<void>();
  const wake = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const drop = (): void => {
    waiting = waiting.filter(({ isKnown }) => isKnown?.() !== true);
  };
  const take = (): readonly InboxMessage[] => {
    drop();
    const taken = waiting;
    waiting = [];
    return taken;
  };
  const isEmpty = (): boolean => {
    drop();
    return waiting.length === 0;
  };
  return {
    send(message) {
      const checked = sentMessage(message);
      if (isClosed) return false;
      waiting.push({ message: checked });
      wake();
      return true;
    },
    note({ id }, completion) {
      if (isClosed) return false;
      if (completion !== undefined) {
        const isKnown = (): boolean => completion.isKnown?.() === true;
        if (completion.mail !== undefined) stored.set(completion.mail, isKnown);
        else waiting.push({ message: userMessage(completion.message), workId: id, isKnown });
      }
      wake();
      return true;
    },
    isKnown: (mail) => stored.get(mail)?.() === true,
    take,
    isEmpty,
    changed: async () => await change.promise,
    close() {
      isClosed ||= isEmpty();
      return isClosed;
    },
    end() {
      isClosed = true;
      return take();
    },
  };
}
