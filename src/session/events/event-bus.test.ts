import { expect, test } from "vitest";
import type { HaftEvent, NewEvent } from "../../core/index.ts";
import { EventBus, type EventFilter } from "./event-bus.ts";

const change: NewEvent = { type: "mode-change", mode: "plan" };

function filterWith(event: EventFilter["event"]): EventFilter {
  return { event, text: () => ({ push: (text) => text, end: () => "" }) };
}

test("an event that nothing takes is not changed, and uses up its number", () => {
  let changes = 0;
  const filter = filterWith((event) => {
    changes += 1;
    return event;
  });
  const bus = new EventBus({ log: undefined, now: () => 7, filter });
  const heard: HaftEvent[] = [];

  bus.emit(change);
  const stop = bus.subscribe((event) => heard.push(event));
  bus.emit(change);
  stop();
  bus.emit(change);

  expect(changes).toBe(1);
  expect(heard).toEqual([{ ...change, seq: 2, at: 7 }]);
});

test("a log alone gets every event as it was changed", () => {
  const logged: HaftEvent[] = [];
  const bus = new EventBus({
    log: { append: (event) => void logged.push(event) },
    now: () => 7,
    filter: filterWith(() => ({ type: "mode-change", mode: "default" })),
  });

  bus.emit(change);

  expect(logged).toEqual([{ type: "mode-change", mode: "default", seq: 1, at: 7 }]);
});

/** Withholds the latest character, as a filter does that waits for more text. */
function withholding(): EventFilter {
  return {
    event: (event) => event,
    text: () => {
      let held = "";
      return {
        push(text) {
          const all = held + text;
          held = all.slice(-1);
          return all.slice(0, -1);
        },
        end: () => held,
      };
    },
  };
}

function heardOf(events: readonly NewEvent[]): readonly string[] {
  const heard: string[] = [];
  const bus = new EventBus({ log: undefined, now: () => 0, filter: withholding() });
  bus.subscribe((event) =>
    heard.push(event.type === "model-text" ? `${event.runId}:${event.text}` : event.type),
  );
  for (const event of events) bus.emit(event);
  return heard;
}

const text = (piece: string, runId = "r"): NewEvent => ({
  type: "model-text",
  sessionId: "s",
  runId,
  turn: 1,
  text: piece,
});
const usage = { input: 1, output: 1 };

test("the withheld end of a text is shown when its turn ends, before the event that ends it", () => {
  expect(
    heardOf([
      text("a"),
      text("bc"),
      text("x", "other"),
      { type: "turn-end", sessionId: "s", runId: "r", turn: 1, finish: "stop", usage },
    ]),
  ).toEqual(["r:ab", "r:c", "turn-end"]);
});

test("an event of something else in the session does not end a text", () => {
  const taskOutput: NewEvent = {
    type: "call-output",
    sessionId: "s",
    callId: "c",
    text: "tick",
    stream: "stdout",
  };

  expect(heardOf([text("ab"), taskOutput, text("cd")])).toEqual(["r:a", "call-output", "r:bc"]);
});

test("a call of the same agent ends its text", () => {
  expect(
    heardOf([text("ab"), { type: "call-start", sessionId: "s", callId: "c", call: { name: "X" } }]),
  ).toEqual(["r:a", "r:b", "call-start"]);
});
