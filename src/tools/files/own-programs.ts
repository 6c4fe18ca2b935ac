import { isWithin, joinPath, ToolError, type Host } from "../../core/index.ts";

/** Folders on PATH that nobody who works in the workspace can change, by their canonical paths. */
export async function safePath(host: Host, workspace: string): Promise<readonly string[]> {
  const safe: string[] = [];
  for (const folder of host.info.path) {
    if (!folder.startsWith("/")) continue;
    const canonical = await canonicalOf(host, folder);
    if (canonical !== undefined && !isWithin(workspace, canonical)) safe.push(canonical);
  }
  return safe;
}

/**
 * The file of the workspace that a program's name would start: one in a folder on PATH such as `node_modules/.bin`,
 * or one that a link in a folder of the system leads to. Undefined where none would. What lies there is the
 * workspace's, whatever it is called.
 */
export async function ownProgram(
  host: Host,
  workspace: string,
  name: string,
): Promise<string | undefined> {
  for (const folder of host.info.path) {
    if (!folder.startsWith("/")) continue;
    const file = await programAt(host, joinPath(folder, name));
    if (file === undefined) continue;
    if (isWithin(workspace, file)) return file;
    // Behind the first that is safe only folders of the workspace matter, which are not searched when it counts.
    return undefined;
  }
  return undefined;
}

/** The file that starts this program, from the folders nobody in the workspace can change. */
export async function systemProgram(
  host: Host,
  workspace: string,
  name: string,
): Promise<string | undefined> {
  for (const folder of await safePath(host, workspace)) {
    const file = joinPath(folder, name);
    const canonical = await programAt(host, file);
    // The path as found: some programs are many by the name they are called.
    if (canonical !== undefined) return isWithin(workspace, canonical) ? undefined : file;
  }
  return undefined;
}

/** The canonical path of an executable file, or undefined where there is none. */
async function programAt(host: Host, path: string): Promise<string | undefined> {
  const canonical = await canonicalOf(host, path);
  if (canonical === undefined) return undefined;
  try {
    const { kind, mode } = await host.fs.stat(canonical);
    return kind === "file" && (mode & 0o111) !== 0 ? canonical : undefined;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

async function canonicalOf(host: Host, path: string): Promise<string | undefined> {
  try {
    return await host.fs.canonical(path);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
