/** Directories with skills below a workspace or a home directory; of skills with one name the first counts. */
export const skillDirectories: readonly string[] = [
  ".haft/skills",
  ".agents/skills",
  ".claude/skills",
];
