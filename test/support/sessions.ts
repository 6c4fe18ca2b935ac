import path from "node:path";
import { afterEach } from "vitest";
import {
  openSessionStore,
  type AssistantMessage,
  type Message,
  type NewRun,
  type RunEnd,
  type SessionStore,
  type SessionStoreOptions,
} from "../../src/session/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const secret = ["gh", "p_", "Zk3vQm8XtR5wLp2NcY7bHs9JdF4gAe6uVx1T"].join("");
export const hideSecret = (text: string): string => text.replaceAll(secret, "[hidden]");

export interface SessionWorld {
  readonly file: () => string;
  /** Opens the store in the file; every opened one is closed after the test. */
  open(options?: Partial<SessionStoreOptions>): Promise<SessionStore>;
  closeLater(store: SessionStore): void;
}

/** A file of sessions for each test. */
export function sessionWorld(): SessionWorld {
  const at = temporaryFolder("sessions");
  const opened: SessionStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  const file = (): string => path.join(at(""), "deep", "sessions.db");
  return {
    file,
    async open(options = {}) {
      const store = await openSessionStore({ file: file(), redact: hideSecret, ...options });
      opened.push(store);
      return store;
    },
    closeLater: (store) => void opened.push(store),
  };
}

/** A run of the session `s`. */
export const aRun = (runId: string, more: Partial<NewRun> = {}): NewRun => ({
  sessionId: "s",
  runId,
  task: "fix the test",
  model: "fake:m",
  ...more,
});

export const done: RunEnd = {
  status: "done",
  turns: 2,
  calls: 1,
  usage: { input: 10, output: 5, cacheRead: 3 },
  costUsd: 0.25,
};

export const said = (text: string): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
});

/** Stores a session with one finished run. */
export async function withRun(store: SessionStore, messages: readonly Message[]): Promise<void> {
  await store.create({ sessionId: "s", workspace: "/work" });
  const { log, end } = await store.begin(aRun("r1"));
  await log.append(messages);
  await end(done);
}

export function called(id: string, input = "{}", name = "Read"): AssistantMessage {
  return {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm", providerData: { anthropic: { signature: "abc=" } } },
      { type: "tool-call", id, providerCallId: "call_0", name, input },
    ],
  };
}

export function answered(callId: string, text = "one"): Message {
  return {
    role: "tool",
    content: [
      {
        type: "tool-result",
        callId,
        name: "Read",
        content: [{ type: "text", text }],
        isError: false,
      },
    ],
  };
}
