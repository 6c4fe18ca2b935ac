import { endOfBracket } from "./sed-script.ts";

/** Words of the language after which a slash begins a pattern and not a division. */
const beforePattern =
  /(?:^|[(,;{}!~&|?:=<>+\-*%^\n]|\b(?:print|printf|return|in|case|else|do))\s*$/u;

/**
 * Why an awk program is more than a filter (it runs a command, writes or reads a file by itself),
 * or undefined when every consequence is its output.
 */
export function readAwkProgram(program: string): string | undefined {
  let code = "";
  let at = 0;
  while (at < program.length) {
    const char = program.charAt(at);
    if (char === '"') {
      const end = endOfLiteral(program, at + 1, '"');
      if (end === undefined) return "a string in the awk program is not closed";
      const text = program.slice(at + 1, end);
      code += /^\/dev\/(?:stdout|stderr|null)$/u.test(text) ? " STREAM " : ' "" ';
      at = end + 1;
    } else if (char === "#") {
      const end = program.indexOf("\n", at);
      at = end === -1 ? program.length : end;
    } else if (char === "/" && beforePattern.test(code)) {
      const end = endOfLiteral(program, at + 1, "/");
      if (end === undefined) return "a pattern in the awk program is not closed";
      code += ' "" ';
      at = end + 1;
    } else if (char === "\\" && program.charAt(at + 1) === "\n") {
      code += " ";
      at += 2;
    } else {
      code += char;
      at++;
    }
  }
  return readCode(code);
}

function endOfLiteral(program: string, start: number, close: string): number | undefined {
  for (let at = start; at < program.length; at++) {
    const char = program.charAt(at);
    if (char === "\\") at++;
    // A pattern may hold its delimiter inside brackets.
    else if (char === "[" && close === "/") at = endOfBracket(program, at) - 1;
    else if (char === close) return at;
    else if (char === "\n") return undefined;
  }
  return undefined;
}

function readCode(code: string): string | undefined {
  if (/\bsystem\b/u.test(code)) return "the awk program runs a command (system)";
  if (/\bgetline\b/u.test(code)) return "the awk program reads by itself (getline)";
  if (code.includes("@")) return "the awk program loads or calls something by name (@)";
  if (/\b(?:ARGV|ARGC|PROCINFO|SYMTAB|FUNCTAB)\b/u.test(code)) {
    return "the awk program changes what it is given to read";
  }
  if (/(?:^|[^|])\|(?!\|)/u.test(code)) return "the awk program pipes into a command";
  return readOutput(code);
}

/** Inside print and printf a `>` outside brackets is a file; elsewhere it compares. */
function readOutput(code: string): string | undefined {
  const output = /\bprintf?\b/gu;
  for (let match = output.exec(code); match !== null; match = output.exec(code)) {
    let depth = 0;
    for (let at = output.lastIndex; at < code.length; at++) {
      const char = code.charAt(at);
      if (char === "(" || char === "[") depth++;
      else if (char === ")" || char === "]") depth--;
      else if (depth < 0 || (depth === 0 && /[;\n}]/u.test(char))) break;
      else if (char === ">" && depth === 0) {
        if (/^>{1,2}\s*STREAM\s*(?:[;\n}]|$)/u.test(code.slice(at))) break;
        return "the awk program writes a file";
      }
    }
  }
  return undefined;
}
