import { globSync } from "tinyglobby";
import path from "node:path";
import { expect, test } from "vitest";
import { crowdedFolders, eagerPackages, importCircles, importsOf } from "./imports.ts";
import { crowded, eager, layers, maxFolderFiles } from "./layers.ts";

const files = globSync("src/**/*.ts", { ignore: ["**/*.test*.ts"] });
const layerOf = (file: string): string => (file.split(path.sep)[1] ?? "").replace(/\.ts$/u, "");
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
  const names = Array.from({ length: maxFolderFiles }, (_, at) => `src/a/${at}.ts`);
  const tests = names.map((name) => name.replace(".ts", ".test.ts"));

  expect(crowdedFolders([...names, ...tests, "src/a/b/c.ts"], maxFolderFiles)).toEqual([]);
  expect(crowdedFolders([...names, "src/a/more.ts"], maxFolderFiles)).toEqual([
    `src/a ${maxFolderFiles + 1}`,
  ]);
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
