import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { statOf } from "./tree-names.ts";

const at = temporaryFolder("tree-names");

test("nothing exists below a file, as little as in a folder without it", () => {
  writeFileSync(at("file"), "");
  mkdirSync(at("folder"));

  expect(statOf(at("file"))?.isFile()).toBe(true);
  expect(statOf(at("file/below"))).toBeUndefined();
  expect(statOf(at("folder/missing"))).toBeUndefined();
});
