/**
 * Names that searches ignore by default unless git tracks the entry: directories without hand-written content, and two
 * kinds of litter. A file that happens to be called `build` is not ignored.
 */
const folders: ReadonlySet<string> = new Set([
  "node_modules",
  "__pycache__",
  "vendor",
  "dist",
  "build",
]);

/** Whether entries with this name are ignored in every directory. */
export function isAlwaysIgnored(name: string, isDirectory: boolean): boolean {
  if (isDirectory) return folders.has(name);
  return name === ".DS_Store" || name.endsWith(".pyc");
}

/** The same names in gitignore syntax. */
export const alwaysIgnoredGlobs: readonly string[] = [
  ...Array.from(folders, (name) => `${name}/`),
  ".DS_Store",
  "*.pyc",
];
