import type { Program } from "../walk/invocation-context.ts";
import { archivePrograms } from "./files/archives.ts";
import { builtins } from "./builtins.ts";
import { filePrograms } from "./files/files.ts";
import { gitPrograms } from "./git/git.ts";
import { launcherPrograms } from "./launchers.ts";
import { networkPrograms } from "./network.ts";
import { searchPrograms } from "./files/search.ts";
import { servicePrograms } from "./services.ts";
import { shellPrograms } from "./shells.ts";
import { systemPrograms } from "./system.ts";
import { textPrograms } from "./text/text.ts";

/** Tables of programs with a row; builtins come first, as in bash. */
const families: readonly ReadonlyMap<string, Program>[] = [
  builtins,
  filePrograms,
  textPrograms,
  searchPrograms,
  gitPrograms,
  systemPrograms,
  shellPrograms,
  launcherPrograms,
  servicePrograms,
  networkPrograms,
  archivePrograms,
];

/** Row of a program by its name without a directory. */
export function findProgram(name: string): Program | undefined {
  for (const family of families) {
    const program = family.get(name);
    if (program !== undefined) return program;
  }
  return undefined;
}

/** Whether this is a builtin, so that the shell does not search for a file of that name. */
export function isBuiltin(name: string): boolean {
  return (
    builtins.has(name) || name === "eval" || name === "exec" || name === "source" || name === "."
  );
}

/** Names of all programs with a row. */
export function knownPrograms(): ReadonlySet<string> {
  return new Set(families.flatMap((family) => [...family.keys()]));
}
