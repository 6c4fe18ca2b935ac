import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { command } from "./command-program.ts";

leaveNothing();

const run = promisify(execFile);
const [bwrap] = drivers;
const works = bwrap !== undefined && (await probeDriver(bwrap)).works;

const at = temporaryFolder("nested");

test.skipIf(!works)(
  "the command in its own sandbox runs commands in the sandbox that works there",
  { timeout: 60_000 },
  async () => {
    const work = at("work");
    mkdirSync(work);
    const inner = [
      ...command,
      "call",
      "Bash",
      "-C",
      work,
      "--no-settings",
      "--mode",
      "acceptEdits",
      "--json",
    ];
    const script = `exec "$@" --data-dir "$TMPDIR/data" --allow 'Bash(*)' "command=echo inside > made; cat made"`;
    const outer = ["sandbox", "-C", work, "--data-dir", at("outer"), "--no-settings", "--"];
    const words = [...command.slice(1), ...outer, "sh", "-c", script, "sh", ...inner];

    const { stdout, stderr } = await run(command[0] ?? "", words, { cwd: work });

    const { status, text, metadata } = JSON.parse(stdout) as {
      readonly status: string;
      readonly text: string;
      readonly metadata: { readonly sandbox: { readonly provider: string } };
    };
    expect([status, text.split("\n")[0]]).toEqual(["ok", "inside"]);
    expect(metadata.sandbox.provider).toBe("landlock");
    expect(stderr).toMatch(/^sandbox: bwrap /mu);
    expect(readFileSync(path.join(work, "made"), "utf8")).toBe("inside\n");
  },
);
