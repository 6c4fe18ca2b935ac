import { analyseCommand, type CommandAnalysis, type CommandPlace } from "./analyse.ts";
import { isReadingSubcommand } from "./programs/git/git.ts";

/** Plan to run a command without a shell: exactly the judged arguments, and environment variables to set. */
export interface ArgvPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Settings that override a repository's own and prevent git from running programs it names. */
const gitSettings: readonly (readonly [string, string])[] = [
  ["core.pager", "cat"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.editor", "false"],
  ["core.askPass", ""],
  ["diff.external", ""],
  ["gpg.program", "gpg"],
  ["gpg.ssh.program", "ssh-keygen"],
  ["gpg.x509.program", "gpgsm"],
  ["log.showSignature", "false"],
  ["protocol.allow", "never"],
  ["interactive.diffFilter", ""],
  // A submodule has its own configuration, which applies when git checks it for changes.
  ["diff.ignoreSubmodules", "dirty"],
  ["diff.submodule", "short"],
  // Repeating a merge to show its difference runs the merge drivers.
  ["log.diffMerges", "separate"],
];

/** Variables that neutralise a repository's configuration, for git started by any shell as well. */
export const gitNeutralisers: Readonly<Record<string, string>> = Object.freeze({
  GIT_PAGER: "cat",
  PAGER: "cat",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  // Also overrides `protocol.<name>.allow` of the repository, which takes precedence over `protocol.allow`.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_EDITOR: "false",
  GIT_CONFIG_COUNT: String(gitSettings.length),
  ...Object.fromEntries(
    gitSettings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
});

/** Subcommands that show differences and accept the options that prevent them from starting other programs. */
const showsDifferences = new Set([
  "diff",
  "log",
  "show",
  "whatchanged",
  "stash",
  "diff-tree",
  "diff-index",
  "diff-files",
  "range-diff",
]);
const convertsText = new Set(["blame", "annotate", "grep"]);

/**
 * Exact arguments for running a read-only command without a shell; undefined if it needs a shell: several commands, a
 * word to expand, an assignment or a redirection.
 */
export function planArgv(analysis: CommandAnalysis): ArgvPlan | undefined {
  const [only, ...others] = analysis.invocations;
  if (only === undefined || others.length > 0 || !analysis.readOnly) return undefined;
  if (only.assigns.length > 0 || only.redirects.length > 0 || only.context !== "list")
    return undefined;
  const argv: string[] = [];
  for (const word of only.argv) {
    if (typeof word !== "string") return undefined;
    argv.push(word);
  }
  if (only.name === undefined || shellOnly.has(only.name)) return undefined;
  if (only.name !== "git") return { argv, env: {} };
  return { argv: neutralGit(argv), env: gitNeutralisers };
}

/** Commands that exist only in a shell, or have a different meaning there. */
const shellOnly = new Set([
  "cd",
  "pushd",
  "popd",
  "dirs",
  "type",
  "hash",
  "umask",
  "ulimit",
  "history",
  "unset",
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "shopt",
  "alias",
  "help",
  "bg",
  "fg",
  "disown",
  "set",
  "trap",
  "eval",
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "wait",
  "jobs",
  "times",
  "break",
  "continue",
  "return",
  "exit",
  "logout",
  ":",
  "command",
  "builtin",
  "exec",
  "source",
  ".",
  "echo",
  "printf",
]);

function neutralGit(argv: readonly string[]): string[] {
  const [git = "git", ...words] = argv;
  const place = words.findIndex(
    (word, index) =>
      !word.startsWith("-") && isReadingSubcommand(word) && !takesPrevious(words, index),
  );
  const out = [git, "--no-pager", "--no-optional-locks", ...words];
  if (place === -1) return out;
  const name = words[place] ?? "";
  // Options go after the subcommand, and for stash after its verb, which parses them.
  const after = place + (name === "stash" ? 5 : 4);
  if (name === "stash" && words[place + 1] !== "show") return out;
  if (showsDifferences.has(name)) out.splice(after, 0, "--no-ext-diff", "--no-textconv");
  else if (convertsText.has(name)) out.splice(after, 0, "--no-textconv");
  return out;
}

function takesPrevious(words: readonly string[], index: number): boolean {
  return /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/u.test(words[index - 1] ?? "");
}

/** Plan for a text; undefined if it needs a shell or is not read-only. */
export function planCommand(text: string, place: CommandPlace): ArgvPlan | undefined {
  return planArgv(analyseCommand(text, place));
}
