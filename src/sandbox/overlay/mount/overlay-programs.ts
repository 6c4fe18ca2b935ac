import type { Missing } from "../../sandbox.ts";
import { missingProgram, systemProgram } from "../../../programs/index.ts";

/** System programs that create an overlay. */
export interface OverlayPrograms {
  readonly sh: string;
  readonly mount: string;
  readonly unshare: string;
  readonly nsenter: string;
}

let looked: Promise<OverlayPrograms | Missing> | undefined;

/** Returns their paths, or which one is missing; searched for once. */
export async function overlayPrograms(): Promise<OverlayPrograms | Missing> {
  looked ??= lookForPrograms();
  return await looked;
}

async function lookForPrograms(): Promise<OverlayPrograms | Missing> {
  const [sh, mount, unshare, nsenter] = ["sh", "mount", "unshare", "nsenter"].map(systemProgram);
  if (process.platform !== "linux") return { reason: "Overlays are for Linux." };
  if (sh !== undefined && mount !== undefined && unshare !== undefined && nsenter !== undefined) {
    return { sh, mount, unshare, nsenter };
  }
  const absent = Object.entries({ sh, mount, unshare, nsenter })
    .filter(([, path]) => path === undefined)
    .map(([name]) => name);
  return {
    reason: absent.map(missingProgram).join(" "),
    install: "apt-get install util-linux mount",
  };
}
