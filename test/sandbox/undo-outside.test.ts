import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  existsSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { drivers, probeDriver, probeOverlay } from "../../src/sandbox/index.ts";

const [bwrap] = drivers;
const isMissing =
  bwrap === undefined ||
  !(await probeDriver(bwrap)).works ||
  (await probeOverlay({ directory: realpathSync(tmpdir()) })) !== undefined;

let folder = "";
let kit: Kit | undefined;
const at = (name: string): string => path.join(folder, name);
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-outside-")));
  mkdirSync(at("work"));
  mkdirSync(at("outside"));
});
afterEach(async () => {
  await kit?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: ToolkitOptions = {}): Promise<Kit> {
  kit = await createToolkit({
    workspace: at("work"),
    dataDirectory: at("data"),
    mode: "bypassPermissions",
    ...options,
  });
  return kit;
}

describe.skipIf(isMissing)(
  "a command that says what it does outside of the workspace and may do more within",
  () => {
    test("is taken back in both", async () => {
      const opened = await open();
      writeFileSync(at("outside/file"), "old");
      const command = `echo new > ${at("outside/file")}; node -e 'fs.writeFileSync("made", "x")'`;

      const outcome = await opened.call({ name: "Bash", input: { command } });
      expect([readFileSync(at("outside/file"), "utf8"), existsSync(at("work/made"))]).toEqual([
        "new\n",
        true,
      ]);
      await opened.undo({ last: 1 });

      expect([readFileSync(at("outside/file"), "utf8"), existsSync(at("work/made"))]).toEqual([
        "old",
        false,
      ]);
    });
  },
);
