import { globSync } from "tinyglobby";
import { expect, test } from "vitest";
import config, { changers, processChanges } from "../../vitest.config.ts";

test("every file that leaves nothing in a temporary directory of its own has a process of its own", () => {
  expect(changers).toContain("test/sandbox/escape.test.ts");
  expect(changers).not.toContain("test/docs/examples.test.ts");
  expect(globSync(changers)).toHaveLength(changers.length);
});

test.each([
  'vi.stubEnv("TMPDIR", at(""))',
  'process.env["TMPDIR"] = own',
  "leaveNothing();",
  "process.chdir(folder)",
  "process.umask(0o077)",
  'vi.mock("node:fs")',
  'vi.stubGlobal("fetch", fake)',
])("a file with %s changes its process", (line) => {
  expect(line).toMatch(processChanges);
});

test("reading the umask changes nothing", () => {
  expect("process.umask()").not.toMatch(processChanges);
});

test("no project has an exclude of its own, which would replace the one of the command line", () => {
  const projects = config.test?.projects ?? [];

  expect(projects).toHaveLength(4);
  for (const project of projects) expect(project).not.toHaveProperty("test.exclude");
});
