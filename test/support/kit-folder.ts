import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createToolkit, type Kit, type Outcome, type ToolkitOptions } from "../../src/index.ts";

/** A folder of its own for each test, and the kits that are opened in it. */
export interface KitFolder {
  /** The path of what has this name in the folder. */
  readonly at: (name: string) => string;
  /** A kit that works in `work` and keeps its data next to it; it ends with the test. */
  readonly open: (options?: ToolkitOptions) => Promise<Kit>;
  /** Ends another kit with the test. */
  readonly keep: (kit: Kit) => Kit;
}

/** Makes the folder before each test, as `prepare` says, and removes it afterwards. */
export function kitFolder(
  prefix: string,
  prepare: (at: KitFolder["at"]) => void | Promise<void>,
  common: ToolkitOptions = { mode: "bypassPermissions" },
): KitFolder {
  let folder = "";
  let kits: Kit[] = [];
  const at = (name: string): string => path.join(folder, name);
  const keep = (kit: Kit): Kit => {
    kits.push(kit);
    return kit;
  };
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), prefix)));
    kits = [];
    await prepare(at);
  });
  afterEach(async () => {
    for (const kit of kits) await kit.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    at,
    keep,
    open: async (options = {}) =>
      keep(
        await createToolkit({
          workspace: at("work"),
          dataDirectory: at("data"),
          ...common,
          ...options,
        }),
      ),
  };
}

export async function bash(kit: Kit, command: string, more: object = {}): Promise<Outcome> {
  return await kit.call({ name: "Bash", input: { command, ...more } });
}

/** A program whose text says nothing of what it does. */
export function python(statements: string): string {
  return `python3 -c 'import os, shutil; ${statements.replaceAll("'", '"')}'`;
}
