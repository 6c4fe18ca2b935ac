/** What is said where a path is shown that is not exactly its name; nothing where all are. */
export function inexactNames(paths: readonly string[]): readonly string[] {
  return paths.some(isInexact)
    ? [
        "\uFFFD in a path stands for bytes that are not UTF-8: no tool opens it by that name, but Bash does with * in their place.",
      ]
    : [];
}

/** Whether a path has what stands for bytes that are no text. */
export function isInexact(path: string): boolean {
  return path.includes("\uFFFD");
}
