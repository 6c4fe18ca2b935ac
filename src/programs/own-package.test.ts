import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { ownPackage, ownRipgrep } from "./own-package.ts";

const at = temporaryFolder("own-package");

function file(below: string): string {
  mkdirSync(path.dirname(at(below)), { recursive: true });
  writeFileSync(at(below), "{}");
  return at(below);
}

test("a package next to haft or below it is found, the nearest first", () => {
  const module = file("lib/node_modules/haft/dist/index.js");
  file("lib/node_modules/haft/package.json");
  file("lib/node_modules/tool/package.json");

  expect(ownPackage("tool", module)).toBe(at("lib/node_modules/tool"));

  file("lib/node_modules/haft/node_modules/tool/package.json");
  expect(ownPackage("tool", module)).toBe(at("lib/node_modules/haft/node_modules/tool"));
});

test("one in a directory above that does not hold haft is not", () => {
  const module = file("home/lib/haft/dist/index.js");
  file("home/lib/haft/package.json");
  file("home/node_modules/tool/package.json");

  expect(ownPackage("tool", module)).toBeUndefined();
});

test("the ripgrep binary does not depend on variables of npm", () => {
  const { npm_config_arch: before } = process.env;
  const expected = ownRipgrep();
  process.env["npm_config_arch"] = "x/../../../..";
  try {
    expect(ownRipgrep()).toBe(expected);
  } finally {
    if (before === undefined) delete process.env["npm_config_arch"];
    else process.env["npm_config_arch"] = before;
  }
});
