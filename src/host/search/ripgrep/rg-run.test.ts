import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { holdDirectory } from "../../files/open-path.ts";
import { RgRun } from "./rg-run.ts";

test("an abort ends a search that prints nothing, and the program with it", async () => {
  const path = realpathSync(tmpdir());
  const directory = holdDirectory(path);
  const controller = new AbortController();
  try {
    const run = new RgRun(["sleep", "300"], { directory, path }, { signal: controller.signal });
    const reading = run.lines("\n").next();
    // The start is in progress; whichever comes first, the abort takes effect.
    setImmediate(() => controller.abort());

    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
    expect(await run.end()).toEqual({ code: null, errors: "", errorLines: 0 });
  } finally {
    directory.close();
  }
});

test("leaving the loop early ends the program", async () => {
  const path = realpathSync(tmpdir());
  const directory = holdDirectory(path);
  try {
    const run = new RgRun(["sh", "-c", "echo one; sleep 300"], { directory, path });
    for await (const lines of run.lines("\n")) {
      expect(lines).toEqual(["one"]);
      break;
    }

    expect(await run.end()).toEqual({ code: null, errors: "", errorLines: 0 });
  } finally {
    directory.close();
  }
});
