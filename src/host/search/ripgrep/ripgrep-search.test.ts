import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GlobEvent, GrepEvent, GrepQuery, HostSearch } from "../../../core/index.ts";
import { gitIndex } from "../../../../test/support/git-index.ts";
import { scriptSearch } from "../script-search.ts";
import { LocalFs } from "../../files/local-fs.ts";
import { LocalLauncher } from "../../processes/launch/local-launcher.ts";
import { LocalSearch } from "../local-search.ts";
import { scanProcesses } from "../../processes/process-scan.ts";
import { ripgrepSearch } from "./ripgrep-search.ts";
import type { StartOwn } from "../../processes/launch/spawn.ts";

const ripgrep = ripgrepSearch({ binary: rgPath, fs: new LocalFs() });
const local = new LocalSearch(new LocalFs());
const script = scriptSearch(new LocalFs());

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-search-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  rmSync(`${root}-rg`, { force: true });
});

function put(name: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

async function all<E>(events: AsyncIterable<E>): Promise<E[]> {
  const found: E[] = [];
  for await (const event of events) found.push(event);
  return found;
}

/** Events in an order that does not depend on which file came first. */
async function sorted(events: AsyncIterable<GrepEvent | GlobEvent>): Promise<string[]> {
  return (await all(events)).map((event) => JSON.stringify(event, sortKeys)).toSorted();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const children = (): number =>
  scanProcesses().filter((entry) => entry.parent === process.pid).length;

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

describe("stopping", () => {
  beforeEach(() => {
    for (let index = 0; index < 20; index += 1) put(`${index}.txt`, "needle\n".repeat(100_000));
  });

  test("leaving the loop ends ripgrep, and also its parallel count", async () => {
    for await (const event of ripgrep.grep({ root, pattern: "needle", isExcluded: nothing })) {
      expect(event.kind).toBe("match");
      break;
    }

    await until(() => children() === 0);
  });

  test("an abort ends it in the middle", async () => {
    const stop = new AbortController();
    const searching = (async () => {
      for await (const event of ripgrep.grep(
        { root, pattern: "needle" },
        { signal: stop.signal },
      )) {
        if (event.kind === "match") stop.abort();
      }
    })();

    await expect(searching).rejects.toMatchObject({ code: "ABORTED" });
    await until(() => children() === 0);
  });
});

test("what cannot be read makes the answer partial and is named", async () => {
  put("a.txt", "needle\n");
  // Root can read everything, so this test simulates unreadable files.
  const query: GrepQuery = { root, pattern: "needle" };
  const broken = brokenRipgrep(2, "rg: ./locked.txt: Permission denied (os error 13)");
  const [match, end] = await all(broken.grep(query));

  expect(match).toMatchObject({ kind: "match", path: `${root}/a.txt` });
  expect(end).toEqual({
    kind: "end",
    excluded: 0,
    partial: true,
    notes: [`${root}/locked.txt: Permission denied (os error 13)`],
    skipped: { binary: 0, tooLarge: 0, unreadable: 1 },
  });
});

/** A stand-in that prints what ripgrep finds and then reports an error. */
function brokenRipgrep(code: number, says: string): Pick<HostSearch, "grep"> {
  const binary = `${root}-rg`;
  writeFileSync(binary, `#!/bin/sh\n${rgPath} "$@"\necho '${says}' >&2\nexit ${code}\n`, {
    mode: 0o755,
  });
  return ripgrepSearch({ binary, fs: new LocalFs() });
}

test("a configuration file changes nothing", async () => {
  put("a.txt", "needle\n");
  put("config", "--max-count=0\n--glob=!*.txt\n");
  process.env["RIPGREP_CONFIG_PATH"] = path.join(root, "config");
  try {
    expect(await all(ripgrep.grep({ root, pattern: "needle" }))).toHaveLength(2);
  } finally {
    delete process.env["RIPGREP_CONFIG_PATH"];
  }
});

test("a root that became a link is PATH_CHANGED", async () => {
  put("elsewhere/a.txt", "needle");
  symlinkSync("elsewhere", path.join(root, "planted"));
  symlinkSync("elsewhere/a.txt", path.join(root, "planted-file"));

  for (const planted of ["planted", "planted-file"]) {
    const search = all(ripgrep.grep({ root: path.join(root, planted), pattern: "needle" }));
    await expect(search).rejects.toMatchObject({ code: "PATH_CHANGED" });
  }
  await expect(
    all(local.glob({ root: path.join(root, "planted"), pattern: "*" })),
  ).rejects.toMatchObject({ code: "PATH_CHANGED" });
});

test("ignore files above count inside a repository, and nowhere else", async () => {
  put(".gitignore", "*.log\n");
  put("sub/a.log", "needle");
  const query: GrepQuery = { root: path.join(root, "sub"), pattern: "needle", countOnly: true };

  for (const search of [ripgrep, script]) {
    expect(await all(search.grep(query))).toHaveLength(2);
  }
  put(".git/HEAD", "ref");
  for (const search of [ripgrep, script]) {
    expect(await all(search.grep(query))).toHaveLength(1);
  }
});

test("without the binary a search is made in JavaScript", async () => {
  put("a.txt", "needle\n");
  const search = new LocalSearch(new LocalFs(), { binary: "none" });

  expect(await sorted(search.grep({ root, pattern: "needle" }))).toEqual(
    await sorted(ripgrep.grep({ root, pattern: "needle" })),
  );
});

test("a very long line is cut out and said to be", async () => {
  put("a.txt", `${"x".repeat(17_000_000)}needle\nneedle\n`);
  const [match, end] = await all(ripgrep.grep({ root, pattern: "needle" }));

  expect(match).toMatchObject({ kind: "match", line: 2 });
  expect(end).toMatchObject({ partial: true, notes: ["1 lines were too long to be shown."] });
});

describe("both searches agree", () => {
  const name = fc.constantFrom("a", "b.ts", "c.md", "dist", "src", ".hidden", "x.log", "deep");
  const file = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const text = fc
    .array(fc.constantFrom("needle", "ä needle", "hay", "", "needle needle", "x\r"), {
      maxLength: 6,
    })
    // At the very end of a text, one engine ignores a carriage return and the other takes it for half a line end.
    .map((lines) => lines.join("\n").replace(/\r$/u, ""));
  const rule = fc.constantFrom(
    "*.log",
    "/src",
    "dist/",
    "!b.ts",
    "*",
    "!*/",
    "deep/a",
    "**/c.md",
    "# no rule",
    "a",
  );
  const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join("\n"));
  const glob = fc.constantFrom(
    "**",
    "*",
    "*.ts",
    "src/**",
    "src/*",
    "*.{ts,md}",
    "**/a",
    "[a-c]*",
    "./src/a",
    "deep/",
  );

  test("on which files are seen and what matches in them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          files: fc.dictionary(file, text, { maxKeys: 8, noNullPrototype: true }),
          ignored: rules,
          deeper: rules,
          glob,
          unwanted: fc.option(fc.constantFrom("!src", "!*.md", "!deep/a")),
          includeIgnored: fc.boolean(),
          tracked: fc.option(fc.array(file, { maxLength: 6 })),
          defaultExcludes: fc.constantFrom("untracked", "always", "never"),
          before: fc.nat(2),
          after: fc.nat(2),
          multiline: fc.boolean(),
          pattern: fc.constantFrom(
            "needle",
            String.raw`needle\s`,
            "^$",
            "e+",
            String.raw`\bh`,
            "(?i)NEEDLE.ä",
          ),
        }),
        async (world) => {
          // JavaScript sees an empty line between the two characters of a CRLF.
          fc.pre(!(world.multiline && world.pattern === "^$"));
          rmSync(root, { recursive: true, force: true });
          mkdirSync(root);
          put(".gitignore", world.ignored);
          for (const [at, content] of Object.entries(world.files)) putIfFree(at, content);
          putIfFree("src/.ignore", world.deeper);
          if (world.tracked !== null) put(".git/index", gitIndex(world.tracked));
          const { includeIgnored, defaultExcludes, before, after, multiline, pattern } = world;
          const globs = world.unwanted === null ? [world.glob] : [world.glob, world.unwanted];
          const query = {
            root,
            pattern,
            includeIgnored,
            defaultExcludes,
            before,
            after,
            multiline,
            globs,
          };

          for (const countOnly of [false, true]) {
            expect(await sorted(ripgrep.grep({ ...query, countOnly }))).toEqual(
              await sorted(script.grep({ ...query, countOnly })),
            );
          }
          const globbing = { root, pattern: world.glob, includeIgnored, defaultExcludes };
          expect(await filesOf(local.glob(globbing))).toEqual(await filesOf(script.glob(globbing)));
        },
      ),
      { numRuns: 20 },
    );
  });
});

async function filesOf(events: AsyncIterable<GlobEvent>): Promise<unknown> {
  const found = await all(events);
  const files = found.flatMap((event) => (event.kind === "files" ? event.files : []));
  return { files: files.map(({ path: at }) => at).toSorted(), end: found.at(-1) };
}

/** Writes a file unless its path is taken: one name may be a file here and a directory there. */
function putIfFree(at: string, content: string): void {
  try {
    put(at, content);
  } catch {
    // A shorter path is a file already.
  }
}

function nothing(): boolean {
  return false;
}

describe.runIf(process.platform === "linux")("through the helper process", () => {
  test("the answers, the errors and the end are the same, and this program starts none of it itself", async () => {
    put("a.txt", "one needle\n");
    put("b.bin", "needle\0");
    const launcher = new LocalLauncher({ helper: "always" });
    const started: (readonly string[])[] = [];
    const helped = ripgrepSearch({
      binary: rgPath,
      fs: new LocalFs(),
      start: async (argv, cwd) => {
        started.push(argv);
        return launcher.startOwn(argv, cwd);
      },
    });
    const query: GrepQuery = { root, pattern: "needle", isExcluded: nothing };
    try {
      expect(await sorted(helped.grep(query))).toEqual(await sorted(ripgrep.grep(query)));
      const wrong = { ...query, pattern: "(" };
      const [one, other] = await Promise.all(
        [helped, ripgrep].map(async (search) => all(search.grep(wrong)).catch(String)),
      );
      expect(one).toEqual(other);
      expect(started).toHaveLength(4);
      expect(launcher.report.by).toBe("helper");
      // The helper and the watchdog.
      await until(() => children() === 2);
    } finally {
      await launcher.dispose();
    }
  });

  test("leaving the loop ends ripgrep there as well", async () => {
    for (let index = 0; index < 20; index += 1) put(`${index}.txt`, "needle\n".repeat(100_000));
    const launcher = new LocalLauncher({ helper: "always" });
    const start: StartOwn = async (argv, cwd) => launcher.startOwn(argv, cwd);
    const helped = ripgrepSearch({ binary: rgPath, fs: new LocalFs(), start });
    try {
      for await (const event of helped.grep({ root, pattern: "needle" })) {
        expect(event.kind).toBe("match");
        break;
      }
      const helper = launcher.report.helperPid;
      await until(() => scanProcesses().every(({ parent }) => parent !== helper));
    } finally {
      await launcher.dispose();
    }
  });
});
