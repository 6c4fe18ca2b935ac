/** Note for paths that differ from the real name because it is not UTF-8; empty if all paths are exact. */
export function inexactNames(paths: readonly string[]): readonly string[] {
  return paths.some(isInexact)
    ? [
        "\uFFFD in a path stands for bytes that are not UTF-8: no tool opens it by that name, but Bash does with * in their place.",
      ]
    : [];
}

/** Whether a path contains the replacement for bytes that are not UTF-8. */
export function isInexact(path: string): boolean {
  return path.includes("\uFFFD");
}
