import type { Argument } from "./words.ts";

/** Variables that only change the language, colors and width of a program's output. */
const display =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TZ|COLUMNS|LINES|TERM|CI)$/u;

/** Whether setting `name` for a program can only change the appearance of its output. */
export function isPlainAssignment(name: string, value: Argument): boolean {
  // The name of a region, which the C library looks up in its own directory.
  if (
    name === "TZ" &&
    typeof value === "string" &&
    /^[A-Z][A-Za-z_]+\/[A-Z][\w+-]+$/u.test(value)
  ) {
    return true;
  }
  // A pager that prints everything unchanged, like an empty value; and no prompts, no waiting for locks.
  if (/^(?:GIT_|MAN)?PAGER$/u.test(name)) return value === "cat" || value === "";
  if (/^GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)$/u.test(name)) return value === "0";
  if (!display.test(name)) return false;
  // A path makes the C library or the terminal library read that file.
  return typeof value === "string" && !value.includes("/");
}

/** Lowercase variables that programs obey when exported. */
const obeyed = /^(?:(?:https?|ftp|all|no|rsync|socks)_proxy|npm_.*|histchars|auto_resume)$/u;

/** Whether setting a shell variable of this name cannot affect a program, because only scripts use it. */
export function setsQuietly(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/u.test(name) && !obeyed.test(name);
}

/** Variables that bash itself sets or obeys, according to its manual. */
const bashOwn =
  /^(?:_|BASH.*|COMP_.*|COMPREPLY|COPROC|DIRSTACK|EPOCH.*|EUID|FUNCNAME|FUNCNEST|GROUPS|HIST.*|HOST.*|LINENO|MACHTYPE|MAPFILE|OLDPWD|OPT.*|OSTYPE|PIPESTATUS|PPID|PWD|S?RANDOM|READLINE_.*|REPLY|SECONDS|SHELL.*|SHLVL|UID|CDPATH|CHILD_MAX|COLUMNS|EMACS|ENV|EXECIGNORE|FCEDIT|FIGNORE|GLOB.*|HOME|IFS|IGNOREEOF|INPUTRC|INSIDE_EMACS|LANG|LANGUAGE|LC_.*|LINES|MAIL.*|PATH|POSIXLY_CORRECT|PROMPT_.*|PS\d|TERM|TEXTDOMAIN.*|TIMEFORMAT|TMOUT|TMPDIR|TZ|auto_resume|histchars)$/u;

export function isBashVariable(name: string): boolean {
  return bashOwn.test(name);
}

/**
 * Environment variables that a listed program receives. None of them names a program to run, a file to load or options
 * to add, unlike BASH_ENV, LD_LIBRARY_PATH, PYTHONPATH, LESSOPEN, GIT_EXTERNAL_DIFF, RIPGREP_CONFIG_PATH and PAGER.
 */
export const plainEnvironment: readonly string[] = [
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TERM",
  "COLORTERM",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "COLUMNS",
  "LINES",
  "NO_COLOR",
  "FORCE_COLOR",
  "CLICOLOR",
  "CLICOLOR_FORCE",
  "CI",
  "XDG_CONFIG_HOME",
  "SYSTEMROOT",
  "USERPROFILE",
];

/** Families of variables that programs obey; those of git are set again for it, so they are always passed on. */
const families =
  /^(?:GIT|LD|DYLD|NODE|NPM|PYTHON|PERL|RUBY|JAVA|JDK|_JAVA|GREP|RIPGREP|LESS|MORE|MAN|LS|TAR|GZIP|BZIP2?|XZ|ZSTD|UNZIP|ZIP|CURL|WGET|SSH|SSL|HTTPS?|FTP|ALL|NO|GCONV|LOCPATH|NLSPATH|MALLOC|GLIBC|AWK|JQ|FD|BAT|ACK|SVN|HG|CARGO|RUST|GO|CC|CXX|MAKE|DOCKER|XDG|EDITOR|VISUAL|PAGER|BROWSER)(?:_|[A-Z]*PATH$|[A-Z]*OPT|[A-Z]*HOME$|LIB$|OPEN$|CLOSE$|FLAGS$|$)/u;

const kept: ReadonlySet<string> = new Set(plainEnvironment);

/**
 * Whether a shell variable of this name does not reach programs whose effects are all listed: these are started with
 * the plain environment only, and bash does not obey the variable.
 */
export function isOwnVariable(name: string): boolean {
  return (
    /^[A-Z][A-Z0-9_]*$/u.test(name) &&
    !isBashVariable(name) &&
    !families.test(name) &&
    !kept.has(name) &&
    !name.startsWith("LC_")
  );
}
