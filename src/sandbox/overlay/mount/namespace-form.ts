import { readFileSync } from "node:fs";

/**
 * Form of an overlay's namespaces.
 * `mount`: a process with the right to mount creates only a mount namespace. A program may then unmount the overlay as
 * well, unless a sandbox prevents it.
 * `user`: any other process also creates a user namespace, in which only its own user and group have names.
 */
export type OverlayForm = "mount" | "user";

const systemAdministration = 21n;

/** Returns the form this process needs. Only trying shows whether the system allows it. */
export function overlayForm(): OverlayForm {
  const effective = /^CapEff:\s*([0-9a-f]+)$/mu.exec(ownStatus())?.[1] ?? "0";
  const mayMount = ((BigInt(`0x${effective}`) >> systemAdministration) & 1n) === 1n;
  return process.getuid?.() === 0 && mayMount ? "mount" : "user";
}

function ownStatus(): string {
  try {
    return readFileSync("/proc/self/status", "utf8");
  } catch {
    return "";
  }
}
