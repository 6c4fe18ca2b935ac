import type { Argument } from "./words.ts";

/** Variables that only change the language, colours and width of what a program prints. */
const display =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TZ|COLUMNS|LINES|TERM|CI)$/u;

/** Whether setting `name` for a program can only change how its output looks. */
export function isPlainAssignment(name: string, value: Argument): boolean {
  // The name of a region, which the C library looks up in its own folder.
  if (
    name === "TZ" &&
    typeof value === "string" &&
    /^[A-Z][A-Za-z_]+\/[A-Z][\w+-]+$/u.test(value)
  ) {
    return true;
  }
  // A pager that hands everything on, as nothing does; and no prompts, no waiting for locks.
  if (/^(?:GIT_|MAN)?PAGER$/u.test(name)) return value === "cat" || value === "";
  if (/^GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)$/u.test(name)) return value === "0";
  if (!display.test(name)) return false;
  // A path here makes the C library or the terminal library read a file of that name.
  return typeof value === "string" && !value.includes("/");
}

/** Lower-case names that programs obey when they are exported. */
const obeyed = /^(?:(?:https?|ftp|all|no|rsync|socks)_proxy|npm_.*|histchars|auto_resume)$/u;

/** Whether setting a shell variable of this name can reach no program: nothing but scripts uses it. */
export function setsQuietly(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/u.test(name) && !obeyed.test(name);
}

/** Variables that bash itself sets or obeys, by its manual. */
const bashOwn =
  /^(?:_|BASH.*|COMP_.*|COMPREPLY|COPROC|DIRSTACK|EPOCH.*|EUID|FUNCNAME|FUNCNEST|GROUPS|HIST.*|HOST.*|LINENO|MACHTYPE|MAPFILE|OLDPWD|OPT.*|OSTYPE|PIPESTATUS|PPID|PWD|S?RANDOM|READLINE_.*|REPLY|SECONDS|SHELL.*|SHLVL|UID|CDPATH|CHILD_MAX|COLUMNS|EMACS|ENV|EXECIGNORE|FCEDIT|FIGNORE|GLOB.*|HOME|IFS|IGNOREEOF|INPUTRC|INSIDE_EMACS|LANG|LANGUAGE|LC_.*|LINES|MAIL.*|PATH|POSIXLY_CORRECT|PROMPT_.*|PS\d|TERM|TEXTDOMAIN.*|TIMEFORMAT|TMOUT|TMPDIR|TZ|auto_resume|histchars)$/u;

export function isBashVariable(name: string): boolean {
  return bashOwn.test(name);
}

/**
 * What a listed program may see of the environment. Nothing here names a program to run, a file to load or
 * options to add, as BASH_ENV, LD_LIBRARY_PATH, PYTHONPATH, LESSOPEN, GIT_EXTERNAL_DIFF, RIPGREP_CONFIG_PATH or PAGER do.
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

/** Families of names that programs obey; those of git are set anew for it, so they are always handed on. */
const families =
  /^(?:GIT|LD|DYLD|NODE|NPM|PYTHON|PERL|RUBY|JAVA|JDK|_JAVA|GREP|RIPGREP|LESS|MORE|MAN|LS|TAR|GZIP|BZIP2?|XZ|ZSTD|UNZIP|ZIP|CURL|WGET|SSH|SSL|HTTPS?|FTP|ALL|NO|GCONV|LOCPATH|NLSPATH|MALLOC|GLIBC|AWK|JQ|FD|BAT|ACK|SVN|HG|CARGO|RUST|GO|CC|CXX|MAKE|DOCKER|XDG|EDITOR|VISUAL|PAGER|BROWSER)(?:_|[A-Z]*PATH$|[A-Z]*OPT|[A-Z]*HOME$|LIB$|OPEN$|CLOSE$|FLAGS$|$)/u;

const kept: ReadonlySet<string> = new Set(plainEnvironment);

/**
 * Whether a shell variable of this name reaches no program that is known to do only what is listed: those are started
 * with nothing but the plain environment, and bash does not obey it.
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
