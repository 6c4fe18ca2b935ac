import { isAbsolutePath } from "../../text/index.ts";

export interface SearchRoot {
  /** Directory to search, as given or absolute. */
  readonly root: string;
  /** Pattern relative to the root. */
  readonly pattern: string;
}

/**
 * Splits a pattern that names its own directory, such as `/project/src/**` or `../other/*.ts`, into the directory and
 * the rest, because a search never leaves the directory it was given.
 */
export function searchRoot(pattern: string, path: string): SearchRoot {
  const isOwn = isAbsolutePath(pattern) || pattern.startsWith("../") || pattern === "..";
  if (!isOwn) return { root: path, pattern };
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[\]{}!()]/u.test(part));
  const end = wild === -1 ? parts.length - 1 : wild;
  const folder = parts.slice(0, end).join("/");
  const rest = parts.slice(end).join("/");
  const base = isAbsolutePath(pattern) || path === "." ? folder : `${path}/${folder}`;
  // Without a leading slash, the last part would match at any depth; it means only its own directory.
  return { root: base === "" ? "/" : base, pattern: rest.includes("/") ? rest : `/${rest}` };
}
