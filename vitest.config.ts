import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

/**
 * Layers that neither start programs nor change what belongs to the process: their tests share one process, which saves
 * half a second of computing for each file.
 */
const pure =
  "core|schema|shell|policy|registry|journal|pipeline|schedule|explain|workspace|testing|agent|mcp|tools";

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
    restoreMocks: true,
    setupFiles: ["test/support/same-seed.ts"],
    // The programs that tests start from source are compiled once, not once each.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, ".cache/compiled") },
    unstubEnvs: true,
    // These end what hangs, and measure nothing: on a busy machine the same test takes ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // On two cores the default is one worker, and most tests wait for processes rather than compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    coverage: { provider: "v8", include: ["src/**"], exclude: ["src/**/*.test*.ts"] },
  },
});
