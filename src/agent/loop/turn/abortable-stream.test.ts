import { expect, test } from "vitest";
import { untilAborted } from "./abortable-stream.ts";

async function* numbers(cleanup: () => void): AsyncGenerator<number> {
  try {
    yield 1;
    yield 2;
    yield 3;
  } finally {
    cleanup();
  }
}

test("everything comes, in order, and the source is closed", async () => {
  let closed = 0;
  const seen: number[] = [];
  for await (const each of untilAborted(
    numbers(() => (closed += 1)),
    new AbortController().signal,
  )) {
    seen.push(each);
  }

  expect({ seen, closed }).toEqual({ seen: [1, 2, 3], closed: 1 });
});

test("a signal ends it with ABORTED and closes the source", async () => {
  const controller = new AbortController();
  let closed = 0;
  const seen: number[] = [];
  const reading = (async () => {
    for await (const each of untilAborted(
      numbers(() => (closed += 1)),
      controller.signal,
    )) {
      seen.push(each);
      controller.abort();
    }
  })();

  await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
  expect({ seen, closed }).toEqual({ seen: [1], closed: 1 });
});

test("a signal that has fired lets nothing through", async () => {
  const reading = untilAborted(
    numbers(() => undefined),
    AbortSignal.abort(),
  ).next();

  await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
});

test("a failure of the source comes through as it is", async () => {
  const broken: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        throw new RangeError("broken");
      },
    }),
  };

  await expect(untilAborted(broken, new AbortController().signal).next()).rejects.toThrow("broken");
});
