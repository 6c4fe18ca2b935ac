import { baseName, joinPath } from "../../text/index.ts";
import { makeOwnFolder } from "./private-directory.ts";
import { ToolError, type HostClock, type HostFs } from "../../core/index.ts";

/** Directory of damaged files, which stay there under their names until the user removes them. */
export const damagedName = "damaged";

/** Moves a damaged file, or an obstacle at its path, to the directory of damaged files. False if that fails. */
export async function setAside(
  path: string,
  {
    fs,
    directory,
    clock,
  }: { readonly fs: HostFs; readonly directory: string; readonly clock: Pick<HostClock, "now"> },
): Promise<boolean> {
  const to = joinPath(directory, damagedName);
  try {
    await makeOwnFolder(fs, to);
    await fs.move(path, joinPath(to, `${baseName(path)}.${clock.now()}`));
    return true;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return false;
  }
}

/** Creates a directory of the journal. An obstacle at its path is set aside. */
export async function makeFolder(
  fs: HostFs,
  path: string,
  away: (path: string) => Promise<boolean>,
): Promise<void> {
  try {
    await makeOwnFolder(fs, path);
  } catch (error) {
    if (!isInTheWay(error) || !(await away(path))) throw error;
    await makeOwnFolder(fs, path);
  }
}

/** Whether an error means that the path has something of another type than the file or directory expected. */
export function isInTheWay(error: unknown): boolean {
  return ToolError.is(error) && wrongKinds.has(error.code);
}

const wrongKinds: ReadonlySet<string> = new Set([
  "IS_DIRECTORY",
  "NOT_A_DIRECTORY",
  "NOT_A_FILE",
  "PATH_CHANGED",
  "ALREADY_EXISTS",
]);
