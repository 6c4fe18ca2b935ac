/**
 * Paths in the text of a git configuration: included configuration files, and directories or programs that git runs.
 * They are as written: relative to the configuration file (included files) or to the working tree (all others), or with
 * `~/`.
 */
export interface GitConfigPaths {
  /** Files that are included, whatever their condition. */
  readonly included: readonly string[];
  /** The hooks directory, and programs that git starts by path. */
  readonly runs: readonly string[];
}

const running =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|attributesfile)|sequence\.editor|diff\.(?:.+\.)?(?:external|command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|interactive\.difffilter|(?:mergetool|difftool)\..+\.(?:cmd|path)|(?:alias|pager|hook)\..+)$/u;

export function gitConfigPaths(text: string): GitConfigPaths {
  const included: string[] = [];
  const runs: string[] = [];
  let section = "";
  for (const each of text.replaceAll(/\\\r?\n/gu, "").split(/\r?\n/u)) {
    const [, head, below, after = ""] =
      /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/u.exec(each) ?? [];
    if (head !== undefined) {
      section = `${head.toLowerCase()}${below === undefined ? "" : `.${below.toLowerCase()}`}`;
    }
    const [, key, value] =
      /^\s*([a-z][\w-]*)\s*=\s*(.*)$/iu.exec(head === undefined ? each : after) ?? [];
    if (key === undefined || value === undefined) continue;
    const name = `${section}.${key.toLowerCase()}`;
    const plain = unquoted(value);
    if (/^include(?:if\..+)?\.path$/u.test(name)) included.push(plain);
    else if (running.test(name)) runs.push(...pathsOf(plain, name));
  }
  return { included, runs };
}

/**
 * The words of a command that can be paths in the working tree; the value of a hooks directory is one path, whatever it
 * contains.
 */
function pathsOf(value: string, name: string): readonly string[] {
  if (/\.(?:hookspath|attributesfile)$/u.test(name)) return value === "" ? [] : [value];
  return value.split(/[\s;&|<>()"'`]+/u).flatMap((word) => {
    const path = word.replace(/^!/u, "").replace(/^[\w-]+=/u, "");
    return path.includes("/") && !path.includes("://") ? [path] : [];
  });
}

/** The value without comment, quotes and escapes. */
function unquoted(value: string): string {
  let text = "";
  let isQuoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const char = value[at];
    if (char === "\\") text += value[(at += 1)] ?? "";
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else text += char;
  }
  return text.trim();
}

/** Both values of a setting, with NUL between different ones: git takes the last one, or all of them. */
export function bothValues(earlier: string | undefined, value: string): string {
  if (earlier === undefined || earlier.split("\0").includes(value)) return earlier ?? value;
  return `${earlier}\0${value}`;
}
