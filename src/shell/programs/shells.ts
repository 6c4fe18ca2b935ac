import type { Program, Site } from "../walk/invocation-context.ts";
import { showWord, type Argument } from "../words/words.ts";

interface ShellLine {
  readonly command: boolean;
  readonly operands: readonly Argument[];
  readonly problem: string | undefined;
}

const longFlags = new Set([
  "--norc",
  "--noprofile",
  "--posix",
  "--noediting",
  "--verbose",
  "--help",
  "--version",
]);

/** Judges `bash`, `sh` and similar shells by their script: a text, a file, or standard input. */
function judgeShell(site: Site): void {
  site.classify(undefined);
  const { command, operands, problem } = readShellOptions(site.args);
  if (problem !== undefined) site.unknown(problem);
  const [script] = operands;
  if (command) {
    if (script === undefined) site.unknown("the shell is given no command");
    else site.script(script, { via: `${site.name} -c` });
    return;
  }
  if (site.args.length === 1 && (site.args[0] === "--version" || site.args[0] === "--help")) {
    site.classify("general");
    return;
  }
  const isInput = operands.length === 0 || site.args.includes("-s");
  if (!isInput) {
    site.open("it runs a script from a file");
    return;
  }
  const fed = site.redirects.findLast(
    ({ operator, descriptor }) =>
      (operator === "<<" || operator === "<<<") && (descriptor ?? 0) === 0,
  );
  if (fed !== undefined) site.script(fed.target, { via: `${site.name} <<` });
  else site.open(site.piped ? "it runs what it is fed" : "it runs what it reads");
}

function readShellOptions(args: readonly Argument[]): ShellLine {
  let command = false;
  let problem: string | undefined;
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index];
    if (typeof word !== "string") {
      // The word is unknown, so it may not be the script.
      problem ??= `${showWord(word ?? "")} could turn into an option of the shell`;
      break;
    }
    if (word === "--" || word === "-") {
      index++;
      break;
    }
    if (word.startsWith("--")) {
      if (!longFlags.has(word))
        problem ??= `the option ${word} makes the shell read something first`;
      continue;
    }
    if (!/^[-+]./u.test(word)) break;
    const letters = word.slice(1);
    if (letters.includes("c") && word.startsWith("-")) command = true;
    if (!/^[ceufsn]*o?$/u.test(letters)) {
      problem ??= `the option ${word} changes what the shell runs`;
    }
    if (letters.endsWith("o")) {
      index++;
      const name = args[index];
      if (typeof name !== "string" || !/^(?:pipefail|errexit|nounset|noglob|posix)$/u.test(name)) {
        problem ??= "an option of the shell is not known";
      }
    }
  }
  return { command, operands: args.slice(index), problem };
}

function judgeSource(site: Site): void {
  site.classify("general");
  const [file] = site.args;
  if (file !== undefined) site.read(file);
  site.open("it runs a script from a file in this shell");
}

export const shellPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...["bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "rbash"].map(
    (name) => [name, judgeShell] as const,
  ),
  ["source", judgeSource],
  [".", judgeSource],
]);
