/** Effects of a sed script other than its output. */
export interface SedFindings {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Reason why the effects are not fully known; undefined if they are. */
  readonly because: string | undefined;
}

interface Cursor {
  readonly text: string;
  at: number;
  readonly reads: string[];
  readonly writes: string[];
}

class Unreadable extends Error {}

/** Text that every sed refuses; as a script is read before it runs, nothing after it has an effect. */
class Refused extends Error {}

/**
 * Reads a sed script command by command, following the grammar of the manual. If GNU, BSD and busybox sed would end a
 * command at different positions, the script is unknown: text for one may be a command for another.
 */
export function readSedScript(text: string): SedFindings {
  const cursor: Cursor = { text, at: 0, reads: [], writes: [] };
  let because: string | undefined;
  try {
    while (cursor.at < text.length) readCommand(cursor);
  } catch (error) {
    if (error instanceof Unreadable) because = error.message;
    else if (!(error instanceof Refused)) throw error;
  }
  return { reads: cursor.reads, writes: cursor.writes, because };
}

function skip(cursor: Cursor, pattern: RegExp): void {
  while (cursor.at < cursor.text.length && pattern.test(cursor.text.charAt(cursor.at))) cursor.at++;
}

function readCommand(cursor: Cursor): void {
  skip(cursor, /[\s;]/u);
  if (cursor.at >= cursor.text.length) return;
  if (readAddress(cursor)) {
    skip(cursor, /\s/u);
    if (cursor.text.charAt(cursor.at) === ",") {
      cursor.at++;
      skip(cursor, /\s/u);
      if (!readAddress(cursor)) throw new Refused();
    }
  }
  skip(cursor, /[\s!]/u);
  const name = cursor.text.charAt(cursor.at);
  cursor.at++;
  switch (name) {
    case "":
      return;
    case "{":
    case "}":
      return;
    case "#":
      restOfLine(cursor);
      return;
    case ":":
    case "b":
    case "t":
    case "T":
      // Other characters in a label, and its end, differ between versions.
      skip(cursor, /[ \t]/u);
      skip(cursor, /[\w.-]/u);
      return endOfCommand(cursor);
    case "a":
    case "i":
    case "c":
      readText(cursor);
      return;
    case "=":
    case "d":
    case "D":
    case "g":
    case "G":
    case "h":
    case "H":
    case "n":
    case "N":
    case "p":
    case "P":
    case "x":
    case "z":
    case "F":
      return endOfCommand(cursor);
    case "l":
    case "L":
    case "q":
    case "Q":
      skip(cursor, /[ \t]/u);
      skip(cursor, /\d/u);
      return endOfCommand(cursor);
    case "r":
    case "R":
      readFileName(cursor, cursor.reads);
      return;
    case "w":
    case "W":
      readFileName(cursor, cursor.writes);
      return;
    case "s":
      readSubstitute(cursor);
      return;
    case "y": {
      const close = delimiterAt(cursor);
      cursor.at++;
      readPlain(cursor, close);
      readPlain(cursor, close);
      return endOfCommand(cursor);
    }
    case "e":
      throw new Unreadable("the sed script runs a command (e)");
    // An address that is empty or negative.
    case ",":
    case "-":
      throw new Refused();
    default:
      throw new Unreadable(`the sed command ${name} is not known`);
  }
}

/** Reads one address, if there is one. */
function readAddress(cursor: Cursor): boolean {
  const char = cursor.text.charAt(cursor.at);
  if (/\d/u.test(char)) {
    skip(cursor, /\d/u);
    if (cursor.text.charAt(cursor.at) === "~") {
      cursor.at++;
      skip(cursor, /\d/u);
    }
    return true;
  }
  if (char === "$") {
    cursor.at++;
    return true;
  }
  if (char === "+" || char === "~") {
    cursor.at++;
    skip(cursor, /\d/u);
    return true;
  }
  if (char !== "/" && char !== "\\") return false;
  if (char === "\\") cursor.at++;
  readPattern(cursor);
  cursor.at++;
  skip(cursor, /[IM]/u);
  return true;
}

/** Reads a regular expression; the cursor is at the opening delimiter, which is also the closing one. */
function readPattern(cursor: Cursor): void {
  const close = delimiterAt(cursor);
  cursor.at++;
  for (;;) {
    const char = cursor.text.charAt(cursor.at);
    if (char === "" || char === "\n") throw new Unreadable("the sed script is not closed");
    if (char === close) break;
    if (char === "\\") {
      // `\cX` consumes one more character, which may be the bracket or the delimiter.
      if (cursor.text.charAt(cursor.at + 1) === "c") {
        throw new Unreadable("the sed script has an escape that versions read differently");
      }
      cursor.at += 2;
    } else if (char === "[") {
      const end = endOfBracket(cursor.text, cursor.at);
      // A sed that ends the pattern inside brackets reports an error, if all versions see the same bracket.
      if (end === undefined) throw new Unreadable("the sed script has an odd bracket expression");
      cursor.at = end;
    } else cursor.at++;
  }
}

/** Reads a replacement or a list of characters up to the delimiter; brackets have no meaning here. */
function readPlain(cursor: Cursor, close: string): void {
  for (;;) {
    const char = cursor.text.charAt(cursor.at);
    if (char === "") throw new Unreadable("the sed script is not closed");
    if (char === close) break;
    if (char === "\n") throw new Unreadable("the sed script is not closed");
    if (char === "\\" && cursor.text.charAt(cursor.at + 1) === "c") {
      throw new Unreadable("the sed script has an escape that versions read differently");
    }
    cursor.at += char === "\\" ? 2 : 1;
  }
  cursor.at++;
}

function delimiterAt(cursor: Cursor): string {
  const close = cursor.text.charAt(cursor.at);
  if (!/^[!-/:-@[\]-`{-~]$/u.test(close))
    throw new Unreadable("the sed script has an odd delimiter");
  return close;
}

/** Position after the bracket expression at `start`; undefined if versions may parse it differently. */
export function endOfBracket(text: string, start: number): number | undefined {
  let at = start + 1;
  if (text.charAt(at) === "^") at++;
  if (text.charAt(at) === "]") at++;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "\n") return undefined;
    if (char === "]") return at + 1;
    if (char === "[" && /[:.=]/u.test(text.charAt(at + 1))) {
      const named = /^\[(?::[a-z]+:|\.[^\]\n]\.|=[^\]\n]=)\]/u.exec(text.slice(at, at + 16));
      if (named === null) return undefined;
      at += named[0].length;
    } else at++;
  }
  return undefined;
}

function readSubstitute(cursor: Cursor): void {
  const close = delimiterAt(cursor);
  readPattern(cursor);
  cursor.at++;
  readPlain(cursor, close);
  for (;;) {
    const flag = cursor.text.charAt(cursor.at);
    if (flag === "e") throw new Unreadable("the sed script runs a command (s///e)");
    if (flag === "w") {
      cursor.at++;
      readFileName(cursor, cursor.writes);
      return;
    }
    if (!/[gpiImM0-9]/u.test(flag) || flag === "") break;
    cursor.at++;
  }
  endOfCommand(cursor);
}

function endOfCommand(cursor: Cursor): void {
  skip(cursor, /[ \t]/u);
  const char = cursor.text.charAt(cursor.at);
  if (char === "" || char === "\n" || char === ";" || char === "}" || char === "#") return;
  throw new Unreadable("the sed script has something after a command");
}

function restOfLine(cursor: Cursor): string {
  const end = cursor.text.indexOf("\n", cursor.at);
  const stop = end === -1 ? cursor.text.length : end;
  const line = cursor.text.slice(cursor.at, stop);
  cursor.at = stop + 1;
  return line;
}

function readFileName(cursor: Cursor, into: string[]): void {
  skip(cursor, /[ \t]/u);
  const name = restOfLine(cursor);
  if (name === "") throw new Unreadable("the sed script names no file");
  if (name !== "/dev/stdout" && name !== "/dev/stderr" && name !== "/dev/stdin") into.push(name);
}

/** Reads the text of a, i and c: up to the end of the line, continuing after every escaped line end. */
function readText(cursor: Cursor): void {
  for (;;) {
    const line = restOfLine(cursor);
    // Versions differ on how many backslashes at the end of a line continue it.
    if (line.endsWith("\\\\")) throw new Unreadable("the text in the sed script has an odd end");
    if (!line.endsWith("\\") || cursor.at >= cursor.text.length) return;
  }
}
