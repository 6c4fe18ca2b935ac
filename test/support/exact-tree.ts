import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";

/** All there is below a folder: kinds, modes, contents, links, and when files were last modified. */
export async function exactTree(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const { mode, mtimeMs } = await lstat(file);
    const said = `${path.relative(root, file)} ${mode.toString(8)}`;
    if (entry.isSymbolicLink()) return `${said} -> ${await readlink(file)}`;
    if (!entry.isFile()) return said;
    return `${said} ${mtimeMs.toFixed(2)} ${JSON.stringify(await readFile(file, "utf8"))}`;
  });
  return (await Promise.all(lines)).toSorted();
}

/** Without the time. */
export function undated(line: string): string {
  return line.replace(/ \d+\.\d\d /u, " ");
}
