import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { localHost } from "../../../host/index.ts";
import { toolBench } from "../../../testing/index.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { glob } from "../../glob/glob.ts";
import { grep } from "../../grep/grep.ts";

const at = temporaryFolder("inexact-names");
const note =
  "\uFFFD in a path stands for bytes that are not UTF-8: no tool opens it by that name, but Bash does with * in their place.";

/** File systems of other systems reject such a name. */
test.runIf(process.platform === "linux")(
  "a file whose name is not valid text is found and reported",
  async () => {
    const workspace = at("work");
    mkdirSync(workspace);
    writeFileSync(Buffer.from(`${workspace}/caf\u00E9.txt`, "latin1"), "needle\n");
    writeFileSync(`${workspace}/plain.txt`, "needle\n");
    writeFileSync(`${workspace}/other.md`, "another\n");
    await using host = await localHost();
    const bench = toolBench({ host, workspace });
    const text = async (...call: Parameters<typeof bench.call>): Promise<string> =>
      (await bench.call(...call)).text;

    expect(await text(grep, { pattern: "needle" })).toBe(
      `plain.txt\ncaf\uFFFD.txt\n(2 files, newest first. ${note})`,
    );
    expect(await text(grep, { pattern: "needle", glob: "caf*" })).toBe(
      `caf\uFFFD.txt\n(1 file, newest first. ${note})`,
    );
    expect(await text(grep, { pattern: "needle", output_mode: "content", glob: "caf*" })).toBe(
      `caf\uFFFD.txt\n1: needle\n(1 matching line in 1 file. ${note})`,
    );
    expect(await text(grep, { pattern: "another" })).toBe("other.md\n(1 file, newest first.)");
    expect(await text(glob, { pattern: "caf*" })).toBe(`caf\uFFFD.txt\n(${note})`);
    expect(await text(glob, { pattern: "*.txt" })).toBe(`plain.txt\ncaf\uFFFD.txt\n(${note})`);
  },
);
