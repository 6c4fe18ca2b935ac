import { expect, test } from "vitest";
import { makeClock, systemClock, timerDelay } from "./clock.ts";

function countingClock(): {
  readonly pending: Set<() => void>;
  readonly clock: typeof systemClock;
} {
  const pending = new Set<() => void>();
  const timer = (_ms: number, callback: () => void): (() => void) => {
    pending.add(callback);
    return () => pending.delete(callback);
  };
  return { pending, clock: makeClock({ now: () => 0, timer }) };
}

test("an aborted sleep leaves no timer and a finished one no listener", async () => {
  const { pending, clock } = countingClock();
  const stop = new AbortController();
  const aborted = clock.sleep(1000, { signal: stop.signal });
  expect(pending.size).toBe(1);
  stop.abort();
  await expect(aborted).rejects.toMatchObject({ code: "ABORTED" });
  expect(pending.size).toBe(0);

  const later = new AbortController();
  const finished = clock.sleep(1000, { signal: later.signal });
  for (const callback of pending) callback();
  await finished;
  pending.clear();
  later.abort();
  expect(pending.size).toBe(0);
});

test("the machine's clock calls back once, after the time", async () => {
  const start = systemClock.now();
  let calls = 0;
  await new Promise<void>((resolve) => {
    systemClock.timer(20, () => {
      calls += 1;
      resolve();
    });
  });

  expect(calls).toBe(1);
  expect(systemClock.now() - start).toBeGreaterThanOrEqual(15);
});

test("a delay that no timer can keep is cut to the longest one", () => {
  expect(timerDelay(5)).toBe(5);
  expect(timerDelay(2 ** 31 - 1)).toBe(2 ** 31 - 1);
  expect(timerDelay(2 ** 31)).toBe(2 ** 31 - 1);
  expect(timerDelay(Number.POSITIVE_INFINITY)).toBe(2 ** 31 - 1);
});

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test.each([
  { options: undefined, count: 1, because: "a tool that hangs has nothing else that does" },
  { options: { keepsAlive: false }, count: 0, because: "it was not to" },
])("a timer keeps the program alive: $because", async ({ options, count }) => {
  const before = timers();
  const cancel = systemClock.timer(1_000_000, () => undefined, options);
  await new Promise((done) => {
    setImmediate(done);
  });
  const during = timers();
  cancel();

  expect(during - before).toBe(count);
});

test("timers that are canceled before they start leave the others, in any order", async () => {
  const fired: number[] = [];
  const cancels = [0, 1, 2, 3, 4].map((each) => systemClock.timer(1, () => fired.push(each)));
  for (const each of [0, 4, 0, 2]) cancels[each]?.();

  await systemClock.sleep(20);

  expect(new Set(fired)).toEqual(new Set([1, 3]));
});

test("a timer that is canceled after it started does not fire", async () => {
  const fired: string[] = [];
  const cancel = systemClock.timer(20, () => fired.push("late"));
  await new Promise((resolve) => setImmediate(resolve));
  const cancelNext = systemClock.timer(20, () => fired.push("next"));
  cancel();

  await systemClock.sleep(50);
  cancelNext();

  expect(fired).toEqual(["next"]);
});
