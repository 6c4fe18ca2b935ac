import { lstatSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { keep, machineKey } from "../probe/cache.ts";
import type { Missing } from "../sandbox.ts";
import { overlayPrograms } from "./mount/overlay-programs.ts";
import { probeOverlay, type ProbeOverlayOptions } from "./probe-overlay.ts";

export interface RememberedOverlay {
  readonly probe: () => Promise<Missing | undefined>;
  /** Forgets the stored success, because an overlay did not work after all. */
  readonly forget: () => Promise<void>;
}

/**
 * Returns a probe of overlays that is not repeated after a success, until the machine restarts or a dependency changes.
 * A failure is not stored: what was missing may be installed at any time.
 */
export function rememberedOverlay(
  file: string,
  options: ProbeOverlayOptions,
  look: typeof probeOverlay = probeOverlay,
): RememberedOverlay {
  return {
    async probe() {
      const key = await keyOf(options);
      if (await isKept(file, key)) return undefined;
      const missing = await look(options);
      if (missing === undefined) await keep(file, { key, results: [] });
      return missing;
    },
    forget: async () => await rm(file, { force: true }).catch(() => undefined),
  };
}

async function isKept(file: string, key: string): Promise<boolean> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof kept === "object" && kept !== null && "key" in kept && kept.key === key;
  } catch {
    return false;
  }
}

async function keyOf({ directory, form }: ProbeOverlayOptions): Promise<string> {
  const programs = Object.values(await overlayPrograms());
  const stamps = [directory, ...programs].map((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // A directory gets another time whenever it is used, and another inode number whenever it is created.
    if (stat?.isDirectory() === true) return [path, stat.dev];
    return [path, stat?.dev, stat?.ino, stat?.mtimeMs];
  });
  return JSON.stringify([await machineKey(), form, stamps]);
}
