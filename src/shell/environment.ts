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
