import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Layers that neither start programs nor change what belongs to the process: their tests share one process, which saves
 * half a second of computing for each file.
 */
const pure =
  "artifacts|agent|changes|core|explain|grant|html|journal|mcp|pipeline|policy|redact|registry|schedule|schema|session|shell|testing|text|tools|workspace";

/** Layers that wire the others: their tests may start programs, change nothing of their own process, and share it too. */
const wiring = "cli|created|diagnostics|interop|kit|server|telemetry|web";

/**
 * Directories of `test` whose files change nothing of their own process and share it, which saves about 1.4 s of
 * computing for each file. test/architecture/shared-tests.test.ts holds them to it.
 */
export const sharedDirectories = ["agents", "docs", "interop", "models", "plugins", "web"];

const shared = sharedDirectories.join("|");

/** Files of these directories that have a process of their own: what they start is looked for in a TMPDIR of theirs. */
export const unsharedFiles = ["test/interop/telemetry-registry.test.ts"];

/** Files that take longest. They start first, so that no worker is left alone with one of them at the end. */
const longest = [
  "test/integration/undo-sequences",
  "test/sandbox/escape",
  "test/created/attempts",
  "test/integration/many-programs",
  "test/contracts/local-host",
  "test/sandbox/overlay-commands",
  "test/integration/background",
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
          include: [`src/@(${pure})/**/*.test.ts`, "test/architecture/*.test.ts"],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "wiring", include: [`src/@(${wiring})/**/*.test.ts`], isolate: false },
      },
      // Layers that start programs, or change what belongs to the process.
      {
        extends: true,
        test: { name: "os", include: ["src/*.test.ts", `src/!(${pure}|${wiring})/**/*.test.ts`] },
      },
      // The whole of haft: kits, programs, servers.
      {
        extends: true,
        test: {
          name: "whole",
          include: [`test/!(architecture|${shared})/**/*.test.ts`, ...unsharedFiles],
        },
      },
      // Suites of the whole that change nothing of their own process: they share it.
      {
        extends: true,
        test: {
          name: "shared",
          include: [`test/@(${shared})/**/*.test.ts`],
          exclude: unsharedFiles,
          isolate: false,
        },
      },
    ],
    typecheck: { enabled: false },
    // The second run transforms only what has changed.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: path.join(import.meta.dirname, ".cache/modules"),
    },
    sequence: { sequencer: LongestFirst },
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
    // On two cores the default is one worker, but tests wait for processes for two thirds of their time.
    maxWorkers: Math.max(5, availableParallelism() - 1),
    coverage: { provider: "v8", include: ["src/**"], exclude: ["src/**/*.test*.ts"] },
  },
});
