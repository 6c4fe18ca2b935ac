import { writeFile } from "node:fs/promises";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cliWorld, haft, type CliWorld, type Ended } from "../support/cli.ts";

const verbs = [
  "call",
  "tools",
  "explain",
  "permissions",
  "trust",
  "history",
  "diff",
  "undo",
  "redo",
  "tasks",
  "gc",
  "sandbox",
];

/** Words that no verb can do anything with, or that one may take for what it is not. */
const words = [
  "--nope",
  "-Z",
  "--mode",
  "--mode=",
  "plan",
  "-C",
  "--add-dir=",
  "--data-dir=",
  "/nonexistent",
  "FILE",
  "--allow",
  "((((",
  "--deny=",
  "--confine=x",
  "--json",
  "--yes=maybe",
  "--help=1",
  "--to",
  "--force",
  "--",
  "-",
  "",
  "0",
  "-1",
  "1.5",
  "1e400",
  "99999999999999999999",
  "Read",
  "Nope",
  "file_path",
  "file_path=a.txt",
  "file_path:=[",
  "limit:=1e999",
  '{"file_path":',
  '{"a":'.repeat(5000),
  "__proto__=1",
  "../../etc/passwd",
  "a\0b",
  "\uFFFD\uD800",
  "x".repeat(10_000),
  "stop",
  "show",
  "add",
  "remove",
];

/** The codes that help lists. */
const documented: readonly number[] = [0, 1, 2, 3, 4, 124, 130];

/** Fault in how a command line ended; undefined where there is none. */
function faultOf({ code, out, err }: Ended): string | undefined {
  const said = out + err;
  if (/fault in haft|INTERNAL|\n\s+at .*:\d+|node:internal/u.test(said)) return said.slice(0, 500);
  // A program that ran in the sandbox chooses its own exit code.
  if (!documented.includes(code) && !err.includes("sandbox:")) return `code ${code}: ${said}`;
  if (code !== 0 && said.trim() === "") return `code ${code} without a message`;
  return code === 2 && err.trim().split("\n").length > 6 ? `too much: ${err}` : undefined;
}

async function end(line: readonly string[], world: CliWorld): Promise<string | undefined> {
  const file = path.join(world.folder, "file");
  const given = line.map((word) => (word === "FILE" ? file : word));
  const fault = faultOf(await haft(given, { world, stdin: "{" }));
  return fault === undefined ? undefined : `haft ${given.join(" ").slice(0, 200)}: ${fault}`;
}

test("every verb says what is wrong with every word, and how to go on", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  await writeFile(path.join(world.folder, "file"), "x");
  const faults: (string | undefined)[] = [];

  for (const verb of verbs) {
    for (const word of words) faults.push(await end([verb, word], world));
  }

  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
}, 60_000);

test("whatever a line holds, it ends with a documented code and no stack", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  await writeFile(path.join(world.folder, "file"), "x");
  const line = fc.tuple(
    fc.constantFrom(...verbs, "run", "nope", ""),
    fc.array(fc.constantFrom(...words), { maxLength: 4 }),
  );

  const law = fc.asyncProperty(line, async ([verb, rest]) => {
    expect(await end([verb, ...rest], world)).toBeUndefined();
  });

  await fc.assert(law, { seed: 14, numRuns: 150 });
}, 60_000);

test.each([
  {
    line: ["undo", "99999999999999999999"],
    says: "99999999999999999999 is too large a number.",
  },
  { line: ["history", "-C", ""], says: "--workspace is empty." },
  { line: ["history", "--data-dir="], says: "--data-dir is empty." },
  ...["/proc/x", "/sys/x", "/dev/x/y"].map((place) => ({
    line: ["call", "Read", "file_path=a.txt", "--data-dir", place],
    says: `The data directory ${place} is in a file system of the kernel, which stores no files.`,
  })),
  { line: ["call", "Read", "file_path=a.txt", "--add-dir", ""], says: "--add-dir is empty." },
])("haft $line: $says", async ({ line, says }) => {
  await using world = await cliWorld({ "a.txt": "one\n" });

  const { code, err } = await haft(line, { world });

  expect(code).toBe(2);
  expect(err.split("\n")[0]).toBe(`haft: ${says}`);
  expect(err.split("\n")[1]).toMatch(/\.$/u);
});
