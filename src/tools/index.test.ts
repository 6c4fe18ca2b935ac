import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { expect, test } from "vitest";
import { eagerPackages, importsOf } from "../../test/architecture/imports.ts";
import { isCurrent } from "../../scripts/catalog.ts";
import type { LazyTool } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import { builtInTools } from "./index.ts";

const here = import.meta.dirname;
const init = {
  host: memoryHost(),
  workspace: "/project",
  service: (): never => {
    throw new Error("no service is asked for");
  },
};

function propertiesOf({ known }: LazyTool): Record<string, { description?: string }> {
  const schema = known?.inputSchema as { properties: Record<string, { description?: string }> };
  return schema.properties;
}

test("the catalog is what the tools say of themselves", async () => {
  // If it is outdated, run: npm run generate
  expect(await isCurrent()).toBe(true);
});

const plain = (name: string): string => name.toLowerCase().replaceAll("-", "");

test("every directory with a tool of its name is in the list, by name, and so is nothing else", () => {
  const names = builtInTools.map(({ name }) => name);
  const directories = globSync("*/*.ts", { cwd: here, ignore: ["**/*.test.ts"] })
    .map((file) => path.parse(file))
    .filter(({ dir, name }) => dir === name)
    .filter(({ dir, base }) =>
      /= defineTool\(/u.test(readFileSync(path.join(here, dir, base), "utf8")),
    );

  expect(directories.length).toBeGreaterThan(30);
  expect(names.map(plain).toSorted()).toEqual(directories.map(({ dir }) => plain(dir)).toSorted());
  expect(names).toEqual(names.toSorted((one, other) => (plain(one) < plain(other) ? -1 : 1)));
});

test.for(builtInTools)("$name is the tool the catalog says it is", async (lazy) => {
  const tool = await lazy.init(init);

  expect(tool.name).toBe(lazy.name);
  for (const key of ["touches", "aliases", "maxChars", "timeoutMs", "category"] as const) {
    expect(lazy[key]).toEqual(tool[key]);
  }
  // The sentences for a missing service are in the tool itself.
  expect(lazy.needs).toEqual(tool.needs?.map(({ id }) => ({ id })));
  expect(lazy.known?.description).toBe(tool.description);
  expect(lazy.known?.description.startsWith(lazy.known.summary)).toBe(true);
  expect(lazy.known?.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
  expect(lazy.source).toEqual({ id: "built-in", name: "haft", kind: "built-in" });
});

test.for(builtInTools)("every key of $name is described, and no alias hides one", async (lazy) => {
  const properties = propertiesOf(lazy);
  const { inputAliases = {}, freeText = [] } = await lazy.init(init);
  const aliases = Object.values(inputAliases).flat();

  for (const [key, { description }] of Object.entries(properties)) {
    expect(`${key}: ${description ?? ""}`).toMatch(/\.$/u);
  }
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(inputAliases)));
  expect(Object.keys(properties)).toEqual(expect.arrayContaining([...freeText]));
  expect(aliases.filter((alias) => alias in properties)).toEqual([]);
  expect(new Set(aliases).size).toBe(aliases.length);
});

test("listing the tools loads no package and no tool", () => {
  expect([...eagerPackages("src/tools/index.ts")]).toEqual([]);
});

test("tools share through the files folder, never with each other", () => {
  const files = globSync("*/**/*.ts", { cwd: here, ignore: ["**/*.test.ts"], absolute: true });
  const folderOf = (file: string): string => path.relative(here, file).split(path.sep)[0] ?? "";
  const crossing = files.flatMap(importsOf).filter(({ from, specifier }) => {
    if (!specifier.startsWith(".")) return false;
    const target = path.join(path.dirname(from), specifier);
    if (path.relative(here, target).startsWith("..")) return false;
    // The edit engine alone decides where an edit applies, whichever form the edit has.
    // Read alone knows how documents and images become content, wherever their bytes come from.
    const isReader = /read\/(?:images\/|pdf\/pdf-text)/u.test(target);
    if (isReader && folderOf(from) === "web-fetch") return false;
    const isEngine = target.startsWith(path.join(here, "edit/"));
    if (isEngine && target !== path.join(here, "edit/edit.ts")) return false;
    return folderOf(target) !== folderOf(from) && folderOf(target) !== "files";
  });

  expect(crossing).toEqual([]);
});

const heading = (section: string): string => section.slice(0, section.indexOf("\n"));

test("the guide has a section for each tool, and each takes its tables from the catalog", () => {
  const guide = readFileSync(path.join(here, "../../docs/tools.md"), "utf8");
  const sections = guide.split(/^## /mu).slice(1);
  expect(sections.map(heading)).toEqual(builtInTools.map(({ name }) => name));
  for (const [index, tool] of builtInTools.entries()) {
    const hasInput = Object.keys(propertiesOf(tool)).length > 0;
    expect(sections[index]?.includes(`<!-- tables of ${tool.name} -->`)).toBe(hasInput);
  }
});
