import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

test("a wait ends by itself", async () => {
  await expect(systemClock.sleep(0)).resolves.toBeUndefined();
});

test.each([
  { name: "before it began", abortFirst: true },
  { name: "in its middle", abortFirst: false },
])("a wait aborted $name rejects at once", async ({ abortFirst }) => {
  const controller = new AbortController();
  if (abortFirst) controller.abort();
  const waiting = systemClock.sleep(60_000, { signal: controller.signal });
  controller.abort();

  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
});

test("a timer calls back once, unless it was cancelled", async () => {
  const called: string[] = [];
  const cancel = systemClock.timer(0, () => called.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => {
    systemClock.timer(0, () => {
      called.push("kept");
      resolve();
    });
  });

  expect(called).toEqual(["kept"]);
});

test("a wait of years is not shortened to one of two milliseconds", async () => {
  const called: string[] = [];
  const cancel = systemClock.timer(2 ** 40, () => called.push("years"));
  await systemClock.sleep(2);
  cancel();

  expect(called).toEqual([]);
});
