/**
 * The name, in the folder for temporary files, of what is kept from programs that are confined: pipes of other programs
 * while they have names, and what other sandboxes are made of. It is the user's own, and closed to others.
 */
export function privateFolderName(user: number): string {
  return `haft-sandboxes-${user}`;
}
