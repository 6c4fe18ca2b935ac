/** Text after which a slash begins a regular expression in every awk. */
const beforePattern =
  /(?:^|[(,;{}!~&|?:=<>*%^\n]|(?:^|[^+])\+|(?:^|[^-])-|\b(?:print|printf|return|in|case|else|do))\s*$/u;
/** Text after which a slash divides in every awk: a name, a number, a field, a string, the end of a subscript. */
const beforeDivision = /[\w$\]"]\s*$/u;
/** Functions that need no parentheses; after them some awks divide and others begin a pattern. */
const bareFunction =
  /\b(?:length|getline|next|nextfile|exit|break|continue|delete|function|func)\s*$/u;

/** Placeholder for a pattern; whether a slash after it divides is unclear. */
const afterPattern = " \u0001 ";

/** Maximum number of ambiguous slashes for which both readings are checked. */
const maxForks = 6;

/**
 * Reason why an awk program is more than a filter (it runs a command, writes or reads a file), or undefined if it only
 * produces output. If a slash may divide or begin a pattern, the text after it may be code or a pattern, so both
 * readings must be harmless.
 */
export function readAwkProgram(program: string): string | undefined {
  const readings: { readonly code: string; readonly at: number }[] = [{ code: "", at: 0 }];
  let forks = 0;
  for (let next = readings.pop(); next !== undefined; next = readings.pop()) {
    const end = readUntilUnclear(program, next);
    if ("because" in end) return end.because;
    if (end.at >= program.length) {
      const because = readCode(end.code);
      if (because !== undefined) return because;
      continue;
    }
    if (++forks > maxForks) return "a slash in the awk program may divide or begin a pattern";
    readings.push({ code: `${end.code}/`, at: end.at + 1 });
    const close = endOfPattern(program, end.at + 1);
    if (close !== undefined) readings.push({ code: `${end.code}${afterPattern}`, at: close + 1 });
    // No awk accepts a program with a pattern that is not closed on its line.
    else if (hasSlashInLine(program, end.at + 1))
      return "a pattern in the awk program is not plain";
  }
  return undefined;
}

type Reading = { readonly code: string; readonly at: number } | { readonly because: string };

/** Characters before a slash that determine its meaning. */
const maxBefore = 64;
const plainCode = /[^"#/\\\r]+/uy;

/** Reads code, without its strings, up to the end or to an ambiguous slash. */
function readUntilUnclear(
  program: string,
  from: { readonly code: string; readonly at: number },
): Reading {
  let { code, at } = from;
  // The end of the code, by itself: reading it from all of the code would copy that each time.
  let before = code.slice(-maxBefore);
  const add = (text: string, next: number): void => {
    code += text;
    before = (before + text.slice(-maxBefore)).slice(-maxBefore);
    at = next;
  };
  while (at < program.length) {
    const char = program.charAt(at);
    if (char === '"') {
      const end = endOfString(program, at + 1);
      if (end === undefined) return { because: "a string in the awk program is not closed" };
      const text = program.slice(at + 1, end);
      add(/^\/dev\/(?:stdout|stderr|null)$/u.test(text) ? " STREAM " : ' "" ', end + 1);
    } else if (char === "#") {
      const end = program.indexOf("\n", at);
      at = end === -1 ? program.length : end;
    } else if (char === "/") {
      if (beforePattern.test(before)) {
        const end = endOfPattern(program, at + 1);
        if (end === undefined) return { because: "a pattern in the awk program is not plain" };
        add(afterPattern, end + 1);
      } else if (beforeDivision.test(before) && !bareFunction.test(before)) {
        add(char, at + 1);
      } else return { code, at };
    } else if (char === "\\" && program.charAt(at + 1) === "\n") {
      add(" ", at + 2);
    } else if (char === "\\" || char === "\r") {
      return { because: "a character in the awk program is not known" };
    } else {
      plainCode.lastIndex = at;
      const text = plainCode.exec(program)?.[0] ?? char;
      add(text, at + text.length);
    }
  }
  return { code, at };
}

function hasSlashInLine(program: string, start: number): boolean {
  const end = program.indexOf("\n", start);
  return program.slice(start, end === -1 ? undefined : end).includes("/");
}

function endOfString(program: string, start: number): number | undefined {
  for (let at = start; at < program.length; at++) {
    const char = program.charAt(at);
    if (char === "\\") at++;
    else if (char === '"') return at;
    else if (char === "\n") return undefined;
  }
  return undefined;
}

/**
 * Rest of a pattern up to its slash. A slash in brackets is literal in gawk; other awks reject the unclosed bracket.
 * Awks differ on nested brackets and an escaped closing bracket, so the end of such a pattern is unknown.
 */
const patternPart = /(?:[^[\]/\\\n]|\\[^\n]|\[\^?(?:[^[\]\\\n]|\\[^\]\n]|\[:[a-z]+:\])+\])*\//uy;

function endOfPattern(program: string, start: number): number | undefined {
  patternPart.lastIndex = start;
  return patternPart.test(program) ? patternPart.lastIndex - 1 : undefined;
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

/** Reason if `print` or `printf` writes a file: there a `>` outside parentheses redirects; elsewhere it compares. */
function readOutput(code: string): string | undefined {
  /** Bracket depths of the statements that print, each once, the deepest last. */
  const printing: number[] = [];
  let depth = 0;
  for (const match of code.matchAll(/\bprintf?\b|\w+|./gsu)) {
    const [token] = match;
    if (token === "(" || token === "[") depth++;
    else if (token === ")" || token === "]") depth--;
    else {
      while ((printing.at(-1) ?? depth) > depth) printing.pop();
      const prints = printing.at(-1) === depth;
      if (token === "print" || token === "printf") {
        if (!prints) printing.push(depth);
      } else if (prints && endsOutput(token, code, match.index)) printing.pop();
      else if (prints && token === ">") return "the awk program writes a file";
    }
  }
  return undefined;
}

/** Whether a statement that prints ends here, or writes to a stream that is already open. */
function endsOutput(token: string, code: string, at: number): boolean {
  if (token === ";" || token === "}") return true;
  if (token === "\n") return !goesOn(code, at);
  return token === ">" && /^>{1,2}\s*STREAM\s*(?:[;\n}]|$)/u.test(code.slice(at));
}

/** Whether a statement continues after this line end. */
function goesOn(code: string, newline: number): boolean {
  return /[,&|?:]\s*$/u.test(code.slice(Math.max(0, newline - 64), newline));
}
