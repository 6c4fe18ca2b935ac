import { isAbsolutePath } from "../../core/index.ts";

export interface SearchRoot {
  /** Folder to search, as given or absolute. */
  readonly root: string;
  /** The pattern from there. */
  readonly pattern: string;
}

/**
 * Splits a pattern that names its own folder, such as `/project/src/**` or `../other/*.ts`, into the folder
 * and the rest: a search never looks above the folder it was given.
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
  // Without a slash in front the last part would match at any depth; it means its own folder.
  return { root: base === "" ? "/" : base, pattern: rest.includes("/") ? rest : `/${rest}` };
}
