import { expect, test } from "vitest";
import type { HaftEvent, NewEvent } from "../../core/index.ts";
import { EventBus } from "./event-bus.ts";

const change: NewEvent = { type: "mode-change", mode: "plan" };

test("an event that nothing takes is not changed, and uses up its number", () => {
  const bus = new EventBus(undefined, () => 7);
  const heard: HaftEvent[] = [];
  let changes = 0;
  const counted = (event: NewEvent): NewEvent => {
    changes += 1;
    return event;
  };

  bus.emit(change, counted);
  const stop = bus.subscribe((event) => heard.push(event));
  bus.emit(change, counted);
  stop();
  bus.emit(change, counted);

  expect(changes).toBe(1);
  expect(heard).toEqual([{ ...change, seq: 2, at: 7 }]);
});

test("a log alone gets every event as it was changed", () => {
  const logged: HaftEvent[] = [];
  const bus = new EventBus({ append: (event) => void logged.push(event) }, () => 7);

  bus.emit(change, () => ({ type: "mode-change", mode: "default" }));

  expect(logged).toEqual([{ type: "mode-change", mode: "default", seq: 1, at: 7 }]);
});
