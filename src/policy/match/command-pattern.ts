import { isWithin, joinPath, spelledPaths } from "../../text/index.ts";
import { type ExecuteEffect, type Word } from "../../core/index.ts";
import { anything, matchesWildcard, mayMatchFrom, type Wildcard } from "./wildcard.ts";

/** Separator between words; no argument of a program can contain it. */
export const gap = "\u0000";
/** Represents a word that the shell has yet to expand; only a star matches it. */
const unknownWord = "\u0001";

/** A compiled `Bash(...)` pattern over the words of one command. */
export interface CommandPattern {
  readonly isAny: boolean;
  /** The pattern contains the program's full name. */
  readonly isNamed: boolean;
  /** The pattern matches if any form does: `npm run *` is `npm run` and `npm run` with more words. */
  readonly forms: readonly Wildcard[];
  readonly hasStar: boolean;
}

/** The pattern of every command. */
export const anyCommand: CommandPattern = {
  isAny: true,
  isNamed: false,
  forms: [anything],
  hasStar: true,
};

/**
 * Whether an allow rule's pattern names this command: nothing dynamic, only transparent launchers, only harmless
 * variables.
 */
export function allowsCommand(pattern: CommandPattern, effect: ExecuteEffect): boolean {
  if (pattern.isAny) return true;
  if (pattern.hasStar && effect.via.some((launcher) => isNeverByPrefix(launcher))) return false;
  if (pattern.hasStar && climbsOut(pattern, effect)) return false;
  const { plain, launched } = remembered(allowedTexts, effect, allowTexts);
  if (plain.some((text) => matchesAny(pattern, text))) return true;
  if (pattern.hasStar && !namesStarted(pattern, effect)) return false;
  return launched.some((text) => matchesAny(pattern, text));
}

/** Whether a word leaves the directory of a pattern's star: `Bash(node scripts/*)` names only paths below `scripts`. */
function climbsOut(pattern: CommandPattern, { argv }: ExecuteEffect): boolean {
  const starts = wordsOf(pattern).flatMap((word) => {
    const start = word.slice(0, word.indexOf("*"));
    return word.includes("*") && start.includes("/") ? [start] : [];
  });
  return starts.some((start) =>
    argv.some(
      (word) =>
        typeof word === "string" &&
        word.startsWith(start) &&
        /\/\.\.(?:\/|$)/u.test(word.slice(start.lastIndexOf("/"))),
    ),
  );
}

/** The words of a pattern, stars included. */
function wordsOf({ forms: [exact] }: CommandPattern): readonly string[] {
  return (exact?.pieces ?? []).join("*").split(gap);
}

/** Whether a deny or ask rule's pattern names this command, or may once the shell has expanded it. */
export function forbidsCommand(
  pattern: CommandPattern,
  effect: ExecuteEffect,
): "yes" | "maybe" | "no" {
  if (pattern.isAny) return "yes";
  const texts = remembered(forbiddenTexts, effect, forbidTexts);
  if (texts.some((text) => matchesAny(pattern, text))) return "yes";
  for (const text of texts) {
    const dynamic = text.indexOf(unknownWord);
    if (dynamic === -1) continue;
    const known = text.slice(0, dynamic);
    if (pattern.forms.some((form) => mayMatchFrom(form, known))) return "maybe";
  }
  return "no";
}

/** Whether a pattern names a word, as `Bash(sed -i *)` names `-i`; any command is named by no word. */
export function namesWord(pattern: CommandPattern, word: string): boolean {
  if (pattern.isAny) return true;
  const [exact] = pattern.forms;
  const words = exact?.pieces.flatMap((piece) => piece.split(gap)) ?? [];
  return words
    .slice(1)
    .some((each) => word !== "" && (each === word || each.startsWith(`${word}=`)));
}

/** Whether a pattern spells this path or a directory that contains it, as `Bash(make -C /other *)` spells `/other`. */
export function spellsPath(pattern: CommandPattern, path: string): boolean {
  if (pattern.isAny) return true;
  return wordsOf(pattern).some((word) =>
    absolutePaths(word, pattern).some((written) => {
      const spelled = joinPath("/", written);
      return spelled !== "/" && isWithin(spelled, path);
    }),
  );
}

/** Absolute paths in a word of a pattern. Without a star the pattern spells each that a program may see in the word. */
function absolutePaths(word: string, { hasStar }: CommandPattern): readonly string[] {
  if (!hasStar) return (spelledPaths(word) ?? []).filter((path) => path.startsWith("/"));
  if (word.includes("*") || !/^(?:|-\w|--?[\w.-]+=|[\w.-]+=|@)\//u.test(word)) return [];
  return [word.slice(word.indexOf("/"))];
}

/** Returns the command as a rule would have to spell it, or undefined where no rule can spell it exactly. */
export function spellCommand(effect: ExecuteEffect): string | undefined {
  if (!effect.via.every((launcher) => transparentLaunchers.has(launcher))) return undefined;
  const words: string[] = [];
  for (const { name, value } of effect.assigns) {
    if (typeof value !== "string") return undefined;
    if (!isHarmlessVariable(name)) words.push(`${name}=${value}`);
  }
  for (const word of effect.argv) {
    if (typeof word !== "string") return undefined;
    words.push(word);
  }
  const spelled = words.map(spellWord);
  return spelled.includes(undefined) || spelled.length === 0 ? undefined : spelled.join(" ");
}

/** Returns the name of the program without its directory; "" where it is not known. */
export function programName(effect: ExecuteEffect): string {
  const [program] = effect.argv;
  return typeof program === "string" ? program.slice(program.lastIndexOf("/") + 1) : "";
}

/** Returns a word as a rule spells it; undefined where a user could not read it correctly in a line of JSON. */
export function spellWord(word: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f\u2028\u2029]/u.test(word)) return undefined;
  const escaped = word.replaceAll(/[\\"*$`]/gu, String.raw`\$&`);
  return word === "" || /[\s'"|&;<>()]/u.test(word) || word.endsWith(":*")
    ? `"${escaped}"`
    : escaped;
}

/** Launchers that do not change what the program does, so a rule for the program applies behind them. */
export const transparentLaunchers: ReadonlySet<string> = new Set([
  "timeout",
  "time",
  "nice",
  "nohup",
  "stdbuf",
  "command",
  "builtin",
  "noglob",
  "xargs",
]);

/** Programs that only start another: a star behind their name says nothing about what they start. */
const startsAny: ReadonlySet<string> = new Set([
  ...transparentLaunchers,
  "env",
  "genv",
  "gxargs",
  "gtime",
  "gtimeout",
  "sudo",
  "doas",
  "pkexec",
  "runuser",
  "setpriv",
  "su",
  "exec",
  "busybox",
  "toybox",
  "chrt",
  "taskset",
  "strace",
  "ltrace",
  "prlimit",
  "parallel",
  "unshare",
  "nsenter",
  "chroot",
  "script",
]);

/** Whether a pattern with a star after a launcher names the started program, as `Bash(sudo npm *)` names npm. */
export function namesStarted(pattern: CommandPattern, { argv }: ExecuteEffect): boolean {
  const launcher = wordsOf(pattern).find((word) => !/^[A-Za-z_]\w*=/u.test(word)) ?? "";
  const [program] = argv;
  return !startsAny.has(launcher) || (typeof program === "string" && namesWord(pattern, program));
}

/** Launchers that a pattern with a star never covers: each command that they start must be spelled in full. */
const neverByPrefix: ReadonlySet<string> = new Set(["watch", "setsid", "ionice", "flock", "find"]);

export function isNeverByPrefix(launcher: string): boolean {
  const [name = ""] = launcher.split(" ");
  return neverByPrefix.has(name);
}

const harmlessVariables: ReadonlySet<string> = new Set([
  "CI",
  "COLUMNS",
  "DEBUG",
  "FORCE_COLOR",
  "LANG",
  "LANGUAGE",
  "LINES",
  "NODE_ENV",
  "NO_COLOR",
  "PYTHONDONTWRITEBYTECODE",
  "PYTHONUNBUFFERED",
  "RUST_BACKTRACE",
  "RUST_LOG",
  "TERM",
  "TZ",
]);

/** Variables that cannot make a program run something else. */
export function isHarmlessVariable(name: string): boolean {
  return harmlessVariables.has(name) || name.startsWith("LC_");
}

interface AllowTexts {
  /** The command as written, where only transparent launchers start it. */
  readonly plain: readonly string[];
  /** The command with its launchers. */
  readonly launched: readonly string[];
}

const allowedTexts = new WeakMap<ExecuteEffect, AllowTexts>();
const forbiddenTexts = new WeakMap<ExecuteEffect, readonly string[]>();

/** The texts of one effect are the same for every rule. */
function remembered<T>(
  memory: WeakMap<ExecuteEffect, T>,
  effect: ExecuteEffect,
  make: (effect: ExecuteEffect) => T,
): T {
  const found = memory.get(effect);
  if (found !== undefined) return found;
  const made = make(effect);
  memory.set(effect, made);
  return made;
}

function allowTexts(effect: ExecuteEffect): AllowTexts {
  const { argv, assigns, via } = effect;
  const texts: string[] = [];
  const behind: string[] = [];
  if (!argv.every(isStatic) || !assigns.every(({ value }) => isStatic(value))) {
    return { plain: texts, launched: behind };
  }
  const words = argv.map(wordText);
  const command = words.join(gap);
  const launched = [...via.flatMap((launcher) => launcher.split(" ")), ...words].join(gap);
  const isPlain = via.every((launcher) => transparentLaunchers.has(launcher));
  if (assigns.every(({ name }) => isHarmlessVariable(name))) {
    if (isPlain) texts.push(command);
    if (via.length > 0) behind.push(launched);
  }
  if (assigns.length > 0) {
    const kept = assigns.filter(({ name }) => !isHarmlessVariable(name));
    for (const list of kept.length === assigns.length || kept.length === 0
      ? [assigns]
      : [assigns, kept]) {
      const prefix = list.map(({ name, value }) => `${name}=${wordText(value)}`).join(gap);
      if (isPlain) texts.push(`${prefix}${gap}${command}`);
      if (via.length > 0) behind.push(`${prefix}${gap}${launched}`);
    }
  }
  return { plain: texts, launched: behind };
}

/** Every form in which a rule may name this command: with and without launchers, variables, directory and quoting. */
function forbidTexts(effect: ExecuteEffect): readonly string[] {
  const words = effect.argv.map(wordText);
  const launchers = effect.via.map((launcher) => launcher.split(" "));
  const bare = [words.join(gap), withBaseName(words).join(gap)];
  const launched = launchers.flatMap((_, index) => {
    const outer = launchers.slice(index).flat();
    return bare.flatMap((text) => [
      [...outer, text].join(gap),
      [...withBaseName(outer), text].join(gap),
    ]);
  });
  const prefix = effect.assigns.map(({ name, value }) => `${name}=${wordText(value)}`).join(gap);
  const plain = [...bare, ...launched];
  const all = prefix === "" ? plain : [...plain, ...plain.map((text) => prefix + gap + text)];
  return [...new Set(all.flatMap((text) => [text, text.replaceAll(/ +/gu, gap)]))];
}

function withBaseName(words: readonly string[]): readonly string[] {
  const [program = "", ...rest] = words;
  return [program.slice(program.lastIndexOf("/") + 1), ...rest];
}

function matchesAny(pattern: CommandPattern, text: string): boolean {
  return pattern.forms.some((form) => matchesWildcard(form, text));
}

function isStatic(word: Word): boolean {
  return typeof word === "string";
}

function wordText(word: Word): string {
  return typeof word === "string" ? word : unknownWord;
}
