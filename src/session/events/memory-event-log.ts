import type { HaftEvent } from "../../core/index.ts";
import { charsOf } from "./event-size.ts";
import { OutputBudget } from "./output-budget.ts";
import { TextBlocks } from "./text-blocks.ts";
import type { EventQuery, SessionLog, SessionSummary, StoredEvent } from "./session-log.ts";

export interface MemoryEventLogOptions {
  /** Minimum number of latest events retained. Default 10,000. */
  readonly maxEvents?: number;
  /** Maximum characters of text in them; beyond it the older half is dropped. Default 20,000,000. */
  readonly maxChars?: number;
}

/** Maximum characters of one call's streamed output in the log; for more, listen to the stream or read the artifact. */
const maxOutputChars = 65_536;

/** A log in memory that lasts as long as the process and retains the latest events. */
export function memoryEventLog(options: MemoryEventLogOptions = {}): SessionLog {
  const maxEvents = options.maxEvents ?? 10_000;
  const maxChars = options.maxChars ?? 20_000_000;
  let events: HaftEvent[] = [];
  /** Characters of each, so that none is weighed again. */
  let sizes: number[] = [];
  let chars = 0;
  let dropped = 0;
  let isClosed = false;
  const output = new OutputBudget(maxOutputChars);
  const blocks = new TextBlocks();

  function keepLatest(count: number): void {
    dropped += events.length - count;
    events = count === 0 ? [] : events.slice(-count);
    sizes = count === 0 ? [] : sizes.slice(-count);
    chars = sizes.reduce((sum, size) => sum + size, 0);
  }

  function keep(event: HaftEvent): void {
    const size = charsOf(event);
    events.push(event);
    sizes.push(size);
    chars += size;
    // Cut rarely and by half, so that appending stays a push.
    if (events.length >= maxEvents * 2) keepLatest(maxEvents);
    while (chars > maxChars && events.length > 0) keepLatest(Math.floor(events.length / 2));
  }
  const endBlocks = (): void => {
    for (const block of blocks.flush()) keep(block);
  };

  return {
    append(event) {
      if (isClosed || !output.admits(event)) return;
      for (const complete of blocks.add(event)) keep(complete);
    },
    async readEvents(query = {}) {
      endBlocks();
      const found: StoredEvent[] = [];
      const limit = query.limit ?? Number.POSITIVE_INFINITY;
      for (const [index, event] of events.entries()) {
        if (found.length >= limit) break;
        const position = dropped + index + 1;
        if (matches(event, position, query)) found.push({ ...event, position });
      }
      return found;
    },
    async lastPosition() {
      endBlocks();
      return dropped + events.length;
    },
    async sessions() {
      endBlocks();
      return summaries(events);
    },
    health: () => ({ waiting: 0, dropped }),
    async collect({ beforeMs, dryRun }) {
      endBlocks();
      const old = events.findIndex(({ at }) => at >= beforeMs);
      const count = old === -1 ? events.length : old;
      const bytes = sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
      if (!dryRun) keepLatest(events.length - count);
      return { events: count, bytes };
    },
    async flush() {
      await Promise.resolve();
    },
    async close() {
      isClosed = true;
    },
  };
}

function matches(event: HaftEvent, position: number, query: EventQuery): boolean {
  if (query.sessionId !== undefined && event.sessionId !== query.sessionId) return false;
  if (query.fromSeq !== undefined && event.seq < query.fromSeq) return false;
  return query.after === undefined || position > query.after;
}

interface Building {
  events: number;
  readonly startedAt: number;
  endedAt: number;
  task?: string;
  status?: string | undefined;
}

function summaries(events: readonly HaftEvent[]): readonly SessionSummary[] {
  const bySession = new Map<string, Building>();
  for (const event of events) {
    const { sessionId } = event;
    if (sessionId === undefined) continue;
    const summary = bySession.get(sessionId) ?? {
      events: 0,
      startedAt: event.at,
      endedAt: event.at,
    };
    summary.events += 1;
    summary.endedAt = event.at;
    if (event.agentId === undefined && event.type === "run-start") {
      summary.task = event.task;
      summary.status = undefined;
    }
    if (event.agentId === undefined && event.type === "run-end") summary.status = event.status;
    // A Map keeps the position of a key: delete it first, so that the session with the latest events is last.
    bySession.delete(sessionId);
    bySession.set(sessionId, summary);
  }
  return [...bySession]
    .map(([sessionId, { status, ...rest }]) => ({
      sessionId,
      ...rest,
      ...(status === undefined ? {} : { status }),
    }))
    .toReversed();
}
