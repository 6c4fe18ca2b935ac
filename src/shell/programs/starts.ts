import type { Site } from "../walk/invocation-context.ts";
import { dropLeading, leadingText, showWord, type Argument } from "../words/words.ts";

/**
 * Options and variables that make a program with open consequences start another one, or give it the rights of one,
 * without a path.
 */
const starting: Readonly<Record<string, string>> = {
  "make gmake bmake": "--eval -E SHELL= MAKEFLAGS= GNUMAKEFLAGS= MAKE= .SHELLFLAGS=",
  "npm npx pnpm pnpx yarn":
    "--node-options --userconfig --globalconfig --script-shell --shell --shell-mode --git --editor --browser --viewer --config.script-shell --config.node-options",
  cargo: "--config",
  go: "-exec -toolexec -vettool",
  "gcc g++ cc c++ clang clang++": "-wrapper",
  rsync: "-e --rsh --rsync-path",
  "scp sftp": "-S -o -F -D -J",
  "docker podman":
    "-H --host --config --privileged --pid --ipc --uts --cgroupns --cap-add --security-opt --userns --volumes-from --allow",
  kubectl: "--kubeconfig",
  helm: "--post-renderer --kubeconfig",
  svn: "--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd --merge-cmd",
  hg: "--config",
  pylint: "--init-hook",
  "vim nvim vi view vimdiff gvim ex": "-c --cmd",
  gdb: "-ex --ex -iex --iex -eval-command --eval-command -init-eval-command --init-eval-command",
  lldb: "-o -O --one-line --one-line-before-file",
  "emacs emacsclient": "-e --eval -eval --execute -execute -f --funcall -funcall",
};

/** Words that do the same, where no option does. They are compared with the words of the command, joined by a space. */
const startingText: Readonly<Record<string, RegExp>> = {
  cmake: /(?<=^-E )(?:env|chdir|time)(?= |$)/u,
  go: /-extld(?![a-z])|-extar/u,
  "rustc cargo": /linker=/u,
  zip: /(?<=^| )-(?:[A-Za-z0-9]*TT|-unz)/u,
  java: /-XX:On(?:OutOfMemory)?Error(?==)/u,
  // The shell runs these when make expands the variable.
  "make gmake bmake": /(?<=^| )[\w.-]+(?:!=|[:?+]*=[^ ]*\$[({])/u,
  npm: /^explore(?= )/u,
  // A dot command may be cut; a file that begins with a bar is a program.
  sqlite3:
    /(?<=^|[\s"'])\.(?:sh(?!ow)|sy|lo(?!g))[a-z]*|(?<=^|[\s"'])\.(?:o|im|re)[a-z]*\s.*?\||\b(?:load_extension|edit)(?=\s*\()/u,
  psql: /\\(?:!|o\s*\||g\s*\||copy\b.*\bprogram\b)/iu,
  mysql: /(?<=^|[\s;"'])(?:\\!|system(?= )|pager(?= ))/iu,
  "vim nvim vi view vimdiff gvim ex": /(?<=^| )\+\S*!/u,
  "mvn mvnw": /(?<=^| )(?:exec:|[\w.:-]*exec-maven-plugin)[\w:.-]*/u,
};

const optionsByName = new Map(
  entriesByName(starting).map(([name, options]) => [name, options.split(" ")] as const),
);
const textByName = new Map(entriesByName(startingText));

/** Entries of a table whose keys are several names, separated by blanks. */
export function entriesByName<T>(
  table: Readonly<Record<string, T>>,
): readonly (readonly [string, T])[] {
  return Object.entries(table).flatMap(([names, value]) =>
    names.split(" ").map((name) => [name, value] as const),
  );
}

/** Reports words that make a program start another one, which a rule on the program alone does not allow. */
export function noteStarts(site: Site): void {
  const found = textByName.get(site.name)?.exec(site.args.map(showWord).join(" "))?.[0];
  if (found !== undefined) site.unknown(`${site.name} ${found} may start another program`, found);
  const known = optionsByName.get(site.name);
  if (known === undefined) return;
  noteCall(site);
  for (const [index, word] of site.args.entries()) {
    if (word === "--") return;
    const start = leadingText(word);
    const option = readOption(word, site.args[index + 1], known);
    // `ssh` is the remote shell that rsync uses by default.
    if (option === undefined || option.value === "ssh") continue;
    const written = start.startsWith("--") ? start.replace(/=.*$/su, "") : option.option;
    site.unknown(`${site.name} ${written} may start another program`, written);
  }
}

/** Reports `npx -c`, `npm exec -c` and `pnpm exec -c`, whose value is a script. */
function noteCall(site: Site): void {
  const { name } = site;
  const words = site.args.map(leadingText);
  const at = words.findIndex((word) => /^(?:-c|--call)(?:=|$)/u.test(word));
  if (at === -1 || !takesScript(name, words, at)) return;
  site.unknown(`${name} -c runs the script it is given`, "-c");
}

/** Whether the option is for the package runner; behind the program that it starts, the option is that program's own. */
function takesScript(name: string, words: readonly string[], at: number): boolean {
  const before = words.slice(0, at);
  const operands = before.filter((word) => !word.startsWith("-"));
  switch (name) {
    case "npm":
      return operands.some((word) => /^(?:exec|x)$/u.test(word));
    case "pnpm": {
      const verb = words.indexOf("exec");
      return verb !== -1 && !before.slice(verb + 1).some((word) => !word.startsWith("-"));
    }
    case "npx":
    case "pnpx": {
      const mayTakeValue = before.filter((word) =>
        /^-(?!(?:y|-yes|-no|-no-install|q|-quiet)$)/u.test(word),
      );
      return operands.length <= mayTakeValue.length;
    }
    default:
      return false;
  }
}

/** Interpreters, which take code in their arguments as well, so that code on standard input is nothing more. */
export const takesCode =
  /^(?:python[\d.]*|node|nodejs|perl|ruby|php|lua|deno|bun|Rscript|osascript|tsx|ts-node)$/u;

/** Programs for which standard input is data that they send, store or format. */
export const takesData =
  /^(?:git|gh|glab|kubectl|oc|helm|curl|wget|ssh|prettier|black|isort|ruff|clang-format|gofmt|jq|yq|gpg|openssl|pandoc)$/u;

const inputWord =
  /^(?:-[A-Za-z]+|--?[\w-]+=)?(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/(?:self|\d+)\/fd\/\d+)$/u;

/** Reports a file of instructions, such as that of `make -f -`, which the command itself supplies. */
export function noteFed(site: Site): void {
  const { name, args, redirects, piped } = site;
  if (takesCode.test(name) || takesData.test(name)) return;
  const isFed = piped || redirects.some(({ operator }) => operator.startsWith("<"));
  if (!isFed && !name.endsWith("make")) return;
  const word = args.find((each) => typeof each === "string" && inputWord.test(each));
  if (word !== undefined) site.unknown(`${name} may obey what it is fed`, showWord(word));
}

interface FoundOption {
  readonly option: string;
  readonly value: Argument;
}

/** One of these options or variables, with its value in the same word or the next. */
export function readOption(
  word: Argument,
  next: Argument | undefined,
  known: readonly string[],
): FoundOption | undefined {
  const start = leadingText(word);
  const variable = known.find((each) => each.endsWith("=") && start.startsWith(each));
  if (variable !== undefined)
    return { option: variable, value: dropLeading(word, variable.length) };
  if (!start.startsWith("-")) return undefined;
  const equals = start.indexOf("=");
  const name = equals === -1 ? start : start.slice(0, equals);
  const option = known.find((each) => isMeant(name, each));
  if (option !== undefined) {
    const value = equals === -1 ? next : dropLeading(word, equals + 1);
    return value === undefined ? undefined : { option, value };
  }
  // The last letter of a cluster takes the value.
  const letters = /^-[A-Za-z]+/u.exec(start)?.[0] ?? "";
  const at = Array.from(letters).findIndex((letter) => known.includes(`-${letter}`));
  if (at === -1) return undefined;
  const value =
    at + 1 < start.length || typeof word !== "string" ? dropLeading(word, at + 1) : next;
  return value === undefined ? undefined : { option: `-${letters.charAt(at)}`, value };
}

/** A long option may be cut to its beginning, and some programs do not count the dashes before one. */
export function isMeant(name: string, option: string): boolean {
  if (name === option) return true;
  // pnpm does not take `--config` for `--config.script-shell`.
  if (/^--\w/u.test(name) && option.startsWith(name) && !option.includes(".")) return true;
  const letters = withoutDashes(option);
  if (letters !== withoutDashes(name)) return false;
  return letters.length > 1 || name.startsWith("--");
}

function withoutDashes(option: string): string {
  return option.replace(/^-+/u, "");
}
