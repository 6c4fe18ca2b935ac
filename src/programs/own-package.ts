import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Directory of a package that was installed together with haft, or undefined.
 *
 * Searches only the directories that contain this module. Node's own search also accepts packages in any parent
 * directory, which may be a workspace, and `require` accepts those in NODE_PATH.
 */
export function ownPackage(
  name: string,
  from = fileURLToPath(import.meta.url),
): string | undefined {
  for (const directory of packageDirectories(from)) {
    const candidate = path.join(directory, name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return undefined;
}

/** Path of the ripgrep binary that was installed with haft. */
export function ownRipgrep(): string | undefined {
  const main = ownPackage("@vscode/ripgrep");
  if (main === undefined) return undefined;
  const system = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const directory = ownPackage(system, `${main}/package.json`) ?? ownPackage(system);
  if (directory === undefined) return undefined;
  const binary = path.join(directory, "bin", process.platform === "win32" ? "rg.exe" : "rg");
  return existsSync(binary) ? binary : undefined;
}

/** `node_modules` directory of the package that contains a file, and those above it that contain this package. */
function packageDirectories(file: string): readonly string[] {
  const found: string[] = [];
  let hasRoot = false;
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at)) {
    if (path.basename(at) === "node_modules") found.push(at);
    else if (!hasRoot && existsSync(path.join(at, "package.json"))) {
      hasRoot = true;
      found.push(path.join(at, "node_modules"));
    }
  }
  return found;
}
