import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { ToolError } from "../../../core/index.ts";
import { LocalFs } from "../local-fs.ts";

const fs = new LocalFs();
const at = temporaryFolder("racing");
const size = 2_000_000;
const rounds = 24;
const roundMs = 0.25;

const others: readonly {
  readonly name: string;
  readonly act: (path: string) => void;
  readonly end: string;
}[] = [
  {
    name: "writes into it",
    end: "STALE_READ",
    act: (path) => {
      const file = openSync(path, "r+");
      writeSync(file, "b", 0);
      closeSync(file);
    },
  },
  {
    name: "puts another one in its place",
    end: "STALE_READ",
    act: (path) => {
      writeFileSync(`${path}.other`, `b${"a".repeat(size - 1)}`);
      renameSync(`${path}.other`, path);
    },
  },
  // The second comparison finds the same content.
  { name: "only touches it", end: "written", act: (path) => utimesSync(path, 2, 2) },
];

test.each(others)(
  "nothing is lost of who $name while a large file is compared",
  async ({ act, end: expected }) => {
    const path = at("large");
    let met = 0;
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(path, "a".repeat(size));
      // This change cannot be distinguished from one within the same tick of the clock.
      utimesSync(path, 1, 1);
      const { hash } = await fs.readFile(path);
      const begun = Promise.withResolvers<void>();
      let isOver = false;
      const writing = fs
        .writeAtomic(path, Buffer.alloc(size, "c"), {
          ifMatch: hash,
          hold: async (draft) => {
            begun.resolve();
            await draft.flush();
          },
        })
        .then(() => "written", codeOf)
        .finally(() => (isOver = true));
      await begun.promise;
      await passed(round * roundMs);
      const isMet = !isOver;
      if (isMet) act(path);
      const end = await writing;

      met += isMet ? 1 : 0;
      const first = readFileSync(path, "latin1").slice(0, 1);
      expect({ round, end, first }).toEqual(
        isMet && expected === "STALE_READ"
          ? { round, end: expected, first: "b" }
          : { round, end: "written", first: "c" },
      );
    }
    expect(met).toBeGreaterThan(0);
  },
);

test("who is at a large file without end is not waited for, nor overwritten", async () => {
  const path = at("restless");
  const content = "a".repeat(100_000);
  writeFileSync(path, content);
  const { hash } = await fs.readFile(path);
  const writing = fs
    .writeAtomic(path, Buffer.alloc(100_000, "c"), { ifMatch: hash })
    .then(() => "written", codeOf);
  // Creates another file each time, however coarse the clock is.
  const replacing = async (): Promise<undefined> => {
    writeFileSync(`${path}.other`, content);
    renameSync(`${path}.other`, path);
    await passed(0);
    return undefined;
  };
  let end: string | undefined;
  do end = await Promise.race([replacing(), writing]);
  while (end === undefined);

  expect(end).toBe("UNAVAILABLE");
  expect(readFileSync(path, "latin1")).toBe(content);
});

function codeOf(error: unknown): string {
  return ToolError.is(error) ? error.code : "?";
}

/** Lets other tasks run in the meantime. */
async function passed(ms: number): Promise<void> {
  const start = performance.now();
  do {
    await new Promise((done) => {
      setImmediate(done);
    });
  } while (performance.now() - start < ms);
}
