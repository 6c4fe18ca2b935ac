import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Looking, Standing } from "./path-identity.ts";
import { StandingPaths } from "./identity-cache.ts";

const names = Array.from({ length: 64 }, (_, index) => `entry${index}`);

/** A machine with one directory, on which nothing changes by itself. */
class FakeMachine implements Looking {
  readonly entries = new Map<string, Standing>();
  /** Paths that were inspected. */
  looked: string[] = [];
  moments = 0;
  reliable = true;
  stamp: string | undefined = "as it was";
  changedNs = 1_000_000_123n;
  mounts: string | undefined = "";
  /** Current time in milliseconds. */
  now = 60_000;
  /** Milliseconds since the machine started. */
  runs = 10_000;
  /** Milliseconds between reading the two clocks. */
  interruptedMs = 0;

  constructor() {
    for (const name of names) this.stand(name, "first");
  }

  stand(name: string, identity: string | undefined, isApart = false): void {
    this.entries.set(`/folder/${name}`, { identity, isApart });
  }

  at(place: string): Standing | undefined {
    this.looked.push(path.basename(place));
    return this.entries.get(place);
  }

  folder() {
    return this.stamp === undefined ? undefined : { text: this.stamp, changedNs: this.changedNs };
  }

  isReliable(): boolean {
    return this.reliable;
  }

  moment() {
    this.moments += 1;
    const most = this.now - this.runs;
    return {
      now: this.now,
      ahead: { least: most - this.interruptedMs, most },
      mounts: this.mounts,
    };
  }

  /** Moves time forward. */
  passes(ms: number): void {
    this.now += ms;
    this.runs += ms;
  }

  /** Inspected paths and answer of one more check. */
  asked(standing: StandingPaths): { readonly isSame: boolean; readonly looked: readonly string[] } {
    this.looked = [];
    const isSame = standing.isSame();
    return { isSame, looked: this.looked };
  }
}

const placesOf = (some: readonly string[]) => some.map((name) => `/folder/${name}`);
const nothing = { isSame: true, looked: [] };
const all = { isSame: true, looked: names };

describe("what is in a folder that says the same", () => {
  test("is not looked at again, however often it is asked for", () => {
    const machine = new FakeMachine();
    const standing = new StandingPaths(placesOf(names), machine);

    expect(machine.looked).toEqual(names);
    for (let count = 0; count < 3; count += 1) {
      machine.passes(1000);
      expect(machine.asked(standing)).toEqual(nothing);
    }
  });

  const doubts: readonly {
    readonly why: string;
    readonly change: (machine: FakeMachine) => void;
  }[] = [
    { why: "it says something else", change: (machine) => (machine.stamp += " changed") },
    { why: "it is gone", change: (machine) => (machine.stamp = undefined) },
    {
      why: "something was mounted",
      change: (machine) => (machine.mounts += "1 0 0:1 / /folder/x\n"),
    },
    { why: "nobody knows what is mounted", change: (machine) => (machine.mounts = undefined) },
    { why: "the clock was set back", change: (machine) => (machine.now -= 101) },
    { why: "the clock may have been set back", change: (machine) => (machine.interruptedMs = 101) },
  ];
  test.each(doubts)("is looked at again where $why", ({ change }) => {
    const machine = new FakeMachine();
    const standing = new StandingPaths(placesOf(names), machine);
    change(machine);
    expect(machine.asked(standing)).toEqual(all);

    change(machine);
    machine.stand("entry9", "another");
    expect(machine.asked(standing)).toMatchObject({ isSame: false });
  });

  test.each([
    { how: "a little back", change: (machine: FakeMachine) => (machine.now -= 100) },
    { how: "on", change: (machine: FakeMachine) => (machine.now += 5_000_000) },
  ])("is not looked at again where the clock was set $how", ({ change }) => {
    const machine = new FakeMachine();
    const standing = new StandingPaths(placesOf(names), machine);
    change(machine);

    expect(machine.asked(standing)).toEqual(nothing);
  });

  test.each([
    { times: "fine", changedNs: 60_000_000_001n, settledMs: 251 },
    { times: "coarse", changedNs: 60_000_000_000n, settledMs: 3001 },
  ])(
    "is looked at until its last change is past, with $times times",
    ({ changedNs, settledMs }) => {
      const machine = new FakeMachine();
      machine.changedNs = changedNs;
      const standing = new StandingPaths(placesOf(names), machine);
      machine.passes(settledMs - 1);
      expect(machine.asked(standing)).toEqual(all);
      machine.passes(1);
      expect(machine.asked(standing)).toEqual(all);

      expect(machine.asked(standing)).toEqual(nothing);
    },
  );

  const neverSure: readonly {
    readonly why: string;
    readonly set: (machine: FakeMachine) => void;
  }[] = [
    {
      why: "its last change is still to come",
      set: (machine) => (machine.changedNs = 90_000_000_000_001n),
    },
    { why: "nobody knows what is mounted", set: (machine) => (machine.mounts = undefined) },
    { why: "it says nothing", set: (machine) => (machine.stamp = undefined) },
    { why: "it cannot be relied upon", set: (machine) => (machine.reliable = false) },
  ];
  test.each(neverSure)("is looked at each time where $why", ({ set }) => {
    const machine = new FakeMachine();
    set(machine);
    const standing = new StandingPaths(placesOf(names), machine);

    for (let count = 0; count < 3; count += 1) expect(machine.asked(standing)).toEqual(all);
  });

  test("is looked at from then on once another stood there", () => {
    const machine = new FakeMachine();
    const standing = new StandingPaths(placesOf(names), machine);
    machine.stamp = "changed";
    machine.stand("entry63", "another");
    expect(machine.asked(standing).isSame).toBe(false);
    machine.stamp = "as it was";

    expect(machine.asked(standing).isSame).toBe(false);
  });

  test("is looked at where it is a link, or something is mounted on it", () => {
    const machine = new FakeMachine();
    machine.mounts =
      "1 0 0:1 / / rw\n2 1 0:2 / /folder/entry4 rw\n3 1 0:3 / /folder/entry5/in rw\n";
    machine.stand("entry2", "first", true);
    const standing = new StandingPaths(placesOf(names), machine);
    expect(machine.asked(standing)).toEqual({ isSame: true, looked: ["entry2", "entry4"] });
    machine.stand("entry4", "another");

    expect(machine.asked(standing)).toEqual({ isSame: false, looked: ["entry2", "entry4"] });
  });

  test("is looked at as a link from when it was found to be one", () => {
    const machine = new FakeMachine();
    const standing = new StandingPaths(placesOf(names), machine);
    machine.stamp = "changed";
    machine.stand("entry2", "first", true);
    expect(machine.asked(standing)).toEqual(all);
    machine.stand("entry2", "another", true);

    expect(machine.asked(standing)).toEqual({ isSame: false, looked: ["entry2"] });
  });
});

test("what could not be seen is looked at each time, and another once it can be", () => {
  const machine = new FakeMachine();
  machine.stand("entry2", undefined, true);
  const standing = new StandingPaths(placesOf(names), machine);
  expect(machine.asked(standing)).toEqual({ isSame: true, looked: ["entry2"] });
  machine.stand("entry2", "seen");

  expect(machine.asked(standing)).toEqual({ isSame: false, looked: ["entry2"] });
});

test("of a few places all are looked at each time, and the machine is asked for nothing else", () => {
  const machine = new FakeMachine();
  const few = names.slice(1);
  const standing = new StandingPaths(placesOf(few), machine);

  expect(machine.asked(standing)).toEqual({ isSame: true, looked: few });
  expect(machine.asked(standing)).toEqual({ isSame: true, looked: few });
  expect(machine.moments).toBe(0);
});

test("a path that is given twice is one, and the moment is the same for all folders", () => {
  const machine = new FakeMachine();
  const others = names.map((name) => `/other/${name}`);
  const standing = new StandingPaths([...placesOf(names), ...others, ...others], machine);

  expect(machine.looked).toHaveLength(128);
  expect(machine.asked(standing)).toEqual(nothing);
  expect(machine.moments).toBe(2);
});
