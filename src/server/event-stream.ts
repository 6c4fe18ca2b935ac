import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AgentInfo, HaftEvent } from "../core/index.ts";
import type { SessionLog, StoredEvent } from "../session/index.ts";
import { HttpProblem } from "./reply.ts";

export interface EventStreamOptions {
  readonly log: Pick<SessionLog, "readEvents" | "lastPosition">;
  /** Registers a function that is called when there may be new events; the returned one unregisters it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Id of the question that an event shows, while it is open. */
  readonly questionId: (event: HaftEvent) => string | undefined;
}

/** Where a reader begins, and of which session it reads. */
export interface EventReading {
  readonly from: Position | undefined;
  readonly sessionId: string | undefined;
}

/** The last part that a reader has: an event, of which `isHalf` says that only the first of its two parts came. */
interface Position {
  readonly after: number;
  readonly isHalf: boolean;
}

/** Interval at which the log is read for events of other processes. */
const pollMs = 1000;
/** Time between two reads while events arrive one by one: each read ends the text that is being joined. */
const paceMs = 25;
const maxBatch = 256;
const minBatch = 8;
/** Characters of a batch above which the next one has fewer events. */
const batchChars = 512 * 1024;
const heartbeatMs = 15_000;

/** Names under which events of agents are sent a second time. */
const subagentNames: Readonly<Record<string, string>> = {
  "agent-start": "subagent_start",
  "agent-event": "subagent_event",
  "agent-end": "subagent_end",
};

/**
 * Sends the events of a log to one reader, in order, each exactly once from its position on. Only one batch is in memory:
 * a slow reader waits in the log.
 */
export async function sendEvents(
  response: ServerResponse,
  { log, subscribe, questionId }: EventStreamOptions,
  { from, sessionId }: EventReading,
): Promise<void> {
  let { after, isHalf } = from ?? { after: await log.lastPosition(), isHalf: false };
  let wake: (() => void) | undefined;
  const gone = new Promise<void>((resolve) => {
    response.once("close", () => {
      wake?.();
      resolve();
    });
  });
  const unsubscribe = subscribe(() => wake?.());
  const polling = setInterval(() => wake?.(), pollMs);
  const beating = setInterval(() => void response.write(":\n\n"), heartbeatMs);
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  // The position to resume from, before there is an event.
  response.write(`id: ${after}${isHalf ? half : ""}\n\n`);
  let limit = maxBatch;
  try {
    while (!response.writableEnded && !response.destroyed) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const events = await log.readEvents({
        after: isHalf ? after - 1 : after,
        limit,
        ...(sessionId === undefined ? {} : { sessionId }),
      });
      // The token of the reader may have been revoked meanwhile.
      if (response.writableEnded) break;
      if (events.length === 0) {
        await woken;
        await pause(gone);
        continue;
      }
      const text = events
        .map((event) => framesOf(event, questionId(event), isHalf && event.position === after))
        .join("");
      after = events.at(-1)?.position ?? after;
      isHalf = false;
      limit =
        text.length > batchChars
          ? Math.max(minBatch, Math.floor(limit / 4))
          : Math.min(maxBatch, limit * 2);
      if (!response.write(text)) await Promise.race([once(response, "drain"), gone]);
    }
  } finally {
    unsubscribe();
    clearInterval(polling);
    clearInterval(beating);
  }
}

/** Reads where a reader wants to begin: the header of a browser that reconnects, or the parameter of a first request. */
export function readPosition(
  lastEventId: string | undefined,
  after: string | undefined,
): Position | undefined {
  const text = lastEventId === undefined || lastEventId === "" ? after : lastEventId;
  if (text === undefined || text === "") return undefined;
  const [, digits, mark] = /^(\d{1,15})(a?)$/u.exec(text) ?? [];
  if (digits === undefined) {
    throw new HttpProblem(400, "INVALID_INPUT", {
      message: "The position of the events is not a number.",
      hint: "Send the id of the last event, 0 for the first, or none for new ones only.",
    });
  }
  return { after: Number(digits), isHalf: mark === half };
}

/** Mark of an event of which only the first part was sent. */
const half = "a";

function framesOf(event: StoredEvent, id: string | undefined, isSecondOnly: boolean): string {
  const { position, ...rest } = event;
  const data = id === undefined ? rest : { ...rest, id };
  const second = subagentNames[event.type];
  if (second === undefined || !("agent" in event)) return frame(event.type, String(position), data);
  const first = isSecondOnly ? "" : frame(event.type, `${position}${half}`, data);
  return `${first}${frame(second, String(position), { ...subagentOf(event.agent), ...rest })}`;
}

function subagentOf(agent: AgentInfo): object {
  const { agentId, turns, calls, text, ...metadata } = agent;
  return { subagent_id: agentId, steps: { turns, calls }, text, metadata };
}

function frame(name: string, id: string, data: object): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function pause(gone: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, paceMs);
  await Promise.race([promise, gone]);
  clearTimeout(timer);
}
