import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, test } from "vitest";
import { sharedDirectories, unsharedFiles } from "../../vitest.config.ts";

/** Changes of a process that other test files in it would see. Vitest itself reverts `vi.stubEnv`. */
const changes =
  /\bleaveNothing\(|process\.chdir\(|process\.umask\([^)]|\bvi\.(?:mock|doMock|stubGlobal|resetModules)\(|TMPDIR["']?[\]\s]*[=,]/u;

function changers(files: readonly string[]): string[] {
  return files.filter((file) => changes.test(readFileSync(file, "utf8")));
}

test("files that share a process change nothing of it", () => {
  const patterns = sharedDirectories.map((name) => `test/${name}/**/*.ts`);

  expect(changers(globSync(patterns))).toEqual(unsharedFiles);
});

test("a file that changes TMPDIR, or has a temporary directory of its own, is found", () => {
  for (const text of [
    'vi.stubEnv("TMPDIR", at(""))',
    'process.env["TMPDIR"] = own',
    "leaveNothing();",
  ]) {
    expect(text).toMatch(changes);
  }
});
