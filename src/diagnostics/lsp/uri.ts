/** Address of a file. */
export function uriOf(path: string): string {
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Path of an address; undefined if it is not that of a file on this machine. */
export function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:///")) return undefined;
  try {
    const path = decodeURIComponent(uri.slice("file://".length));
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined;
  }
}
