import { spawnSync } from "node:child_process";

/** Enough for the help of any program; a manual of a shell is longer and says the rest again. */
const maxChars = 2_000_000;
const options = {
  encoding: "utf8" as const,
  timeout: 5000,
  input: "",
  maxBuffer: maxChars,
  env: {
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    LC_ALL: "C.UTF-8",
    COLUMNS: "200",
    MANPAGER: "cat",
  },
};

/** Every single letter and digit: help texts leave some out. */
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%#"
  .split("")
  .map((letter) => `-${letter}`);

/**
 * Options of a program from its own help and manual, and every single-letter one.
 * A subcommand belongs to the program: `git log`.
 */
export function optionsOf(program: readonly string[], directory: string): readonly string[] {
  const [name = "", subcommand] = program;
  const texts =
    name === "git" && subcommand !== undefined
      ? [
          print(["git", subcommand, "--git-completion-helper-all"], directory),
          manual(`git-${subcommand}`),
        ]
      : [print([...program, "--help"], directory), manual(name)];
  const found = new Set(letters);
  for (const text of texts) {
    for (const match of text.matchAll(/(?<![\w/.-])-{1,2}[A-Za-z][\w-]*/gu)) {
      found.add(match[0].replace(/[-_]+$/u, ""));
    }
  }
  return [...found];
}

function print([program = "", ...words]: readonly string[], directory: string): string {
  const { stdout, stderr } = spawnSync(program, words, { ...options, cwd: directory });
  return `${stdout ?? ""}\n${stderr ?? ""}`;
}

function manual(page: string): string {
  const { stdout } = spawnSync("man", ["--pager=cat", page], options);
  // Bold and underlined letters are printed twice with a backspace between.
  return (stdout ?? "").replaceAll(new RegExp(`.${String.fromCharCode(8)}`, "gu"), "");
}
