import { OutputBudget } from "./output-budget.ts";
import type { HaftEvent } from "../core/index.ts";
import type { EventQuery, SessionLog, SessionSummary, StoredEvent } from "./session-log.ts";

export interface MemoryEventLogOptions {
  /** How many of the latest events are kept, at least. Default 10,000. */
  readonly maxEvents?: number;
  /** Characters of text in them, at most; then the older half goes. Default 20,000,000. */
  readonly maxChars?: number;
}

/** Characters of one call's streamed output that are kept: whoever wants more listens, or reads the artefact. */
const maxOutputChars = 65_536;

/** A log that lives as long as the program and keeps the latest events. */
export function memoryEventLog(options: MemoryEventLogOptions = {}): SessionLog {
  const maxEvents = options.maxEvents ?? 10_000;
  const maxChars = options.maxChars ?? 20_000_000;
  let events: HaftEvent[] = [];
  let chars = 0;
  let dropped = 0;
  let isClosed = false;
  const output = new OutputBudget(maxOutputChars);

  function keepLatest(count: number): void {
    dropped += events.length - count;
    events = count === 0 ? [] : events.slice(-count);
    chars = events.reduce((sum, event) => sum + charsOf(event), 0);
  }

  return {
    append(event) {
      if (isClosed || !output.admits(event)) return;
      events.push(event);
      chars += charsOf(event);
      // Cut rarely and by half, so that appending stays a push.
      if (events.length >= maxEvents * 2) keepLatest(maxEvents);
      while (chars > maxChars && events.length > 0) keepLatest(Math.floor(events.length / 2));
    },
    async readEvents(query = {}) {
      const found: StoredEvent[] = [];
      const limit = query.limit ?? Number.POSITIVE_INFINITY;
      for (const [index, event] of events.entries()) {
        if (found.length >= limit) break;
        const position = dropped + index + 1;
        if (matches(event, position, query)) found.push({ ...event, position });
      }
      return found;
    },
    async sessions() {
      return summaries(events);
    },
    health: () => ({ waiting: 0, dropped }),
    async flush() {
      await Promise.resolve();
    },
    async close() {
      isClosed = true;
    },
  };
}

/** Values looked at to weigh one event. */
const maxWeighed = 10_000;
const maxWeighedDepth = 200;

/**
 * Characters of the texts in an event that a model or a tool can make long, as far as they are looked through. Every
 * event comes by here: nothing is made anew, and what is always short is passed by.
 */
function charsOf(event: HaftEvent): number {
  const walk = { chars: 0, left: maxWeighed };
  if (event.type === "call-start") {
    weigh(event.call, walk, 0);
  } else if (event.type === "call-decided") {
    weigh(event.input, walk, 0);
    weigh(event.effects, walk, 0);
  } else if (event.type === "call-end") {
    const { content, text, structuredContent, title, summary, metadata, error } = event.outcome;
    walk.chars += text.length + title.length + summary.length;
    const [first] = content;
    if (content.length === 1 && first?.type === "text") walk.chars += first.text.length;
    else weigh(content, walk, 0);
    weigh(structuredContent, walk, 0);
    weigh(metadata, walk, 0);
    weigh(error, walk, 0);
  } else {
    weigh(event, walk, 0);
  }
  return walk.chars;
}

function weigh(value: unknown, walk: { chars: number; left: number }, depth: number): void {
  if (typeof value === "string") {
    walk.chars += value.length;
    return;
  }
  if (!isHolder(value) || depth > maxWeighedDepth) return;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    for (let index = 0; index < list.length && walk.left > 0; index += 1) {
      walk.left -= 1;
      weigh(list[index], walk, depth + 1);
    }
    return;
  }
  for (const key in value) {
    if (walk.left <= 0) return;
    walk.left -= 1;
    weigh(value[key], walk, depth + 1);
  }
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
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
    // A Map keeps the place of a key: put it last, as its events are the latest.
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
