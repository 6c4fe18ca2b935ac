import { ToolError } from "../../core/index.ts";
import { repairMessages, type Message, type RunLog, type StoredMail } from "../../session/index.ts";
import { messageOf } from "../../text/index.ts";

/** Conversation of a run. Every change is stored before it is returned to the loop. */
export interface RunConversation {
  readonly messages: readonly Message[];
  /** Continues a recorded conversation, in a legal form. */
  open(recorded: readonly Message[]): Promise<void>;
  /** Rejects if the messages cannot be stored; the run must have no further effect then. */
  append(messages: readonly Message[], mail?: readonly number[]): Promise<void>;
  /** Messages of other sessions, and ends of agents, that wait. */
  mail(): readonly StoredMail[];
  /** Replaces everything that the model sees. */
  replace(messages: readonly Message[]): Promise<void>;
}

export function runConversation(log: RunLog | undefined): RunConversation {
  let current: Message[] = [];
  return {
    async open(recorded) {
      current = [...repairMessages(recorded)];
      const last = current.at(-1);
      // The log ends in calls without results; the results that the repair added are stored with it.
      if (last?.role === "tool" && recorded.at(-1)?.role === "assistant") {
        await stored(async () => log?.append([last]));
      }
    },
    get messages() {
      return current;
    },
    async append(messages, mail = []) {
      if (messages.length === 0 && mail.length === 0) return;
      current.push(...messages);
      await stored(async () => log?.append(messages, mail));
    },
    mail: () => log?.mail?.() ?? [],
    async replace(messages) {
      await stored(async () => log?.replace(messages, "compaction"));
      current = [...messages];
    },
  };
}

async function stored(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw storageError(cause);
  }
}

const fullDisk = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** Error of a run whose conversation or results cannot be stored. */
export function storageError(cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  const reason = messageOf(cause);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return new ToolError(
    fullDisk.has(code) ? "NO_SPACE" : "UNAVAILABLE",
    `The run could not be stored and was stopped: ${reason}`,
    { hint: "Check the disk of the data directory, then continue the session.", cause },
  );
}
