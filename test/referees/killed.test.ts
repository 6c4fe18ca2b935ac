import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToolkit } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { moduleFlags } from "../support/from-source.ts";

leaveNothing();

// A program that is killed cannot clean up: the next one does, with a journal of its own or with the same.

const source = new URL("../../src/index.ts", import.meta.url).href;
const elsewhere = "/dev/shm";
const isMissing =
  !existsSync(elsewhere) ||
  (await probeOverlay({ directory: realpathSync(tmpdir()) })) !== undefined;

let base = "";
let data = "";
const at = (name: string): string => path.join(base, name);
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-killed-")));
  for (const name of ["first", "second"]) mkdirSync(at(name));
  if (!isMissing) data = mkdtempSync(path.join(elsewhere, "haft-killed-"));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
  if (data !== "") rmSync(data, { recursive: true, force: true });
});

/** Ends in the middle of a command, of which it has staged something. */
async function killed(): Promise<void> {
  const command =
    "node -e 'fs.writeFileSync(`made`, ``); console.log(`up`); setInterval(() => 0, 1e6)'";
  const options = { workspace: at("first"), dataDirectory: data, mode: "bypassPermissions" };
  const program = `
    const { createToolkit } = await import(${JSON.stringify(source)});
    const kit = await createToolkit(${JSON.stringify(options)});
    await kit.call({ name: "Bash", input: { command: ${JSON.stringify(command)} } },
      { onOutput: () => process.stdout.write("up") });`;
  const child = spawn(process.execPath, [...moduleFlags, program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "close");
}

/** Names of our programs' files in the temporary directory, without their distinguishing parts. */
function kinds(): readonly string[] {
  const names = readdirSync(tmpdir()).filter((name) => /^haft-(?!killed)/u.test(name));
  return [...new Set(names.map((name) => name.split("-").slice(0, 2).join("-")))].toSorted();
}

test.skipIf(isMissing).for([
  { whose: "of another", isGone: true },
  { whose: "of the same data directory", isGone: false },
])(
  "a program that was killed in a command leaves nothing once a program $whose has run one",
  { timeout: 60_000 },
  async ({ isGone }) => {
    await killed();
    const left = kinds();
    if (isGone) rmSync(data, { recursive: true });

    const kit = await createToolkit({
      workspace: at("second"),
      dataDirectory: isGone ? at("data") : data,
      mode: "bypassPermissions",
    });
    const { status } = await kit.call({ name: "Bash", input: { command: "node -e 0" } });
    await kit.dispose();

    expect(status).toBe("ok");
    expect(left).toContain("haft-overlays");
    expect(kinds()).toEqual([]);
    expect(existsSync(at("first/made"))).toBe(false);
  },
);
