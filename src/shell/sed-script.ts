/** What a sed script would do besides editing its input on the way out. */
export interface SedFindings {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Why it is not fully known, where it is not. */
  readonly because: string | undefined;
}

interface Cursor {
  readonly text: string;
  at: number;
  readonly reads: string[];
  readonly writes: string[];
}

class Unreadable extends Error {}

/** Reads a sed script command by command; what is not plainly harmless is named or refused. */
export function readSedScript(text: string): SedFindings {
  const cursor: Cursor = { text, at: 0, reads: [], writes: [] };
  let because: string | undefined;
  try {
    // Only the first line can say this, and it only stops automatic printing.
    while (cursor.at < text.length) readCommand(cursor);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    because = error.message;
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
      if (!readAddress(cursor)) throw new Unreadable("an address in the sed script is not known");
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
      // A label may hold anything up to a semicolon or line end; GNU and BSD differ on the semicolon.
      skip(cursor, /[ \t]/u);
      skip(cursor, /[^\s;]/u);
      return;
    case "b":
    case "t":
    case "T":
      skip(cursor, /[ \t]/u);
      skip(cursor, /[^\s;}]/u);
      return;
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
    case "y":
      readDelimited(cursor, 2);
      return endOfCommand(cursor);
    case "e":
      throw new Unreadable("the sed script runs a command (e)");
    default:
      throw new Unreadable(`the sed command ${name} is not known`);
  }
}

/** Reads one address where there is one. */
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
  readDelimited(cursor, 1);
  skip(cursor, /[IM]/u);
  return true;
}

/** Reads `parts` fields closed by the delimiter the cursor stands on. */
function readDelimited(cursor: Cursor, parts: number): void {
  const close = cursor.text.charAt(cursor.at);
  if (close === "" || close === "\n" || close === "\\") {
    throw new Unreadable("the sed script has an odd delimiter");
  }
  cursor.at++;
  for (let part = 0; part < parts; part++) {
    for (;;) {
      const char = cursor.text.charAt(cursor.at);
      if (char === "") throw new Unreadable("the sed script is not closed");
      if (char === close) break;
      // A program that ends the pattern inside brackets has an unclosed bracket, and stops with an error.
      if (char === "[" && part === 0) cursor.at = endOfBracket(cursor.text, cursor.at);
      else if (char === "\\") cursor.at += 2;
      else cursor.at++;
    }
    cursor.at++;
  }
}

/** The place after the bracket expression that begins at `start`, or after its first character when it never closes. */
export function endOfBracket(text: string, start: number): number {
  let at = start + 1;
  if (text.charAt(at) === "^") at++;
  if (text.charAt(at) === "]") at++;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "\n") return start + 1;
    if (char === "]") return at + 1;
    if (char === "[" && /[:.=]/u.test(text.charAt(at + 1))) {
      const end = text.indexOf(`${text.charAt(at + 1)}]`, at + 2);
      if (end === -1) return start + 1;
      at = end + 2;
    } else at++;
  }
  return start + 1;
}

function readSubstitute(cursor: Cursor): void {
  readDelimited(cursor, 2);
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

/** The text of a, i and c: to the end of the line, and on over every escaped line end. */
function readText(cursor: Cursor): void {
  for (;;) {
    const line = restOfLine(cursor);
    if (!/(?:^|[^\\])(?:\\\\)*\\$/u.test(line) || cursor.at >= cursor.text.length) return;
  }
}
