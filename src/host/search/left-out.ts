/**
 * What every search leaves out unless ignored files are wanted: folders that hold nothing written by hand, and
 * two kinds of litter. A file that happens to be called `build` is a file.
 */
const folders: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  "__pycache__",
  "vendor",
  "dist",
  "build",
]);

/** Whether an entry of this name is left out wherever it lies. */
export function isLeftOut(name: string, isDirectory: boolean): boolean {
  // In a worktree `.git` is a file.
  if (isDirectory) return folders.has(name);
  return name === ".DS_Store" || name === ".git" || name.endsWith(".pyc");
}

/** The same in gitignore syntax. */
export const leftOutGlobs: readonly string[] = [
  ...Array.from(folders, (name) => (name === ".git" ? name : `${name}/`)),
  ".DS_Store",
  "*.pyc",
];
