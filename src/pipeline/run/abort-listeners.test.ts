import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { shareStops, Stops } from "./abort-listeners.ts";

function signalOf(isShared: boolean): AbortController {
  const controller = new AbortController();
  if (isShared) shareStops(controller.signal);
  return controller;
}

describe.each([
  { isShared: false, left: 0 },
  { isShared: true, left: 1 },
])("an abort listener (one for all calls: $isShared)", ({ isShared, left }) => {
  test("is called once, immediately if the signal is already aborted, and not after it was removed", () => {
    const controller = signalOf(isShared);
    const stops = new Stops(controller.signal);
    const told: string[] = [];
    stops.keep();
    stops.add(() => told.push("first"));
    stops.add(() => {
      told.push("second");
      stops.add(() => told.push("during the abort"));
    });
    stops.add(() => told.push("gone"))();

    expect(stops.isAborted).toBe(false);
    controller.abort();
    controller.abort();
    stops.add(() => told.push("late"));

    expect(stops.isAborted).toBe(true);
    expect(told).toEqual(["first", "second", "during the abort", "late"]);
  });

  test("is called for each of several calls, and a closed call leaves none behind", () => {
    const controller = signalOf(isShared);
    const told: string[] = [];
    const [first, second, third] = ["first", "second", "third"].map((name) => {
      const stops = new Stops(controller.signal);
      stops.keep();
      return { stops, forget: stops.add(() => told.push(name)) };
    });
    second?.forget();
    second?.stops.close();

    controller.abort();
    first?.stops.close();
    third?.stops.close();

    expect(told).toEqual(["first", "third"]);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("is removed when its call ends", () => {
    const controller = signalOf(isShared);
    for (let call = 0; call < 3; call += 1) {
      const stops = new Stops(controller.signal);
      stops.keep();
      stops.add(() => undefined)();
      stops.close();
    }

    expect(getEventListeners(controller.signal, "abort")).toHaveLength(left);
  });

  test("one that was aborted before is known to be", () => {
    const controller = signalOf(isShared);
    controller.abort();
    const stops = new Stops(controller.signal);
    stops.keep();

    expect(stops.isAborted).toBe(true);
  });
});

test("is never called without a signal, and sharing twice is sharing once", () => {
  const stops = new Stops(undefined);
  stops.keep();
  stops.add(() => undefined)();
  const { signal } = new AbortController();
  shareStops(signal);
  shareStops(signal);

  expect([stops.isPossible, stops.isAborted]).toEqual([false, false]);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
});
