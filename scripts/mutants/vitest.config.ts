import path from "node:path";
import { mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import usual from "../../vitest.config.ts";

/** Tests next to their source notice most, so what the others need not run for is known by then. */
class UnitTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  return path.relative(process.cwd(), moduleId).startsWith("src/") ? 0 : 1;
}

/** The usual tests, run by what tries mutants. */
export default mergeConfig(usual, {
  test: {
    runner: path.join(import.meta.dirname, "runner.ts"),
    pool: "forks",
    sequence: { sequencer: UnitTestsFirst },
  },
});
