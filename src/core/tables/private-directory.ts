/**
 * Returns the name of the directory, in the directory for temporary files, that confined programs cannot access: it
 * contains named pipes of other programs and the files of other sandboxes. It belongs to the user and is closed to
 * other users.
 */
export function privateFolderName(user: number): string {
  return `haft-sandboxes-${user}`;
}
