import type { ExecuteEffect } from "../core/index.ts";
import { programName, spellCommand, spellWord } from "./command-pattern.ts";
import { parameterForm } from "./parse-rule.ts";

/**
 * Programs whose operands differ from call to call while the risk stays the same: how many words name
 * what is done. The flags that follow directly are kept; the rest becomes a star. Every other program is
 * suggested exactly as it was called.
 */
const openEnded: Readonly<Record<string, number | Readonly<Record<string, number>>>> = {
  git: { add: 2, commit: 2, fetch: 2, stash: 3, mv: 2 },
  npm: { test: 2, run: 3 },
  pnpm: { test: 2, run: 3 },
  yarn: { test: 2, run: 3 },
  bun: { test: 2, run: 3 },
  cargo: { build: 2, check: 2, clippy: 2, fmt: 2, test: 2 },
  go: { build: 2, test: 2, vet: 2, fmt: 2 },
  dotnet: { build: 2, test: 2 },
  eslint: 1,
  jest: 1,
  mypy: 1,
  oxlint: 1,
  prettier: 1,
  pytest: 1,
  ruff: 1,
  tsc: 1,
  vitest: 1,
};

/** Programs that run another with more rights: asked about each time. */
const takesOver: ReadonlySet<string> = new Set(["doas", "pkexec", "su", "sudo"]);

/** Programs that do what they are told on their input. */
const interpreters =
  /^(?:ba|da|z|k|c|tc|fi)?sh$|^(?:python|node|nodejs|deno|bun|perl|ruby|php|lua|osascript|psql|mysql|sqlite3)[\d.]*$/u;

/**
 * Whether no rule for the command says what it would allow: it runs another with more rights, or whatever
 * is written to it.
 */
export function isUnbounded(effect: ExecuteEffect): boolean {
  const name = programName(effect);
  if (takesOver.has(name)) return true;
  if (!interpreters.test(name)) return false;
  const operands = effect.argv.slice(1);
  return operands.every((word) => word === "-" || word === "-s" || word === "-i");
}

/** The narrowest useful `Bash(...)` rule for one command, or undefined where none would be exact. */
export function suggestCommand(effect: ExecuteEffect): string | undefined {
  const exact = spellCommand(effect);
  if (exact === undefined || isUnbounded(effect)) return undefined;
  const words = effect.argv.filter((word) => typeof word === "string");
  const fixed = fixedWords(words);
  const isOpen = fixed < words.length && effect.assigns.length === 0;
  const spelled = isOpen
    ? `${words
        .slice(0, fixed)
        .map((word) => spellWord(word) ?? "")
        .join(" ")} *`
    : exact;
  // A first word with a colon would be read as a parameter.
  const isParameter = parameterForm.test(spelled);
  return `Bash(${isParameter ? spelled.replace(/^\S+/u, (word) => `"${word}"`) : spelled})`;
}

function fixedWords(words: readonly string[]): number {
  const [program = "", sub = ""] = words;
  const entry = Object.hasOwn(openEnded, program) ? openEnded[program] : undefined;
  const named =
    typeof entry === "number"
      ? entry
      : entry !== undefined && Object.hasOwn(entry, sub)
        ? entry[sub]
        : undefined;
  if (named === undefined || words.length < named) return words.length;
  let fixed = named;
  while (/^--?[A-Za-z][\w-]*$/u.test(words[fixed] ?? "")) fixed += 1;
  return fixed;
}
