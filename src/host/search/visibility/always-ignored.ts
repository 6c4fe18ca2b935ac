/**
 * Names that searches leave out by default, where git does not track what has them: directories that hold nothing
 * written by hand, and two kinds of litter. A file that happens to be called `build` is a file.
 */
const folders: ReadonlySet<string> = new Set([
  "node_modules",
  "__pycache__",
  "vendor",
  "dist",
  "build",
]);

/** Whether an entry of this name is left out wherever it is. */
export function isLeftOut(name: string, isDirectory: boolean): boolean {
  if (isDirectory) return folders.has(name);
  return name === ".DS_Store" || name.endsWith(".pyc");
}

/** The same in gitignore syntax. */
export const leftOutGlobs: readonly string[] = [
  ...Array.from(folders, (name) => `${name}/`),
  ".DS_Store",
  "*.pyc",
];
