/** Programs and builtins that run nothing, whatever their arguments are, and print no content of files. */
export const inertPrograms: ReadonlySet<string> = new Set(
  "echo printf true false : sleep date basename dirname realpath readlink mkdir rmdir rm touch exit return break continue shift local for test [ [[ uname hostname whoami id ps pgrep seq tput sync mktemp tty nproc notify-send say afplay paplay aplay logger pbcopy".split(
    " ",
  ),
);

/** Programs that read files and run nothing, with the number of operands that are not files. */
export const readers: ReadonlyMap<string, number> = new Map([
  ...names(
    "cat head tail wc cut stat ls diff cmp md5sum sha1sum sha256sum shasum nl rev tac fold column paste comm base64 od du df ruff gofmt goimports rustfmt shfmt clang-format black shellcheck hadolint yamllint taplo stylua",
    0,
  ),
  ...names("grep egrep fgrep jq", 1),
  ["tr", 2],
]);

/** Builtins that change how a shell runs what follows, whose arguments are judged by themselves. */
export const settingBuiltins: ReadonlySet<string> = new Set(
  "cd pwd wait kill type which set read export declare typeset readonly".split(" "),
);

/** Options without a value of programs that run no file that is an operand; other options may load code. */
export const operandPrograms: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    prettier: "--write|-w|--check|-c|--list-different|-l|--ignore-unknown|-u",
    eslint: "--fix|--quiet|--cache|--no-warn-ignored",
    isort: "--quiet|-q|--check",
    mypy: "--strict",
    tsc: "--noEmit|--pretty|-p|--project",
    rubocop: "-a|-A",
    sed: "-i|-n|-E|-r",
    sort: "-u|-r|-n",
    git: "-q|-v|-a|-A|-m|--all|--stat|--quiet|--cached|--staged|--short|--porcelain",
  }).map(([program, options]) => [program, new RegExp(`^(?:--|${options})$`, "u")]),
);

function names(text: string, operands: number): readonly (readonly [string, number])[] {
  return text.split(" ").map((name) => [name, operands]);
}
