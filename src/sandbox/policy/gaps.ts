import type { SandboxGap } from "../../core/index.ts";
import type { SandboxPolicy } from "./policy.ts";

/** All gaps that drivers may report. The identifiers never change. */
const texts = {
  "missing-protected":
    "Protected names that do not exist yet can be created; they are looked for after each command.",
  "protected-paths": "Protected paths inside the workspace can be changed.",
  "nested-repositories":
    "Hooks and settings of other repositories inside the workspace can be changed.",
  "unsearched-protected":
    "On the real files, a command can change protected files in generated directories (node_modules and the like), or in more directories than are searched.",
  "open-secrets": "Secrets that the settings open can be read.",
  attributes: "Mode, owner, times and attributes of files outside can be changed by their owner.",
  "hidden-names": "The names of hidden files can be listed, not their content.",
  "late-files":
    "Files that appear next to hidden ones cannot be read by programs that already run, nor by the first that tries.",
  "replaced-paths":
    "Secrets and protected files that are created or replaced outside while a program runs are open to that program.",
  "hidden-inside": "Hidden files inside writable directories can be read and written.",
  reads: "Every file of the user can be read, secrets too.",
  locks: "Files outside that can be read can be locked.",
  writes: "Every file of the user can be written.",
  background: "Processes left in the background outlive the command until the host ends them.",
  processes: "Other processes of the user can be seen.",
  signals: "Other processes of the user can be signalled or traced.",
  "abstract-sockets": "Abstract unix sockets of the user can be reached.",
  "unix-sockets": "Unix sockets in the file system can be reached.",
  "system-v": "System V memory and queues of the user can be reached.",
  vsock: "Sockets to the virtual machine's host can be opened.",
  network: "The network is open.",
  loopback: "Programs inside cannot reach each other through the loopback device.",
  "proxy-only": "Only programs that use the proxy variables reach the listed hosts.",
  "hosts-unsupported": "Hosts cannot be distinguished here, so the network is off.",
  "no-filter": "There is no system call filter for this processor.",
  limits: "Resource limits are not enforced: prlimit is not installed.",
  "denied-patterns":
    "Deny rules name too many files by a pattern, or searching them took too long, so not all are hidden.",
  kernel: "Kernel interfaces that are not filtered stay reachable.",
  untested: "Written from the documentation and not tested on this system.",
  foreign: "Another library decides what is enforced; its report was not checked.",
} as const satisfies Record<string, string>;

export type GapId = keyof typeof texts;

/** Returns the gaps with these ids, in that order. */
export function gaps(...ids: readonly (GapId | false)[]): readonly SandboxGap[] {
  return ids.filter((id) => id !== false).map((id) => ({ id, text: texts[id] }));
}

/** Returns the gaps of a policy that no mount can close. */
export function pathGaps(policy: SandboxPolicy): readonly GapId[] {
  return [
    ...(policy.watched.length > 0 ? (["missing-protected"] as const) : []),
    ...(policy.isSearchedInPart ? (["unsearched-protected"] as const) : []),
    ...(policy.hasOpenSecrets ? (["open-secrets"] as const) : []),
    "locks",
  ];
}
