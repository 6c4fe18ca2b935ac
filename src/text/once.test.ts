import { expect, test } from "vitest";
import { madeOnce } from "./once.ts";

test("what was made is made once, for all who ask at the same time as well", async () => {
  let made = 0;
  const get = madeOnce(async () => (made += 1));

  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

test("a failure is told to all who waited for it, and tried again by the next", async () => {
  let tries = 0;
  const get = madeOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error("no space");
    return tries;
  });

  const first = await Promise.allSettled([get(), get()]);

  expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([await get(), await get()]).toEqual([2, 2]);
});
