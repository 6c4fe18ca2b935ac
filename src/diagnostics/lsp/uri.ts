/** Address of a file. */
export function uriOf(path: string): string {
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Path of an address; undefined if it is not that of a file on this machine, or not its plain path: exclusions compare
 * paths part by part.
 */
export function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:///")) return undefined;
  try {
    const path = decodeURIComponent(uri.slice("file://".length));
    const isPlain = !path.includes("\0") && path.split("/").slice(1).every(isName);
    return isPlain ? path : undefined;
  } catch {
    return undefined;
  }
}

function isName(part: string): boolean {
  return part !== "" && part !== "." && part !== "..";
}
