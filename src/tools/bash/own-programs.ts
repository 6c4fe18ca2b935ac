import { isWithin, joinPath, ToolError, type Host } from "../../core/index.ts";

/** Folders on PATH that nobody who works in the workspace can change. */
export function safePath(host: Host, workspace: string): readonly string[] {
  return host.info.path.filter((folder) => folder.startsWith("/") && !isWithin(workspace, folder));
}

/**
 * The file a program's name would start from a folder of the workspace on PATH, such as `node_modules/.bin`;
 * undefined where none would. What lies there is the workspace's, whatever it is called.
 */
export async function ownProgram(
  host: Host,
  workspace: string,
  name: string,
): Promise<string | undefined> {
  for (const folder of host.info.path) {
    if (!isWithin(workspace, folder)) continue;
    const file = joinPath(folder, name);
    if (await isThere(host, file)) return file;
  }
  return undefined;
}

/** The file that starts this program, from the folders nobody in the workspace can change. */
export async function systemProgram(
  host: Host,
  workspace: string,
  name: string,
): Promise<string | undefined> {
  for (const folder of safePath(host, workspace)) {
    const file = joinPath(folder, name);
    if (await isThere(host, file)) {
      const canonical = await host.fs.canonical(file);
      if (!isWithin(workspace, canonical)) return file;
    }
  }
  return undefined;
}

async function isThere(host: Host, file: string): Promise<boolean> {
  try {
    const { kind, mode } = await host.fs.stat(await host.fs.canonical(file));
    return kind === "file" && (mode & 0o111) !== 0;
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}
