import type { Effect, ExecuteEffect } from "../../core/index.ts";

/** Programs that execute their input as shell commands on this system. */
const shells = new Set(
  "ash bash busybox csh dash doas fish ksh mksh nu rbash script sh ssh su sudo tcsh xonsh zsh".split(
    " ",
  ),
);

/** A string literal as in most languages. */
const literal = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`/gu;
/** Text between the arguments of a command in a list. */
const gap = /^[\s,[(]+$/u;
/**
 * Syntax with which interpreters, databases, pagers and debuggers run a command: at the beginning of a line, or after a
 * marker within it.
 */
const escapes = [
  /^\s*(?:[:\\]?!|%sx?\b|[.\\:]?(?:shell|system|sh|exec)\b)\s*(.+)$/su,
  /^[^\S\n]*(?:[.\\:]?(?:shell|system|sh|exec)\b)\s*(.+)$/gmu,
  /(?:^|[\s\\:=|]|:\w{1,9})!\s*(?!=)(.+)$/gmu,
  /^[^\S\n]*:te(?:rminal|rm|r)?\s+(.+)$/gmu,
];
/** Positions at which a command may begin in a line that continues or ends a longer shell text. */
const commandEnds = /[;&|\n(){}]+|\b(?:then|do|else|elif|if|while|until|time)\b/u;

/** Maximum number of texts of one line that are checked for commands. */
const maxTexts = 50;

export interface Typed {
  /** Programs of the task; undefined for one that is not known. */
  readonly names: readonly (string | undefined)[];
  readonly text: string;
  /** Effects of a text as a shell command. */
  readonly judge: (text: string) => readonly Effect[];
}

/**
 * Effects that a text typed into a running program may have. A shell executes the text. Any other program may pass it
 * to a shell, either all of it or its string literals, so both are checked for commands that the user forbids or wants
 * to approve. Since it is not known that they run, nothing more needs approval.
 */
export function typedCommands({ names, text, judge }: Typed): readonly Effect[] {
  if (names.some((name) => name === undefined || shells.has(name))) {
    const whole = judge(text);
    if (isRead(whole, text)) return whole;
    return [...whole, ...partsOf(text).flatMap((each) => judge(each).flatMap(onlyNamed))];
  }
  return [text, ...textsWithin(text)].flatMap((each) => judge(each).flatMap(onlyNamed));
}

function onlyNamed(effect: Effect): readonly Effect[] {
  // An action that is always refused is also refused through another program's input.
  if (effect.kind === "unknown") return effect.floor === true ? [effect] : [];
  if (effect.kind !== "execute") return [];
  const named: ExecuteEffect = { ...effect, consequences: "listed" };
  return [named];
}

/** Whether a shell could interpret the whole text: it finds a program, or nothing is unknown. */
function isRead(effects: readonly Effect[], text: string): boolean {
  return (
    effects.some((effect) => effect.kind === "execute" && effect.argv[2] !== text) ||
    !effects.some(({ kind }) => kind === "unknown")
  );
}

/** Parts of a line. A shell may continue a command from an earlier line, so this line alone need not be a command. */
function partsOf(text: string): readonly string[] {
  return text
    .split(commandEnds)
    .filter((each) => each.trim() !== "" && each !== text)
    .slice(0, maxTexts);
}

function textsWithin(text: string): readonly string[] {
  const found: string[] = [];
  const add = (...texts: readonly string[]): void => {
    found.push(...texts.filter((each) => each.trim() !== ""));
  };
  for (const escape of escapes) {
    const matches = escape.global ? text.matchAll(escape) : [escape.exec(text)];
    add(...Array.from(matches, (match) => match?.[1] ?? ""));
  }
  const lines = text.split("\n");
  if (lines.length > 1) add(...lines);
  let words: string[] = [];
  let end = 0;
  for (const match of text.matchAll(literal)) {
    // Further texts are not checked, and all arguments of a long list together are long.
    if (found.length >= maxTexts) break;
    if (!gap.test(text.slice(end, match.index))) words = [];
    const [quoted] = match;
    const word = contentOf(quoted);
    words.push(word);
    end = match.index + quoted.length;
    // In a call such as log("x", "git push"), each argument may be a command of its own.
    add(word, ...(words.length > 1 ? [words.join(" ")] : []));
  }
  return found.slice(0, maxTexts);
}

function contentOf(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(escaped, (whole: string) => unescaped(whole.slice(1)));
}

/** Escape for a character by its number, for a line that continues on the next, or for the character itself. */
const escaped =
  /\\(?:x[\da-f]{2}|x\{[\da-f]{1,6}\}|u[\da-f]{4}|U[\da-f]{8}|u\{[\da-f]{1,6}\}|[0-7]{1,3}|[^])/giu;

function unescaped(written: string): string {
  if (/^[0-7]/u.test(written)) return String.fromCodePoint(Number.parseInt(written, 8));
  if (written.length > 1) {
    const code = Number.parseInt(written.replaceAll(/^.|[{}]/gu, ""), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  }
  if (written === "n") return "\n";
  if (written === "\n") return "";
  return written === "t" ? "\t" : written;
}
