/** Settings that name no program, no file to read, and no other path to search. */
const plainSettings: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)$/u,
  /^extensions\.(?:objectformat|refstorage)$/u,
  /^remote\..+\.(?:url|pushurl|fetch|push|prune|tagopt)$/u,
  /^branch\..+\.(?:remote|merge|rebase|pushremote)$/u,
  /^submodule\..+\.(?:active|url)$/u,
  /^user\.(?:name|email)$/u,
  /^(?:init\.defaultbranch|pull\.rebase|push\.default|gc\.auto)$/u,
];

/**
 * Returns the settings in a git configuration that do more than set names and addresses, as lines that can be compared.
 * A setting that is not understood is included.
 */
export function runningSettings(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  let section = "";
  for (const each of text.split("\n")) {
    const line = each.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const header = /^\[([\w.-]+)(?: "((?:[^"\\]|\\.)*)")?\]$/u.exec(line);
    if (header?.[1] !== undefined) {
      const below = header[2] === undefined ? "" : `.${header[2]}`;
      section = `${header[1].toLowerCase()}${below}`;
      continue;
    }
    const setting = /^([a-z][\w-]*)\s*(?:=\s*(.*))?$/iu.exec(line);
    const name = `${section}.${setting?.[1]?.toLowerCase() ?? ""}`;
    if (setting === null || !isPlain(name, setting[2] ?? "")) found.add(`[${section}] ${line}`);
  }
  return found;
}

/**
 * Whether a setting is harmless. A value that continues in the next line could end the section unseen;
 * `helper::address` starts a helper.
 */
function isPlain(name: string, value: string): boolean {
  // Quotes may occur anywhere in a value, and are not part of it.
  if (value.endsWith("\\") || /^[\w+.-]+::/u.test(value.replaceAll(/["\\]/gu, ""))) return false;
  return plainSettings.some((pattern) => pattern.test(name));
}
