import { gitConfigPaths, isWithin, joinPath, ToolError, type HostFs } from "../core/index.ts";

/** Paths below the roots that the settings of their repositories name: files they include, and what git runs from. */
export async function gitNamedPaths(
  fs: Pick<HostFs, "readFile">,
  roots: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const root of roots) {
    const text = await textAt(fs, joinPath(root, ".git/config"));
    if (text === undefined) continue;
    const { included, runs } = gitConfigPaths(text);
    found.push(...included.map((path) => joinPath(joinPath(root, ".git"), path)));
    found.push(...runs.map((path) => joinPath(root, path)));
  }
  return found.filter((path) => roots.some((root) => root !== path && isWithin(root, path)));
}

/** A text as it is on a host, or undefined where it cannot be read. */
export async function textAt(
  fs: Pick<HostFs, "readFile">,
  path: string,
): Promise<string | undefined> {
  try {
    return new TextDecoder().decode((await fs.readFile(path, { maxBytes: 1_000_000 })).bytes);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
