import { expect, test } from "vitest";
import type { PathTurn, PathTurns } from "../core/index.ts";
import { journalTurns } from "./turns.ts";

/** Turns that are granted when the test says so. */
function slowTurns() {
  const granted = Promise.withResolvers<PathTurn>();
  let taken = 0;
  const turns: PathTurns = {
    take: async () => await granted.promise,
    inside: (_, work) => work(),
    whyOff: () => undefined,
    close: () => undefined,
  };
  const grant = (): void => {
    taken += 1;
    granted.resolve({ wasLeft: false, release: () => (taken -= 1) });
  };
  return { turns, grant, taken: () => taken };
}

const wanted = { paths: ["/w/a"], what: "Write (a)" };

test.each(["release", "close"] as const)(
  "a turn that arrives after its call has ended is not kept: %s",
  async (end) => {
    const { turns, grant, taken } = slowTurns();
    const journal = journalTurns(turns, "1/a");
    const holding = journal.hold("a", wanted);

    if (end === "release") journal.release("a");
    else journal.close();
    grant();

    await expect(holding).rejects.toMatchObject({ code: "ABORTED" });
    expect({ taken: taken(), holds: journal.holds("a") }).toEqual({ taken: 0, holds: false });
  },
);

test("a turn that arrives while its call runs is kept until it ends", async () => {
  const { turns, grant, taken } = slowTurns();
  const journal = journalTurns(turns, "1/a");
  const holding = journal.hold("a", wanted);

  grant();
  await holding;

  expect(taken()).toBe(1);
  journal.release("a");
  expect(taken()).toBe(0);
});

test("all turns of a call are kept until it ends", async () => {
  const { turns } = slowTurns();
  const released: string[] = [];
  const named: PathTurns = {
    ...turns,
    take: async (paths) => ({ wasLeft: false, release: () => void released.push(...paths) }),
  };
  const journal = journalTurns(named, "1/a");
  await journal.hold("a", { paths: ["/w/a"], what: "Write (a)" });
  await journal.hold("a", { paths: ["/w/b"], what: "Write (a)" });

  expect(released).toEqual([]);
  journal.release("a");

  expect(released).toEqual(["/w/a", "/w/b"]);
});

test("the reason why calls do not wait is reported where they would have to", () => {
  const { turns } = slowTurns();
  const off = { ...turns, whyOff: () => "It cannot be used." };

  expect(journalTurns(off, "1/a").whyOff()).toBe("It cannot be used.");
  expect(journalTurns(turns, "1/a").whyOff()).toBeUndefined();
  // Without a name of its own it is the only program.
  expect(journalTurns(off, undefined).whyOff()).toBeUndefined();
});

test("a turn that an ended program has left is used once its work is complete", async () => {
  const order: string[] = [];
  const turns: PathTurns = {
    take: async () => ({ wasLeft: true, release: () => void order.push("released") }),
    inside: (_, work) => work(),
    whyOff: () => undefined,
    close: () => undefined,
  };
  const journal = journalTurns(turns, "1/a", async () => void order.push("recovered"));

  await journal.during(wanted, async () => void order.push("used"));

  expect(order).toEqual(["recovered", "used", "released"]);
});

test("a turn is given back where what an ended program has left cannot be completed", async () => {
  let released = 0;
  const turns: PathTurns = {
    take: async () => ({ wasLeft: true, release: () => void (released += 1) }),
    inside: (_, work) => work(),
    whyOff: () => undefined,
    close: () => undefined,
  };
  const journal = journalTurns(turns, "1/a", async () => {
    throw new Error("no space");
  });

  await expect(journal.hold("a", wanted)).rejects.toThrow("no space");
  expect({ released, holds: journal.holds("a") }).toEqual({ released: 1, holds: false });
});
