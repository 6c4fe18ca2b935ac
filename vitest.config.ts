import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Layers that neither start programs nor change what belongs to the process: their tests share one process, which saves
 * half a second of computing for each file.
 */
const pure =
  "core|text|schema|shell|policy|redact|grant|registry|journal|pipeline|schedule|explain|workspace|testing|agent|mcp|tools";

/** Files that take longest. They start first, so that no worker is left alone with one of them at the end. */
const longest = [
  "test/integration/undo-sequences",
  "test/integration/many-programs",
  "test/sandbox/escape",
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
        test: { name: "pure", include: [`src/@(${pure})/**/*.test.ts`], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["src/*.test.ts", `src/!(${pure})/**/*.test.ts`, "test/**/*.test.ts"],
        },
      },
    ],
    typecheck: { enabled: false },
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    setupFiles: ["test/support/same-seed.ts", "test/support/settle-imports.ts"],
    // The programs that tests start from source are compiled once, not once each.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, ".cache/compiled") },
    unstubEnvs: true,
    // These end what hangs, and measure nothing: on a busy machine the same test takes ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // On two cores the default is one worker, and most tests wait for processes: two workers leave half of both idle.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    coverage: { provider: "v8", include: ["src/**"], exclude: ["src/**/*.test*.ts"] },
  },
});
