import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, test } from "vitest";
import { referencePage, undocumented } from "../../scripts/api-reference.ts";
import { exportedTwice, readSurface, renamed, unexported } from "./surface.ts";

/** Names of `haft` that `haft/host` exports as well. */
const shared = new Set([
  "Host",
  "LocalHost",
  "LocalHostOptions",
  "MemoryHost",
  "MemoryHostOptions",
  "localHost",
  "memoryHost",
]);

/** Parts that the layers use among themselves; changing them does not change the surface. */
const internal = [
  "analyseCommand",
  "createProtocol",
  "decodeLegacyTexts",
  "KitParts",
  "launchReport",
  "LocalLauncher",
  "PermissionsOptions",
  "planArgv",
  "planCommand",
  "RuleBook",
  "runEvents",
  "settleCalls",
  "startHeardRun",
];

/** A comment, then nothing but re-exports. */
const reExports = /^\/\*\* Entry `haft[^*]*\*\/\n(?:export (?:type )?\{[^}]*\} from "[^"]+";\n)+$/u;

/** Rows and headings of a page of the reference that no sentence follows, except members with a literal type. */
function bare(page: string): readonly string[] {
  const rows = page.match(/^- `.*`\n(?!\n {2}\S)/gmu) ?? [];
  const names = page.match(/^## .*\n\n`.*`\n\n?(?=- `|#|$(?![^]))/gmu) ?? [];
  return [...rows.filter((row) => !/: (?:"[^"]*"|\d+)`\n$/u.test(row)), ...names];
}

const surfaces = globSync("docs/api/*.d.ts")
  .toSorted()
  .map((file) => readSurface(path.basename(file, ".d.ts"), readFileSync(file, "utf8")));

describe("the public surface", () => {
  test("every type that a public name reaches is exported", () => {
    expect(surfaces.map(({ entry }) => entry)).toContain("haft");
    expect(unexported(surfaces)).toEqual([]);
  });

  test("a name is exported by one entry, under its own name", () => {
    expect(exportedTwice(surfaces).filter((name) => !shared.has(name))).toEqual([]);
    expect(renamed(surfaces)).toEqual([]);
  });

  test("no internal name is in it", () => {
    const declared = new Set(surfaces.flatMap((each) => each.declared));

    expect(internal.filter((name) => declared.has(name))).toEqual([]);
  });

  test("every public name and member has a sentence in the reference", () => {
    const pages = globSync("docs/api/*.md").map((file) => readFileSync(file, "utf8"));

    expect(pages).toHaveLength(surfaces.length);
    expect(pages.flatMap(bare)).toEqual([]);
  });

  test.for(["src/index.ts", ...globSync("src/entries/*.ts")])(
    "%s re-exports and does nothing else",
    (file) => {
      expect(readFileSync(file, "utf8")).toMatch(reExports);
    },
  );
});

describe("what the laws find", () => {
  test("a type that only another exported type names", () => {
    const entry = readSurface("a", "interface Hidden {}\nexport interface Shown { of: Hidden }");
    const other = readSurface("b", "interface Hidden {}\nexport { Hidden };");

    expect(unexported([entry])).toEqual(["a: Hidden"]);
    expect(unexported([entry, other])).toEqual([]);
  });

  test("a name of two entries, and an export under another name", () => {
    const one = readSurface(
      "a",
      "export declare const same: 1;\ndeclare class Odd {}\nexport type { Odd as Even };",
    );
    const two = readSurface("b", "export declare function same(): void;");

    expect(exportedTwice([one, two])).toEqual(["same"]);
    expect(renamed([one, two])).toEqual(["a: Odd as Even"]);
    expect(unexported([one, two])).toEqual([]);
  });

  test("a name or a member without a sentence, but not one that says itself what it is", () => {
    const entry =
      '/** A cat. */\nexport interface Cat {\n  readonly kind: "cat";\n  /** In kilograms. */\n  readonly weight: number;\n  purr(): void;\n}\nexport declare const cats: number;';

    expect(undocumented(entry)).toEqual(["Cat.purr", "cats"]);
    expect(bare(referencePage("a", entry))).toEqual([
      "- `purr(): void`\n",
      "## cats\n\n`const cats: number`\n",
    ]);
  });

  test("an entry with a declaration of its own", () => {
    expect('/** Entry `haft/a`. */\nexport { a } from "./a.ts";\n').toMatch(reExports);
    expect("/** Entry `haft/a`. */\nexport const a = 1;\n").not.toMatch(reExports);
  });
});
