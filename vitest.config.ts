import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { globSync } from "tinyglobby";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Layers that neither start programs nor touch files. */
const pure =
  "artifacts|agent|changes|core|explain|grant|html|journal|mcp|pipeline|policy|redact|registry|schedule|schema|session|shell|testing|text|tools|workspace";

/** Changes of a process that other test files in it would see. Vitest itself reverts `vi.stubEnv`, `leaveNothing` its own. */
export const processChanges =
  /process\.chdir\(|process\.umask\([^)]|\bvi\.(?:mock|doMock|stubGlobal|resetModules)\(|TMPDIR["']?[\]\s]*[=,]/u;

/**
 * Test files that change their process. Each has one of its own; all others share a few, which saves half a
 * second of computing and more of waiting for each file.
 */
export const changers = globSync("{src,test}/**/*.test.ts", { cwd: import.meta.dirname }).filter(
  (file) => processChanges.test(readFileSync(path.join(import.meta.dirname, file), "utf8")),
);

/** Not by `exclude`, which would replace the one of the command line. */
const notChangers = changers.map((file) => `!${file}`);

/** Files that take longest or wait. They start first, so that no worker is left alone with one of them at the end. */
const longest = [
  "test/integration/undo-sequences",
  "test/sandbox/escape",
  "test/referees/holes",
  "test/created/attempts",
  "test/contracts/local-host",
  "src/host/processes/killed-outright",
  "test/integration/many-programs",
  "test/integration/background",
  "test/mcp/client/hostile-calls",
  "test/mcp/client/server-requests",
  "test/mcp/bad-input",
  "test/sandbox/overlay-commands",
];

function rank({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
  return place === -1 ? longest.length : place;
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          // Those of the architecture only read the source.
          include: [`src/@(${pure})/**/*.test.ts`, "test/architecture/*.test.ts", ...notChangers],
          isolate: false,
          // They never wait, so more processes would only load the same modules again.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      // Layers that start programs and touch files, or wire those that do.
      {
        extends: true,
        test: {
          name: "os",
          include: ["src/*.test.ts", `src/!(${pure})/**/*.test.ts`, ...notChangers],
          isolate: false,
        },
      },
      // The whole of haft: kits, programs, servers.
      {
        extends: true,
        test: {
          name: "whole",
          include: ["test/!(architecture)/**/*.test.ts", ...notChangers],
          isolate: false,
        },
      },
      { extends: true, test: { name: "own-process", include: changers } },
    ],
    typecheck: { enabled: false },
    // The second run transforms only what has changed.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: path.join(import.meta.dirname, ".cache/modules"),
    },
    sequence: { sequencer: LongestFirst, groupOrder: 1 },
    restoreMocks: true,
    globalSetup: "test/support/say-laws.ts",
    setupFiles: ["test/support/same-seed.ts", "test/support/settle-imports.ts"],
    // The programs that tests start from source are compiled once, not once each.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, ".cache/compiled") },
    unstubEnvs: true,
    // These end what hangs, and measure nothing: on a busy machine the same test takes ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // On two cores the default is one worker, but tests wait for processes for two thirds of their time. All cases of
    // the laws keep more of them busy.
    maxWorkers: Math.max(process.env["HAFT_LAWS"] === "full" ? 5 : 6, availableParallelism() - 1),
    coverage: { provider: "v8", include: ["src/**"], exclude: ["src/**/*.test*.ts"] },
  },
});
