import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import path from "node:path";
import { expect, test } from "vitest";
import {
  crowdedFolders,
  eagerPackages,
  importCircles,
  importsOf,
  joinedBy,
  joiningFile,
  layerOf,
  logicIn,
  namedIn,
  smallParts,
  sourceFile,
  type SourceFile,
} from "./imports.ts";
import { protectedPaths } from "../../src/core/tables/protected-paths.ts";
import { secretFamilies } from "../../src/core/tables/secret-paths.ts";
import {
  coreLogic,
  crowded,
  eager,
  fragments,
  joiners,
  layers,
  maxFolderFiles,
  maxFragmentLines,
  maxNamedPaths,
  minJoined,
  pathLists,
} from "./layers.ts";

const files = globSync("src/**/*.ts", { ignore: ["**/*.test*.ts"] });
const allowed = new Map<string, readonly string[]>(Object.entries(layers));

test("every folder under src is a declared layer", () => {
  expect(files.map(layerOf).filter((layer) => !allowed.has(layer))).toEqual([]);
});

test("a layer imports only the layers below it", () => {
  const violations = files.flatMap(importsOf).flatMap(({ from, specifier }) => {
    if (!specifier.startsWith(".")) return [];
    const own = layerOf(from);
    const target = layerOf(path.join(path.dirname(from), specifier));
    return target === own || allowed.get(own)?.includes(target) ? [] : [`${from} -> ${specifier}`];
  });

  expect(violations).toEqual([]);
});

test("another layer is imported by its index, never by a file behind it", () => {
  const violations = files.flatMap(importsOf).flatMap(({ from, specifier }) => {
    if (!specifier.startsWith(".")) return [];
    const target = path.join(path.dirname(from), specifier);
    const isPublic = ["entries", "index"].includes(layerOf(target));
    if (isPublic || layerOf(from) === layerOf(target)) return [];
    return path.basename(target) === "index.ts" ? [] : [`${from} -> ${specifier}`];
  });

  expect(violations).toEqual([]);
});

test("no files import each other in a loop, types included", () => {
  const others = globSync(["bench/**/*.ts", "scripts/**/*.ts"], { ignore: ["**/*.test.ts"] });

  expect(importCircles([...files, ...others])).toEqual([]);
});

test("no folder holds more source files than one can keep in view", () => {
  const found = crowdedFolders(files, maxFolderFiles).filter(
    (folder) => crowded[folder.split(" ")[0] ?? ""] === undefined,
  );

  expect(found).toEqual([]);
});

test("a folder with one file too many is found, and tests are not counted", () => {
  const names = Array.from({ length: maxFolderFiles }, (_, index) => `src/a/${index}.ts`);
  const tests = names.map((name) => name.replace(".ts", ".test.ts"));

  expect(crowdedFolders([...names, ...tests, "src/a/b/c.ts"], maxFolderFiles)).toEqual([]);
  expect(crowdedFolders([...names, "src/a/more.ts"], maxFolderFiles)).toEqual([
    `src/a ${maxFolderFiles + 1}`,
  ]);
});

test("a short file with one importer is a part of it, or has a reason not to be", () => {
  const found = smallParts(files.map(sourceFile), maxFragmentLines);

  expect(found.filter((file) => !(file in fragments))).toEqual([]);
  expect(Object.keys(fragments).filter((file) => !found.includes(file))).toEqual([]);
});

function at(
  file: string,
  imports: readonly string[],
  lazyImports: readonly string[] = [],
): SourceFile {
  return { file, lines: 40, imports, lazyImports };
}

test("a short file with one importer is found, one with two or loaded later is not", () => {
  const rest = [at("a/index.ts", ["a/shown.ts"]), at("a/shown.ts", [])];

  expect(smallParts([at("a/b.ts", ["a/c.ts"]), at("a/c.ts", []), ...rest], 40)).toEqual(["a/c.ts"]);
  expect(smallParts([at("a/b.ts", ["a/c.ts"]), at("a/c.ts", [])], 39)).toEqual([]);
  expect(smallParts([at("a/b.ts", [], ["a/c.ts"]), at("a/c.ts", [])], 40)).toEqual([]);
  const both = [at("a/b.ts", ["a/c.ts"]), at("a/d.ts", ["a/c.ts"]), at("a/c.ts", [])];
  expect(smallParts(both, 40)).toEqual([]);
});

test("kit only wires: each file of it joins layers or other files of it", () => {
  const found = files.filter(
    (file) => layerOf(file) === "kit" && joinedBy(joiningFile(file)) < minJoined,
  );

  expect(found).toEqual(Object.keys(joiners).toSorted());
});

test("a file that is about one layer is found, one that joins two is not", () => {
  const file = "src/kit/a.ts";
  const none = { file, imports: [], lazyImports: [], typeImports: [] };
  const own = "src/kit/options.ts";
  const [core, policy] = ["src/core/index.ts", "src/policy/index.ts"];

  expect(joinedBy(none)).toBe(0);
  expect(joinedBy({ ...none, imports: [core, core] })).toBe(1);
  expect(joinedBy({ ...none, imports: [policy, own], typeImports: [own] })).toBe(1);
  expect(joinedBy({ ...none, imports: [policy, own] })).toBe(2);
  expect(joinedBy({ ...none, imports: [core], lazyImports: [policy] })).toBe(2);
});

test("core holds types and tables, and the few functions that these need", () => {
  const found = files.filter(
    (file) => layerOf(file) === "core" && logicIn(file, readFileSync(file, "utf8")).length > 0,
  );

  expect(found).toEqual(Object.keys(coreLogic).toSorted());
});

test("functions and classes are found, types and tables are not", () => {
  const text = `export function a() {}
class B {}
export const c = () => 1, d = [() => 1];
export interface E {}
export declare const f: 1;
export type { G } from "./g.ts";`;

  expect(logicIn("a.ts", text)).toEqual(["a", "B", "c"]);
});

const secrets = Object.values(secretFamilies).flatMap((rows) => rows.split("|"));
const sensitive = new Set([...protectedPaths, ...secrets.map((row) => row.trim())]);

test("protected and secret paths are in one table", () => {
  const found = files.filter(
    (file) =>
      !file.startsWith("src/core/tables/") &&
      namedIn(readFileSync(file, "utf8"), sensitive).length > maxNamedPaths,
  );

  expect(found).toEqual(Object.keys(pathLists).toSorted());
});

test("a list that repeats the table is found, written as one text or as several", () => {
  const names = [".ssh", ".npmrc", ".bashrc", ".aws"];
  const list = JSON.stringify([...names, "README.md"]);

  expect(namedIn(list, sensitive)).toEqual(names);
  expect(namedIn(`const all = ${JSON.stringify(names.join(" "))};`, sensitive)).toEqual(names);
  expect(namedIn('// .ssh .npmrc\nconst one = ".aws/x";', sensitive)).toEqual([]);
});

test("core imports no built-in module", () => {
  const builtIns = files
    .filter((file) => layerOf(file) === "core")
    .flatMap(importsOf)
    .filter(({ specifier }) => specifier.startsWith("node:"));

  expect(builtIns).toEqual([]);
});

test.for(Object.entries(eager))("%s loads nothing heavy", ([entry, packages]) => {
  expect([...eagerPackages(entry)].toSorted()).toEqual(Array.from<string>(packages).toSorted());
});
