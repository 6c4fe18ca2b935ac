import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, test } from "vitest";
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

/** Parts that the layers use among themselves; a change of them is no change of the surface. */
const internal = [
  "analyseCommand",
  "createProtocol",
  "decodeOlderTexts",
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

  test("an entry with a declaration of its own", () => {
    expect('/** Entry `haft/a`. */\nexport { a } from "./a.ts";\n').toMatch(reExports);
    expect("/** Entry `haft/a`. */\nexport const a = 1;\n").not.toMatch(reExports);
  });
});
