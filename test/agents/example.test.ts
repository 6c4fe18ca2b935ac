import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { notBuilt } from "../support/built.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("example");
const example = path.join(import.meta.dirname, "../../examples/review-team.mjs");

test.skipIf(notBuilt !== undefined)(
  "the example runs two workers and a reviewer in a repository",
  () => {
    const repository = at("repository");
    mkdirSync(repository);
    execFileSync("git", ["init", "--quiet", repository]);

    const env = { ...process.env, HOME: at("") };
    const { stdout, stderr } = spawnSync(process.execPath, [example, repository], {
      encoding: "utf8",
      env,
    });

    expect(stderr).toBe("");
    expect(readFileSync(example, "utf8").split("\n").length).toBeLessThanOrEqual(30);
    expect(stdout).toBe(
      [
        "Write one: done, 1 call. Wrote one.txt.",
        "Write two: done, 1 call. Wrote two.txt.",
        "Review the files: done, 1 call. Both are there.",
        "",
      ].join("\n"),
    );
    expect(readFileSync(path.join(repository, "one.txt"), "utf8")).toBe("by one\n");
    expect(readFileSync(path.join(repository, "two.txt"), "utf8")).toBe("by two\n");
  },
);
