import type { Effect } from "../core/index.ts";
import { isAbsolutePath, isWithin, joinPath } from "../text/index.ts";

/** Refusals of the sandbox and of Node, as programs print them. */
const refused =
  /\b(?:EACCES|EPERM|EROFS|ERR_ACCESS_DENIED)\b|Permission denied|Read-only file system|Operation not permitted/u;
const noNetwork =
  /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|EHOSTUNREACH)\b|Network is unreachable|Could not resolve host|Temporary failure in name resolution/iu;

/** A path in quotes, or in front of a colon as shells print it. */
const namedPath = /'(\/[^']*)'|(?:^|\s)(\/[^\s:]+):/u;

/** The attempt to do more than the effects of a call that an error text shows; undefined if it shows none. */
export function excessIn(
  stderr: string,
  effects: readonly Effect[],
  cwd: string,
): string | undefined {
  for (const line of stderr.split("\n").slice(-50)) {
    if (refused.test(line)) {
      const [, quoted, bare] = namedPath.exec(line) ?? [];
      const path = quoted ?? bare;
      if (path === undefined || !isDeclared(path, effects, cwd)) return line.trim().slice(0, 300);
    }
    const connects = effects.some(({ kind }) => kind === "connect");
    if (!connects && noNetwork.test(line)) return line.trim().slice(0, 300);
  }
  return undefined;
}

function isDeclared(path: string, effects: readonly Effect[], cwd: string): boolean {
  return effects.some((effect) => {
    if (effect.kind !== "write") return false;
    const named = isAbsolutePath(effect.path) ? effect.path : joinPath(cwd, effect.path);
    return effect.scope === "tree" ? isWithin(named, path) : named === path;
  });
}
