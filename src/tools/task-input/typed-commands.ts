import type { Effect, ExecuteEffect } from "../../core/index.ts";

/** Programs that take what they read as commands of a shell, here. */
const shells = new Set(
  "ash bash busybox csh dash doas fish ksh mksh nu rbash script sh ssh su sudo tcsh xonsh zsh".split(
    " ",
  ),
);

/** A string as most languages write one. */
const literal = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`/gu;
/** What stands between the words of a command in a list. */
const gap = /^[\s,[(]+$/u;
/** How interpreters, databases, pagers and debuggers run a command: at the beginning of a line, or with a mark within. */
const escapes = [
  /^\s*(?:[:\\]?!|%sx?\b|[.\\:]?(?:shell|system|sh|exec)\b)\s*(.+)$/su,
  /^[^\S\n]*(?:[.\\:]?(?:shell|system|sh|exec)\b)\s*(.+)$/gmu,
  /(?:^|[\s\\:=|]|:\w{1,9})!\s*(?!=)(.+)$/gmu,
  /^[^\S\n]*:te(?:rminal|rm|r)?\s+(.+)$/gmu,
];
/** Where a line of a shell that is the middle or the end of something longer may begin a command. */
const commandEnds = /[;&|\n(){}]+|\b(?:then|do|else|elif|if|while|until|time)\b/u;

/** Texts of one line that are looked at for commands. */
const maxTexts = 50;

export interface Typed {
  /** The programs of the task; undefined where one is not known. */
  readonly names: readonly (string | undefined)[];
  readonly text: string;
  /** What a text does as a command of a shell. */
  readonly judge: (text: string) => readonly Effect[];
}

/**
 * What a program that runs may be made to do by a text. A shell does what the text says. Any other program may hand
 * it on to a shell, whole or what stands in its strings, so that what a person forbids or wants to be asked about is
 * looked for there; as nothing is known to happen, nothing more has to be allowed.
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
  // What is never done is not done by way of another program's input either.
  if (effect.kind === "unknown") return effect.floor === true ? [effect] : [];
  if (effect.kind !== "execute") return [];
  const named: ExecuteEffect = { ...effect, consequences: "listed" };
  return [named];
}

/** Whether a shell could make something of the whole: a program is found, or nothing is left open. */
function isRead(effects: readonly Effect[], text: string): boolean {
  return (
    effects.some((effect) => effect.kind === "execute" && effect.argv[2] !== text) ||
    !effects.some(({ kind }) => kind === "unknown")
  );
}

/** A shell goes on with what it was told in an earlier line, so that this one alone may be no command at all. */
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
    // More are not looked at, and all words of a long list together are long.
    if (found.length >= maxTexts) break;
    if (!gap.test(text.slice(end, match.index))) words = [];
    const [quoted] = match;
    const word = contentOf(quoted);
    words.push(word);
    end = match.index + quoted.length;
    // In a call such as log("x", "git push") each stands for itself.
    add(word, ...(words.length > 1 ? [words.join(" ")] : []));
  }
  return found.slice(0, maxTexts);
}

function contentOf(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(escaped, (whole: string) => unescaped(whole.slice(1)));
}

/** A character by its number, a line that goes on in the next, or a character by itself. */
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
