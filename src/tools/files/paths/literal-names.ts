/** Reason why a text is probably not the intended path, with the intended one if it can be determined. */
export interface TakenLiterally {
  /** One sentence. */
  readonly because: string;
  readonly plain: string | undefined;
  /** Whether no file has such a name on purpose. */
  readonly isNeverMeant?: boolean;
}

/**
 * Determines which path was probably meant: the one inside quotes or a `file:` URL, the one below the home directory,
 * or the one without a trailing blank. Undefined for a text that may well be a path. A path that begins with `./` is
 * always literal, except for leading and trailing blanks.
 */
export function takenLiterally(text: string, home: string): TakenLiterally | undefined {
  const found = firstForm(text, home);
  if (found?.plain === undefined) return found;
  // Quotes may contain a URL, and a URL may contain a blank.
  const further = takenLiterally(found.plain, home);
  const plain = further === undefined ? found.plain : further.plain;
  return { ...found, plain: plain === "" ? undefined : plain };
}

function firstForm(text: string, home: string): TakenLiterally | undefined {
  const trimmed = text.trim();
  if (trimmed !== text) {
    return {
      because: `${JSON.stringify(text)} begins or ends with white space.`,
      plain: trimmed,
      isNeverMeant: true,
    };
  }
  const quoted = /^(?:"(.*)"|'(.*)'|`(.*)`|\u201C(.*)\u201D|\u2018(.*)\u2019)$/su.exec(text);
  if (quoted !== null) {
    const plain = quoted.slice(1).find((each) => each !== undefined);
    return { because: `${text} is in quotes, which would be part of the name.`, plain };
  }
  return urlForm(text) ?? shellForm(text, home) ?? windowsForm(text);
}

function urlForm(text: string): TakenLiterally | undefined {
  const because = `${text} is a URL, and no path.`;
  if (/^file:/iu.test(text)) return fileUrl(text, because);
  if (!/^[a-z][a-z\d+.-]*:\/\//iu.test(text)) return undefined;
  return { because: `${because} Only files are opened here.`, plain: undefined };
}

function fileUrl(text: string, because: string): TakenLiterally {
  try {
    const { host, pathname } = new URL(text);
    if (host !== "") {
      return { because: `${because} It names the machine ${host}.`, plain: undefined };
    }
    const relative = /^file:(?!\/)([^?#]*)/iu.exec(text)?.[1];
    const plain = decodeURIComponent(relative ?? pathname);
    return { because, plain: plain.includes("\0") ? undefined : plain };
  } catch {
    return { because, plain: undefined };
  }
}

function shellForm(text: string, home: string): TakenLiterally | undefined {
  const below = /^(?:~|\$HOME|\$\{HOME\})(?:\/(.*))?$/su.exec(text);
  if (below !== null) {
    const rest = below[1] ?? "";
    const because = `${text.startsWith("~") ? "~ is" : "Variables are"} not expanded in a path.`;
    return { because, plain: rest === "" ? home : `${home}/${rest}` };
  }
  if (/^\$(?:[A-Z_][A-Z\d_]*|\{\w+\})(?:\/|$)/u.test(text)) {
    return { because: "Variables are not expanded in a path.", plain: undefined };
  }
  // Programs create names such as `~$name.docx` and `~name.tmp`.
  if (/^~[a-z_][\w-]*(?:\/|$)/u.test(text)) {
    return { because: "~ is not expanded in a path.", plain: undefined };
  }
  if (/^[^\\]*\\ /u.test(text)) {
    return {
      because: `${text} has a blank that is escaped as for a shell.`,
      plain: text.replaceAll("\\ ", " "),
    };
  }
  return undefined;
}

function windowsForm(text: string): TakenLiterally | undefined {
  if (/^\.{1,2}\\/u.test(text)) {
    return {
      because: `${text} is a Windows path; directories are separated by / here.`,
      plain: text.replaceAll("\\", "/"),
    };
  }
  if (!/^\/?[a-z]:[\\/]|^\\\\/iu.test(text)) return undefined;
  return {
    because: `${text} is a path of Windows; here a path begins with / or is relative.`,
    plain: undefined,
  };
}
