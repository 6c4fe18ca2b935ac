/**
 * Whether exit code 1 of a command is an answer and not a failure: nothing found, a difference, a test
 * that is false. Only the last program of the text counts, because the exit code is its.
 */
export function isBenignExit(command: string, code: number): boolean {
  if (code !== 1) return false;
  const last = lastCommand(command);
  if (last === undefined) return false;
  const [program = "", argument = ""] = last;
  return answering.has(program) || (program === "git" && gitAnswering.has(argument));
}

const answering: ReadonlySet<string> = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "find",
  "diff",
  "cmp",
  "test",
  "[",
  "[[",
]);
const gitAnswering: ReadonlySet<string> = new Set(["diff", "grep"]);

/** The words of the last simple command; undefined where quotes or expansions make that unsure. */
function lastCommand(command: string): string[] | undefined {
  const parts = splitCommands(command.trim());
  const last = parts.at(-1)?.trim();
  if (last === undefined || last === "") return undefined;
  const words = last.split(/\s+/u);
  while (/^[A-Za-z_]\w*=\S*$/u.test(words[0] ?? "")) words.shift();
  const program = words[0]?.replace(/^.*\//u, "") ?? "";
  return [program, ...words.slice(1)];
}

/** Splits at `;`, `&`, `|` and line breaks that stand outside quotes. */
function splitCommands(command: string): string[] {
  const parts: string[] = [];
  let quote = "";
  let part = "";
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === "\\" && quote !== "'") {
      part += character + command.charAt(at + 1);
      at++;
    } else if (quote !== "") {
      if (character === quote) quote = "";
      part += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      part += character;
    } else if (/[;&|\n]/u.test(character)) {
      parts.push(part);
      part = "";
    } else {
      part += character;
    }
  }
  return [...parts, part];
}
