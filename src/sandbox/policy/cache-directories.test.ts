import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { cacheVariables, cachesIn } from "./cache-directories.ts";

const at = temporaryFolder("caches");

test("caches are directories, or links to them, that are there", async () => {
  for (const name of [".npm", "go/pkg", ".cargo/registry", "own"]) {
    mkdirSync(at(name), { recursive: true });
  }
  symlinkSync(at("own"), at(".cache"));
  writeFileSync(at(".yarn"), "");

  const found = cachesIn(at("")).map((each) => path.relative(at(""), each));

  expect(found).toEqual([".npm", ".cache", ".cargo/registry", "go/pkg"]);
});

const elsewhere = {
  npm_config_cache: "/t/npm",
  XDG_CACHE_HOME: "/t/cache",
  GOMODCACHE: "/t/gomod",
  GOFLAGS: "-modcacherw",
};

test("caches that are missing, or kept closed, are in the temporary directory", async () => {
  const root = process.getuid?.() === 0 ? { TAR_OPTIONS: "--no-same-owner" } : {};
  expect(cacheVariables(at(""), "/t", [])).toEqual({ ...elsewhere, ...root });

  for (const name of [".npm", "go/pkg", ".cache"]) mkdirSync(at(name), { recursive: true });

  expect(cacheVariables(at(""), "/t", [])).toEqual(root);
  expect(cacheVariables(at(""), "/t", [at(".npm")])).toEqual({
    npm_config_cache: "/t/npm",
    ...root,
  });
});

test("only root is told to leave owners alone", async () => {
  const { getuid } = process;
  try {
    process.getuid = () => 1000;
    expect(cacheVariables(at(""), "/t", [])).toEqual(elsewhere);
  } finally {
    if (getuid !== undefined) process.getuid = getuid;
  }
});
