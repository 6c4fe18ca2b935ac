/** Settings that name no program, no file to be read and no other place to look for either. */
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
 * What a text of git's settings says beyond names and addresses, in lines that can be compared: whatever of it is not
 * understood is among them.
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

/** A value that goes on in the next line could end the section unseen; `helper::address` starts a helper. */
function isPlain(name: string, value: string): boolean {
  // Quotes may stand anywhere in a value, and are no part of it.
  if (value.endsWith("\\") || /^[\w+.-]+::/u.test(value.replaceAll(/["\\]/gu, ""))) return false;
  return plainSettings.some((pattern) => pattern.test(name));
}
