import { realpathSync } from "node:fs";
import { ToolError } from "../core/index.ts";
import { isWithin, parentPath, type SecretPlaces } from "../text/index.ts";
import { programFile } from "./program-file.ts";
import type { SandboxNetwork, SandboxPolicy } from "./policy/policy.ts";
import { sandboxPolicy } from "./policy/sandbox-policy.ts";
import { kindAt } from "./policy/existing-path.ts";
import { unmoved } from "./policy/grants.ts";

/** A canonical path, with everything below only if that was declared. */
export interface DeclaredPath {
  readonly path: string;
  readonly scope: "file" | "tree";
}

/** Everything that a program may reach, by path and by host. */
export interface DeclaredAccess {
  readonly reads: readonly DeclaredPath[];
  /** Paths that exist: a program that may create a file would need the directory around it. */
  readonly writes: readonly DeclaredPath[];
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
  /** Network that the user opens for programs at all: nothing that is declared extends it. */
  readonly network: SandboxNetwork;
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
  { home, secrets, directory, network, hide, keep }: DeclaredPolicyOptions,
): Promise<SandboxPolicy> {
  const open = await openHosts(hosts, network);
  const readable = declaredPaths(reads);
  return await sandboxPolicy({
    workspace: directory,
    temporary: directory,
    home,
    variables: {},
    readable: [
      ...readable,
      realpathSync(process.execPath),
      // The program that passes connections to the proxy, and what it loads.
      ...(open.length === 0 ? [] : [realpathSync(parentPath(parentPath(programFile("relay"))))]),
    ],
    writable: declaredPaths(writes),
    ...(secrets === undefined ? {} : { secrets }),
    hide,
    keep,
    reveal: readable,
    network: open.length === 0 ? { kind: "none" } : { kind: "hosts", hosts: open },
    limits: { fileBytes: maxFileBytes, processes: maxProcesses },
    leftovers: "ended",
  });
}

/** Paths that can be opened: a directory is a whole tree for a sandbox, so it is left out where one file was declared. */
function declaredPaths(declared: readonly DeclaredPath[]): readonly string[] {
  const found = declared.filter(
    ({ path, scope }) => scope !== "file" || kindAt(path) !== "directory",
  );
  return unmoved(found.map(({ path }) => path));
}

/** The declared hosts that the network of all programs includes. */
async function openHosts(
  hosts: readonly string[],
  network: SandboxNetwork,
): Promise<readonly string[]> {
  if (network.kind === "none" || hosts.length === 0) return [];
  if (network.kind === "open") return hosts;
  const { hostList } = await import("./proxy/host-list.ts");
  const listed = hostList(network.hosts);
  return hosts.filter((each) => {
    const [host = "", port = "443"] = each.split(":");
    return listed.allows(host, Number(port));
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
    driver === undefined || driver === "none" ? "No sandbox here can" : `${driver} cannot`;
  return new ToolError(
    "UNAVAILABLE",
    `${what} restrict a program to the files and hosts that it declares, so it was not run.`,
    { hint: "Install bubblewrap; haft doctor lists the options.", retryable: false },
  );
}
