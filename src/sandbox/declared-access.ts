import { realpathSync } from "node:fs";
import { ToolError } from "../core/index.ts";
import { isWithin, type SecretPlaces } from "../text/index.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import { sandboxPolicy } from "./policy/sandbox-policy.ts";
import { unmoved } from "./policy/grants.ts";

/** Everything that a program may reach, by canonical path and by host. */
export interface DeclaredAccess {
  readonly reads: readonly string[];
  /** Paths that exist: a program that may create a file would need the directory around it. */
  readonly writes: readonly string[];
  /** Hosts, with a port after a colon where only that one is allowed. */
  readonly hosts: readonly string[];
  /** Whether unknown effects were allowed, so that it may run where nothing enforces its limits. */
  readonly isOpen: boolean;
}

interface DeclaredPolicyOptions {
  readonly home: string;
  readonly secrets: SecretPlaces | undefined;
  /** Private directory of the program, its working directory and the only one for temporary files. */
  readonly directory: string;
  readonly hide: readonly string[];
  readonly keep: readonly string[];
}

/** Maximum bytes of one file that such a program writes. */
const maxFileBytes = 268_435_456;
/** Maximum number of its processes and threads; Node itself has about 11. */
const maxProcesses = 128;

/** Policy for a program that reads the system and what is declared, and writes only what is declared. */
export async function declaredPolicy(
  { reads, writes, hosts }: DeclaredAccess,
  { home, secrets, directory, hide, keep }: DeclaredPolicyOptions,
): Promise<SandboxPolicy> {
  const readable = await unmoved(reads);
  return await sandboxPolicy({
    workspace: directory,
    temporary: directory,
    home,
    variables: {},
    readable: [...readable, realpathSync(process.execPath)],
    writable: await unmoved(writes),
    ...(secrets === undefined ? {} : { secrets }),
    hide,
    keep,
    reveal: readable,
    network: hosts.length === 0 ? { kind: "none" } : { kind: "hosts", hosts },
    limits: { fileBytes: maxFileBytes, processes: maxProcesses },
    leftovers: "ended",
  });
}

/** Directory to start in: the given one if anything in or around it is visible, else the private one. */
export function visibleDirectory(
  { readable, writable, workspace }: SandboxPolicy,
  cwd: string | undefined,
): string {
  if (cwd === undefined) return workspace;
  const seen = [...readable, ...writable.map(({ path }) => path)];
  return seen.some((path) => isWithin(cwd, path) || isWithin(path, cwd)) ? cwd : workspace;
}

/** Error for a program that may only run where its limits are enforced. */
export function notEnforced(driver: string | undefined): ToolError {
  const what =
    driver === undefined || driver === "none" ? "Nothing here holds" : `${driver} does not hold`;
  return new ToolError(
    "UNAVAILABLE",
    `${what} a program to the files and hosts that it declares, so it was not run.`,
    { hint: "haft doctor says what would; bubblewrap does.", retryable: false },
  );
}
