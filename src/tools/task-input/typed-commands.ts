import type { Effect, ExecuteEffect } from "../../core/index.ts";

/** Programs that take what they read as commands of a shell, here. */
const shells = new Set(
  "ash bash busybox csh dash doas fish ksh mksh nu rbash script sh ssh su sudo tcsh xonsh zsh".split(
    " ",
  ),
);

/** A string as most languages write one. */
const literal = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/gu;
/** What stands between the words of a command in a list. */
const gap = /^[\s,[(]+$/u;
/** How interpreters, databases, pagers and debuggers run a command. */
const escape = /^\s*(?:[:\\]?!|%sx?\b|[.\\:]?(?:shell|system|sh|exec)\b)\s*(.+)$/su;

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
  if (names.some((name) => name === undefined || shells.has(name))) return judge(text);
  return [text, ...textsWithin(text)].flatMap((each) => judge(each).flatMap(onlyNamed));
}

function onlyNamed(effect: Effect): readonly Effect[] {
  // What is never done is not done by way of another program's input either.
  if (effect.kind === "unknown") return effect.floor === true ? [effect] : [];
  if (effect.kind !== "execute") return [];
  const named: ExecuteEffect = { ...effect, consequences: "listed" };
  return [named];
}

function textsWithin(text: string): readonly string[] {
  const escaped = escape.exec(text)?.[1];
  const found = escaped === undefined ? [] : [escaped];
  let words: string[] = [];
  let end = 0;
  for (const match of text.matchAll(literal)) {
    if (!gap.test(text.slice(end, match.index))) words = [];
    const [quoted] = match;
    const word = contentOf(quoted);
    words.push(word);
    end = match.index + quoted.length;
    // In a call such as log("x", "git push") each stands for itself.
    found.push(word, ...(words.length > 1 ? [words.join(" ")] : []));
  }
  return found.filter((each) => each.trim() !== "").slice(0, maxTexts);
}

function contentOf(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/gu, (_, character: string) => unescaped(character));
}

function unescaped(character: string): string {
  if (character === "n") return "\n";
  return character === "t" ? "\t" : character;
}
