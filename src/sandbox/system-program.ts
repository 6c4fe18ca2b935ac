import { access, constants } from "node:fs/promises";

/** Where the system keeps its programs; some systems bless only these. Never looked up by PATH, which a workspace may be on. */
const directories = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/run/current-system/sw/bin",
];

/** The absolute path of a program of the system, or undefined where there is none. */
export async function systemProgram(name: string): Promise<string | undefined> {
  for (const directory of directories) {
    const path = `${directory}/${name}`;
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Not here.
    }
  }
  return undefined;
}
