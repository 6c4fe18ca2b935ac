import { readFileSync } from "node:fs";

/**
 * `mount`: a process with the right to mount takes a mount namespace of its own, and all stays as it is otherwise.
 * A program may then unmount the overlay as well: only a sandbox keeps it from that.
 * `user`: anybody else takes a user namespace as well, in which only the own user and group have names.
 */
export type OverlayForm = "mount" | "user";

const systemAdministration = 21n;

/** What this process needs. Whether it is allowed to, only a try tells. */
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
