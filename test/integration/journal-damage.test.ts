import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { createToolkit, ToolError, type Kit } from "../../src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// After any damage to the files that haft keeps, each earlier call can be undone exactly or the damage is reported, no
// file gets a content it never had, and new calls work. HAFT_DAMAGE says how many corruptions are tried.

const rounds = Number(process.env["HAFT_DAMAGE"] ?? 25);
const at = temporaryFolder("damage");
const large = `${"a line of a large file ".repeat(70)}\n`.repeat(60);
const files = { a: "a0\n", b: "b0\n", c: "c0\n", big: `0${large}` };

interface Step {
  readonly callId: string;
  readonly path: string;
  /** Content before the call; undefined for nothing. */
  readonly before: string | undefined;
}

const writes: readonly (readonly [string, string])[] = [
  ["a", "a1\n"],
  ["big", `1${large}`],
  ["new", "made\n"],
  ["b", "b1\n"],
  ["big", `2${large}`],
  ["a", "a2\n"],
];

let steps: readonly Step[] = [];

async function openKit(): Promise<Kit> {
  return await createToolkit({
    workspace: at("ws"),
    dataDirectory: at("data"),
    mode: "acceptEdits",
    sandbox: { require: "off", overlay: "off" },
  });
}

function textOf(name: string): string | undefined {
  const file = path.join(at("ws"), name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

async function write(kit: Kit, name: string, content: string): Promise<string> {
  const file = path.join(at("ws"), name);
  if (existsSync(file)) await kit.call({ name: "Read", input: { file_path: file } });
  const outcome = await kit.call({ name: "Write", input: { file_path: file, content } });
  expect([outcome.status, outcome.text]).toEqual(["ok", expect.not.stringContaining("INTERNAL")]);
  return outcome.undo?.callId ?? "";
}

/** Calls that changed files, some of them twice, the last one undone and redone. */
beforeEach(async () => {
  mkdirSync(at("ws"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(at("ws"), name), text);
  const kit = await openKit();
  const made: Step[] = [];
  for (const [name, content] of writes) {
    const before = textOf(name);
    made.push({ callId: await write(kit, name, content), path: name, before });
  }
  await kit.undo({ last: 1 });
  await kit.redo();
  await kit.dispose();
  steps = made;
  for (const name of ["ws", "data"]) cpSync(at(name), at(`${name}0`), { recursive: true });
});

function restore(): void {
  for (const name of ["ws", "data"]) {
    rmSync(at(name), { recursive: true, force: true });
    cpSync(at(`${name}0`), at(name), { recursive: true, preserveTimestamps: true });
  }
}

/** Every file that haft keeps. */
function keptFiles(folder = at("data0")): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

const kinds = [
  "flip",
  "flips",
  "cut",
  "cut lines",
  "empty",
  "garbage",
  "overwrite",
  "delete",
  "directory",
  "link",
  "insert",
  "repeat",
] as const;

interface Damage {
  readonly kind: (typeof kinds)[number];
  /** Which file, and where in it, as a share. */
  readonly file: number;
  readonly place: number;
  readonly bytes: Uint8Array;
}

function inflict({ kind, file, place, bytes }: Damage): string {
  const all = keptFiles();
  // Half of them hit what undo needs most.
  const logs = all.filter((each) => /^journal\/(?:log|calls|blobs)\//u.test(each));
  const among = file < 0.5 ? logs : all;
  const name = among[Math.floor(((file * 2) % 1) * among.length)] ?? "";
  const target = path.join(at("data"), name);
  const content = readFileSync(target);
  const offset = Math.floor(place * content.length);
  switch (kind) {
    case "flip":
      flip(content, offset, bytes[0] ?? 0);
      break;
    case "flips":
      for (const [index, byte] of bytes.entries()) flip(content, offset + index * 97, byte);
      break;
    case "cut":
      writeFileSync(target, content.subarray(0, offset));
      return `${kind} ${name} at ${offset}`;
    case "cut lines": {
      const end = content.lastIndexOf("\n", offset) + 1;
      writeFileSync(target, content.subarray(0, end));
      return `${kind} ${name} at ${end}`;
    }
    case "empty":
      writeFileSync(target, "");
      return `${kind} ${name}`;
    case "garbage":
      writeFileSync(target, Buffer.concat(Array.from({ length: 50 }, () => bytes)));
      return `${kind} ${name}`;
    case "overwrite":
      content.set(bytes.subarray(0, Math.max(0, content.length - offset)), offset);
      break;
    case "delete":
      rmSync(target);
      return `${kind} ${name}`;
    case "directory":
      rmSync(target);
      mkdirSync(target);
      return `${kind} ${name}`;
    case "link":
      rmSync(target);
      symlinkSync(path.join(at("ws"), "c"), target);
      return `${kind} ${name}`;
    case "insert":
      writeFileSync(
        target,
        Buffer.concat([content.subarray(0, offset), bytes, content.subarray(offset)]),
      );
      return `${kind} ${name} at ${offset}`;
    case "repeat":
      writeFileSync(target, Buffer.concat([content, content.subarray(offset)]));
      return `${kind} ${name} from ${offset}`;
  }
  writeFileSync(target, content);
  return `${kind} ${name} at ${offset}`;
}

function flip(content: Buffer, offset: number, by: number): void {
  if (content.length === 0) return;
  const place = offset % content.length;
  content[place] = (content[place] ?? 0) ^ (1 << (by % 8));
}

/** Texts of the doctor's checks of undo. */
async function reportOf(kit: Kit): Promise<readonly string[]> {
  const { checks } = await kit.doctor();
  return checks.flatMap(({ name, state, text }) =>
    name === "journal" && state !== "ok" ? [text] : [],
  );
}

async function undoes(kit: Kit, step: Step): Promise<string | undefined> {
  try {
    await kit.undo({ call: step.callId });
    expect(textOf(step.path)).toBe(step.before);
    return undefined;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    expect(error.code).not.toBe("INTERNAL");
    return `${error.code}: ${error.message}`;
  }
}

/** Whether a file has one of the contents it had at some time. */
function isKnown(name: string): boolean {
  const known = [
    Reflect.get(files, name),
    ...writes.flatMap(([written, text]) => (written === name ? [text] : [])),
  ];
  return known.includes(textOf(name));
}

async function survives(what: string): Promise<{ lost: number; reported: number }> {
  const kit = await openKit();
  try {
    const entries = await kit.history();
    const report = await reportOf(kit);
    const told = [...report, ...entries.flatMap(({ damaged }) => damaged ?? [])];
    const after = await write(kit, "after", what);
    await kit.undo({ call: after });
    expect([what, textOf("after")]).toEqual([what, undefined]);
    let lost = 0;
    for (const step of steps.toReversed()) {
      const failure = await undoes(kit, step);
      if (failure === undefined) continue;
      lost += 1;
      expect({ what, failure, told }).not.toMatchObject({ told: [] });
    }
    const strange = ["a", "b", "big", "new"].filter((name) => !isKnown(name));
    expect({ what, strange, c: textOf("c") }).toEqual({ what, strange: [], c: files.c });
    return { lost, reported: told.length };
  } finally {
    await kit.dispose();
  }
}

test("without damage every call can be undone, and nothing is reported", async () => {
  expect(await survives("nothing")).toEqual({ lost: 0, reported: 0 });
});

test(
  "whatever is damaged, calls are undone exactly or the damage is reported, and new calls work",
  { timeout: 20_000 + rounds * 5000 },
  async () => {
    let lost = 0;
    const share = fc.integer({ min: 0, max: 999_999 }).map((of) => of / 1_000_000);
    const damage = fc.record({
      kind: fc.constantFrom(...kinds),
      file: share,
      place: share,
      bytes: fc.uint8Array({ minLength: 8, maxLength: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.noBias(damage), async (given) => {
        restore();
        const what = inflict(given);
        lost += (await survives(what)).lost;
      }),
      { numRuns: rounds, endOnFailure: true },
    );
    // Some of it does harm: else this shows nothing.
    expect(lost).toBeGreaterThan(rounds / 4);
  },
);

test("where its folder is removed in the middle of a session, undo starts again and the answer says so", async () => {
  const kit = await openKit();
  try {
    await write(kit, "a", "a3\n");
    rmSync(at("data"), { recursive: true });
    const call = async (name: string): Promise<string> =>
      (await kit.call({ name: "Write", input: { file_path: name, content: "x" } })).text;

    const [first, second] = [await call("one"), await call("two")];

    const told = "(The files that undo needs were removed: undo starts again from here.)";
    expect([first.includes(told), second.includes(told)]).toEqual([true, false]);
    expect((await kit.history()).map(({ changes }) => changes.length)).toEqual([1, 1]);
    await kit.undo({ last: 2 });
    expect([textOf("one"), textOf("two"), textOf("a")]).toEqual([undefined, undefined, "a3\n"]);
  } finally {
    await kit.dispose();
  }
});

test("where the log is cut in the middle of a session, the next call is kept and the answer says so", async () => {
  const kit = await openKit();
  try {
    await write(kit, "a", "a3\n");
    const [log = ""] = keptFiles(at("data")).filter((name) => name.startsWith("journal/log/"));
    truncateSync(path.join(at("data"), log), 40);
    const outcome = await kit.call({ name: "Write", input: { file_path: "one", content: "x" } });

    expect(outcome.text).toContain("haft doctor says what is lost");
    const [newest, ...lost] = await kit.history();
    expect(newest).not.toHaveProperty("damaged");
    expect(lost.length).toBeGreaterThan(5);
    expect(lost.filter(({ damaged }) => damaged === undefined)).toEqual([]);
    await kit.undo();
    expect(textOf("one")).toBeUndefined();
    await expect(kit.undo()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/its record in the journal is damaged\.$/u),
    });
  } finally {
    await kit.dispose();
  }
});
