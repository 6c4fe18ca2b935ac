import { expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { artifactDirectory, sessionDirectory } from "./artifact-directory.ts";

test.each([
  { files: { "/data/artefacts/a.txt": "a" }, expected: "/data/artefacts", why: "an earlier one" },
  { files: { "/data/artifacts/a.txt": "a" }, expected: "/data/artifacts", why: "an earlier one" },
  { files: {}, expected: "/data/artifacts/one", why: "a new one" },
  {
    files: { "/data/artifacts/other/a.txt": "a" },
    expected: "/data/artifacts/one",
    why: "one of another workspace",
  },
  {
    files: { [`/data/artifacts/${sessionDirectory("s")}/a.txt`]: "a" },
    expected: "/data/artifacts",
    why: "an earlier one with outputs of a session",
  },
  {
    files: { "/data/artifacts/a.txt": "a", "/data/artifacts/one/b.txt": "b" },
    expected: "/data/artifacts/one",
    why: "one that has its own",
  },
])("artifacts in a data directory, $why: $expected", async ({ files, expected }) => {
  const { fs } = memoryHost({ files: { ...files } });

  expect(await artifactDirectory(fs, "/data", "one")).toBe(expected);
});

test("names of sessions that differ in any way have different directories, all of them safe", () => {
  const names = ["s", "S", "s ", "../s", "", "x".repeat(1000), "\u0000"].map(sessionDirectory);

  expect(new Set(names).size).toBe(7);
  for (const name of names) expect(name).toMatch(/^session-[\da-f]{32}$/u);
});
