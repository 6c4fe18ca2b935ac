import type { ExecuteEffect } from "../../core/index.ts";
import { programName, spellCommand } from "../match/command-pattern.ts";
import { parameterForm } from "./parse-rule.ts";

/**
 * Programs whose operands differ from call to call while the risk stays the same, with the number of words that
 * name the action. The flags that follow directly are included; the rest becomes a star. Every other program is
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

/** Programs that run another one with more privileges: each call requires approval. */
const takesOver: ReadonlySet<string> = new Set(["doas", "pkexec", "su", "sudo"]);

/** Programs that run code from their standard input. */
const interpreters =
  /^(?:(?:ba|da|z|k|mk|a|rba|fi)?sh|python[\d.]*|perl|ruby|node|nodejs|php|lua|bun|deno|Rscript|osascript)$/u;

/** Returns the narrowest useful `Bash(...)` rule for one command, or undefined where none would be exact. */
export function suggestCommand(effect: ExecuteEffect): string | undefined {
  if (takesOver.has(programName(effect)) || runsWhatItIsFed(effect)) return undefined;
  const words = effect.argv.filter((word) => typeof word === "string");
  if (words.length < effect.argv.length) return undefined;
  const fixed = fixedWords(words);
  const isOpen = fixed < words.length && effect.assigns.length === 0;
  const spelled = isOpen ? openForm(words.slice(0, fixed), effect) : spellCommand(effect);
  if (spelled === undefined) return undefined;
  // A first word with a colon would be read as a parameter.
  const isParameter = parameterForm.test(spelled);
  return `Bash(${isParameter ? spelled.replace(/^\S+/u, (word) => `"${word}"`) : spelled})`;
}

/** Returns the words that name the action, with a star for the rest, which may contain words that no rule can spell. */
function openForm(words: readonly string[], effect: ExecuteEffect): string | undefined {
  const stem = spellCommand({ ...effect, argv: words });
  return stem === undefined ? undefined : `${stem} *`;
}

/** Whether a rule for the command would allow any code at all: its code is not in its arguments. */
export function runsWhatItIsFed(effect: ExecuteEffect): boolean {
  if (!interpreters.test(programName(effect))) return false;
  return effect.argv.slice(1).every((word) => typeof word === "string" && /^-[a-z]?$/u.test(word));
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
