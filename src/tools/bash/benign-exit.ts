/**
 * Whether exit code 1 of a command is an answer and not a failure: nothing found, a difference, a false test.
 * Considers only the programs that can have caused this exit code: the last one, and those before it whose failure
 * would have prevented it from running. `isQuiet` states that standard error is empty.
 */
export function isBenignExit(command: string, code: number, isQuiet = true): boolean {
  if (code !== 1) return false;
  const parts = splitCommands(command.trim());
  while (parts.at(-1)?.text.trim() === "") parts.pop();
  const last = parts.at(-1);
  if (last === undefined || !isAnswering(last.text)) return false;
  return decidingBefore(parts, command).every(
    ({ text }) => isAnswering(text) || (isQuiet && isPreparing(text)),
  );
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

/** Commands that prepare a search; they report their failures on standard error. */
const preparing: ReadonlySet<string> = new Set(
  "cd pushd popd export unset set shopt true : echo printf mkdir".split(" "),
);

function isAnswering(text: string): boolean {
  const [program = "", argument = ""] = wordsOf(text);
  return answering.has(program) || (program === "git" && gitAnswering.has(argument));
}

function isPreparing(text: string): boolean {
  // An assignment from a command substitution exits with the code of the substituted program.
  return preparing.has(wordsOf(text)[0] ?? "") && !/\$\(|`/u.test(text);
}

/** Program name without its directory, then the arguments; quotes and expansions are unchanged. */
function wordsOf(text: string): string[] {
  const words = text.trim().split(/\s+/u);
  while (/^[A-Za-z_]\w*=\S*$/u.test(words[0] ?? "")) words.shift();
  const program = words[0]?.replace(/^.*\//u, "") ?? "";
  return [program, ...words.slice(1)];
}

interface Part {
  readonly text: string;
  /** Operator before this part; empty for the first. */
  readonly operator: string;
}

/** Commands before the last one whose failure ends the whole text. */
function decidingBefore(parts: readonly Part[], command: string): readonly Part[] {
  const endsAtFailure = /\bset\s+-[a-z]*e|\berrexit\b/u.test(command);
  const isWholePipe = /\bpipefail\b/u.test(command);
  const deciding: Part[] = [];
  for (let at = parts.length - 1; at > 0; at--) {
    const operator = parts[at]?.operator ?? "";
    const before = parts[at - 1];
    const isList = operator === ";" || operator === "\n" || operator === "&";
    if (isList && !endsAtFailure) break;
    // If the command before `||` fails, the next one runs.
    const isDeciding = operator !== "||" && (isWholePipe || !operator.startsWith("|"));
    if (before !== undefined && isDeciding) deciding.push(before);
    if (operator === "||" && !endsAtFailure) break;
  }
  return deciding;
}

/** Splits at `;`, `&`, `|` and line breaks outside quotes and redirections. */
function splitCommands(command: string): Part[] {
  const parts: Part[] = [];
  let operator = "";
  let quote = "";
  let text = "";
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === "\\" && quote !== "'") {
      text += character + command.charAt(at + 1);
      at++;
    } else if (quote !== "") {
      if (character === quote) quote = "";
      text += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      text += character;
    } else if (/[;&|\n]/u.test(character) && !isRedirection(command, at)) {
      parts.push({ text, operator });
      const next = command.charAt(at + 1);
      const isDouble =
        (character === "&" || character === "|") && (next === character || next === "&");
      operator = isDouble ? character + next : character;
      if (isDouble) at++;
      text = "";
    } else {
      text += character;
    }
  }
  return [...parts, { text, operator }];
}

/** Whether the operator is part of a redirection: `2>&1`, `<&3`, `&>file` or `>|file`. */
function isRedirection(command: string, at: number): boolean {
  const before = command.charAt(at - 1);
  if (before === ">" || (before === "<" && command.charAt(at) === "&")) return true;
  return command.charAt(at) === "&" && command.charAt(at + 1) === ">";
}
