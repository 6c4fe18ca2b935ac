import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

/** Records names in the order in which their tickets got a slot. */
function line(slots: Slots): {
  readonly served: string[];
  readonly join: (name: string) => { release(): void };
} {
  const served: string[] = [];
  return {
    served,
    join(name) {
      const ticket = slots.ticket();
      const waits = ticket.take();
      if (waits === undefined) served.push(name);
      else void waits.then(() => served.push(name));
      return ticket;
    },
  };
}

async function settled(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

test("a caller that stops waiting leaves the line to the others, in their order", async () => {
  const { served, join } = line(new Slots(1));
  const first = join("first");
  const second = join("second");
  const third = join("third");
  join("fourth");

  second.release();
  first.release();
  await settled();
  expect(served).toEqual(["first", "third"]);
  third.release();
  await settled();

  expect(served).toEqual(["first", "third", "fourth"]);
});

test("a place is given back once, however often that is said", async () => {
  const { served, join } = line(new Slots(2));
  const first = join("first");
  join("second");
  join("third");
  join("fourth");

  first.release();
  first.release();
  await settled();

  expect(served).toEqual(["first", "second", "third"]);
});

test("a ticket takes one place, however often it is asked", () => {
  const slots = new Slots(2);
  const ticket = slots.ticket();
  void ticket.take();
  void ticket.take();
  const { served, join } = line(slots);

  join("other");

  expect(served).toEqual(["other"]);
});
