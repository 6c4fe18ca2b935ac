import { globSync } from "tinyglobby";
import { expect, test } from "vitest";
import config, { changers, processChanges } from "../../vitest.config.ts";

test("every file that changes its process for good has one of its own", () => {
  expect(changers).toContain("src/sandbox/overlay/staging.test.ts");
  expect(changers).not.toContain("test/docs/examples.test.ts");
  expect(globSync(changers)).toHaveLength(changers.length);
});

test.each([
  'vi.stubEnv("TMPDIR", at(""))',
  'process.env["TMPDIR"] = own',
  "process.chdir(folder)",
  "process.umask(0o077)",
  'vi.mock("node:fs")',
  'vi.stubGlobal("fetch", fake)',
])("a file with %s changes its process", (line) => {
  expect(line).toMatch(processChanges);
});

test.each(["process.umask()", "leaveNothing();"])("a file with %s shares a process", (line) => {
  expect(line).not.toMatch(processChanges);
});

test("no project has an exclude of its own, which would replace the one of the command line", () => {
  const projects = config.test?.projects ?? [];

  expect(projects).toHaveLength(4);
  for (const project of projects) expect(project).not.toHaveProperty("test.exclude");
});
