/**
 * Lexical operations on canonical absolute paths with `/` between components. Pure, so that policy and scheduling need
 * no host; hosts canonicalize paths before they are passed here.
 */

/** Whether `path` is `root` or is below it, compared by component and never by prefix. */
export function isWithin(root: string, path: string): boolean {
  if (path === root) return true;
  if (root === "/") return path.startsWith("/");
  return path.length > root.length && path.startsWith(root) && path.charCodeAt(root.length) === 47;
}

/** The path from `root` down to `path` without a leading slash; "" for the root itself, undefined outside it. */
export function pathBelow(root: string, path: string): string | undefined {
  if (!isWithin(root, path)) return undefined;
  if (path === root) return "";
  return path.slice(root === "/" ? 1 : root.length + 1);
}

export function isAbsolutePath(path: string): boolean {
  if (path.startsWith("/")) return true;
  return path.charCodeAt(1) === 58 && /^[A-Za-z]:[\\/]/u.test(path);
}

/** A component that is removed, or a slash at the end. */
const unclean = /\/\.{0,2}(?:\/|$)/u;

/** Joins two paths and removes `.`, `..` and doubled slashes, without accessing the file system. */
export function joinPath(base: string, path: string): string {
  const joined = isAbsolutePath(path) ? path : `${base}/${path}`;
  if (joined.startsWith("/") && !unclean.test(joined)) return joined;
  const parts: string[] = [];
  for (const part of joined.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function parentPath(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Whether the kernel makes what is at a canonical path, so that no data can be stored there. What is below `/dev/null`,
 * the home of accounts without one, only does not exist.
 */
export function isKernelPath(path: string): boolean {
  const isDevice =
    isWithin("/dev", path) && !["/dev/shm", "/dev/null"].some((each) => isWithin(each, path));
  return isDevice || isWithin("/proc", path) || isWithin("/sys", path);
}
