import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { identityOf, lookHere, mountPoints, type Looking } from "./path-identity.ts";
import { StandingPaths } from "./identity-cache.ts";

const names = Array.from({ length: 64 }, (_, index) => `entry${index}`);

let base: string;
const folder = () => path.join(base, "folder");
const at = (name: string) => path.join(folder(), name);

beforeEach(() => {
  base = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-standing-"));
  fill(folder());
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const places = () => [...names, "link", "missing"].map(at);

/** Half a minute later, so that recent changes count as old. */
const later: Looking = {
  ...lookHere,
  moment: () => {
    const { now, ...moment } = lookHere.moment();
    return { ...moment, now: now + 30_000 };
  },
};

/** Waits until a change gets a timestamp that differs from the directory's. */
function nextTime(): void {
  do writeFileSync(path.join(base, "clock"), "");
  while (changed(path.join(base, "clock")) <= changed(folder()));
}

function replaceByRename(name: string, make: (place: string) => void): void {
  make(path.join(base, "new"));
  rmSync(at(name), { recursive: true });
  renameSync(path.join(base, "new"), at(name));
}

const changes: readonly { readonly what: string; readonly change: () => void }[] = [
  {
    what: "a file by another that takes its name",
    change: () => {
      writeFileSync(path.join(base, "new"), "entry0");
      renameSync(path.join(base, "new"), at("entry0"));
    },
  },
  {
    what: "a file by a recreated one",
    change: () => {
      rmSync(at("entry0"));
      writeFileSync(at("entry0"), "entry0");
    },
  },
  {
    what: "a folder by another",
    change: () => replaceByRename("entry1", (place) => mkdirSync(place)),
  },
  {
    what: "a folder by a link",
    change: () => replaceByRename("entry1", (place) => symlinkSync(at("entry3"), place)),
  },
  {
    what: "a folder by a link to another that is away",
    change: () => {
      mkdirSync(path.join(base, "away"));
      replaceByRename("entry1", (place) => symlinkSync(path.join(base, "away"), place));
    },
  },
  {
    what: "two by each other",
    change: () => {
      renameSync(at("entry1"), at("passing"));
      renameSync(at("entry3"), at("entry1"));
      renameSync(at("passing"), at("entry3"));
    },
  },
  { what: "nothing by something", change: () => writeFileSync(at("missing"), "") },
  {
    what: "all of it, with the folder",
    change: () => {
      renameSync(folder(), path.join(base, "old"));
      fill(folder());
    },
  },
  {
    what: "all of it, by a link to another folder",
    change: () => {
      renameSync(folder(), path.join(base, "old"));
      fill(path.join(base, "other"));
      symlinkSync("other", folder());
    },
  },
  {
    what: "where a link leads",
    change: () => {
      rmSync(at("entry1"), { recursive: true });
      renameSync(at("entry3"), at("entry1"));
    },
  },
];

describe.each(changes)("$what is replaced", ({ change }) => {
  test("at once, in the same tick of the clock", () => {
    const standing = new StandingPaths(places());
    change();

    expect(standing.isSame()).toBe(false);
  });

  test("when it was found the same before", () => {
    const standing = new StandingPaths(places(), later);
    expect(standing.isSame()).toBe(true);
    nextTime();
    change();

    expect(standing.isSame()).toBe(false);
  });

  test("when it was found the same before, and times are set to what they were", () => {
    const standing = new StandingPaths(places(), later);
    expect(standing.isSame()).toBe(true);
    const { atime, mtime } = lstatSync(folder());
    nextTime();
    change();
    utimesSync(folder(), atime, mtime);

    expect(standing.isSame()).toBe(false);
  });
});

test("what is replaced again and again, just after it was looked at, is noticed each time", () => {
  for (let round = 0; round < 30; round += 1) {
    const standing = new StandingPaths(places());
    expect(standing.isSame()).toBe(true);
    writeFileSync(path.join(base, "new"), "");
    renameSync(path.join(base, "new"), at("entry10"));
    expect(standing.isSame()).toBe(false);
  }
});

test.for([
  { what: "what is in a folder", change: () => writeFileSync(path.join(at("entry1"), "in"), "") },
  { what: "what is in a file", change: () => writeFileSync(at("entry0"), "other") },
  { what: "who may do what", change: () => chmodSync(at("entry1"), 0o700) },
  { what: "times", change: () => utimesSync(at("entry0"), 1, 1) },
  { what: "another name", change: () => writeFileSync(at("neighbor"), "") },
  { what: "that it is there", change: () => rmSync(at("entry0"), { force: true }) },
  { what: "who may look at all of it", change: () => chmodSync(folder(), 0o755) },
])("a change of $what keeps the identity", ({ change }, { skip }) => {
  skip(lstatSync(at("entry0")).birthtimeMs === 0, "No time is kept at which a file was made.");
  for (const looking of [lookHere, later]) {
    const standing = new StandingPaths(places(), looking);
    expect(standing.isSame()).toBe(true);
    change();
    expect(standing.isSame()).toBe(true);
    expect(standing.isSame()).toBe(true);
  }
});

describe("a link of a folder that stays as it is", () => {
  test("which led nowhere is noticed when it leads to something", () => {
    symlinkSync(path.join(base, "away"), at("far"));
    const standing = new StandingPaths([...places(), at("far")], later);
    expect(standing.isSame()).toBe(true);
    writeFileSync(path.join(base, "away"), "");

    expect(standing.isSame()).toBe(false);
  });

  test("is still looked at when it leads nowhere for a while", () => {
    mkdirSync(path.join(base, "away"));
    writeFileSync(path.join(base, "away", "first"), "");
    symlinkSync(path.join(base, "away", "first"), at("far"));
    const standing = new StandingPaths([...places(), at("far")], later);
    renameSync(path.join(base, "away"), path.join(base, "hidden"));
    // Causes a full inspection while the link leads nowhere.
    writeFileSync(at("neighbor"), "");
    expect(standing.isSame()).toBe(true);
    mkdirSync(path.join(base, "away"));
    writeFileSync(path.join(base, "away", "first"), "other");

    expect(standing.isSame()).toBe(false);
  });
});

test("a path that cannot be inspected is distinguished from a missing one", () => {
  symlinkSync("round", at("round"));

  expect(lookHere.at(at("round"))).toEqual({ identity: undefined, isApart: true });
  expect(lookHere.at(path.join(at("entry0"), "below"))).toEqual({
    identity: undefined,
    isApart: true,
  });
  expect(lookHere.at(at("missing"))).toBeUndefined();
});

test("where no time is kept at which a file was made, one that changed is another", () => {
  const times = { birthtimeMs: 0, ctimeMs: 5 };
  const file = { dev: 1, ino: 2, ...times, isDirectory: () => false };
  const directory = { ...file, isDirectory: () => true };

  expect(identityOf({ ...file, ctimeMs: 6 })).not.toBe(identityOf(file));
  expect(identityOf({ ...file, ctimeMs: 0, birthtimeMs: 5 })).not.toBe(identityOf(file));
  expect(identityOf({ ...directory, ctimeMs: 6 })).toBe(identityOf(directory));
  expect(identityOf({ ...file, ctimeMs: 6, birthtimeMs: 5 })).toBe(
    identityOf({ ...file, birthtimeMs: 5 }),
  );
});

test("places where something is mounted are read with their blanks and other letters", () => {
  const mounts = [
    "22 27 0:21 / /proc rw,relatime - proc proc rw",
    String.raw`30 27 0:30 / /mnt/my\040disk\134one rw - ext4 /dev/sda1 rw`,
    Buffer.from("31 27 0:31 / /mnt/größe rw - ext4 /dev/sdb1 rw").toString("latin1"),
    "",
  ].join("\n");

  expect([...mountPoints(mounts)].slice(0, 3)).toEqual([
    "/proc",
    "/mnt/my disk\\one",
    "/mnt/größe",
  ]);
});

test.runIf(process.platform === "linux")(
  "this machine lists its mounts, and its clock advances",
  () => {
    const first = lookHere.moment();
    const second = lookHere.moment();

    expect(mountPoints(first.mounts ?? "")).toContain("/proc");
    expect(second.now).toBeGreaterThanOrEqual(first.now);
    expect(second.ahead.least).toBeLessThanOrEqual(second.ahead.most);
    expect(second.ahead.least).toBeGreaterThan(first.ahead.most - 1000);
  },
);

test("a folder is relied upon only by its own name, and none of the system's own", () => {
  symlinkSync(base, path.join(base, "other"));

  for (const each of [path.join(base, "other"), at("missing"), "/proc/self", "/proc"]) {
    expect(lookHere.isReliable(each)).toBe(false);
  }
});

test("only directories have a signature, and it changes when one of their names is replaced", () => {
  expect(lookHere.folder(at("entry0"))).toBeUndefined();
  expect(lookHere.folder(at("missing"))).toBeUndefined();
  const before = lookHere.folder(folder());
  nextTime();
  writeFileSync(path.join(base, "new"), "");
  renameSync(path.join(base, "new"), at("entry0"));

  expect(lookHere.folder(folder())?.text).not.toBe(before?.text);
});

function fill(place: string): void {
  mkdirSync(place);
  for (const [index, name] of names.entries()) {
    if (index % 2 === 0) writeFileSync(path.join(place, name), name);
    else mkdirSync(path.join(place, name));
  }
  symlinkSync("entry1", path.join(place, "link"));
}

function changed(file: string): bigint {
  return lstatSync(file, { bigint: true }).ctimeNs;
}
