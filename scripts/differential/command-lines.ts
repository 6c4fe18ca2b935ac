import type { World } from "./world.ts";

/** One program, or a subcommand of one, with the operands it usually gets. */
export interface Subject {
  readonly program: readonly string[];
  /** Operand lists to try each option with. */
  readonly operands: readonly (readonly string[])[];
}

const gitSubcommands =
  "log show diff status branch tag blame grep ls-files rev-parse cat-file describe shortlog reflog remote config stash worktree for-each-ref ls-tree rev-list name-rev merge-base diff-tree diff-index diff-files show-ref check-ignore check-attr var count-objects whatchanged cherry range-diff notes submodule ls-remote archive bundle verify-commit verify-tag fsck".split(
    " ",
  );

/** Operands of programs that do nothing useful with a text file. */
const special: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ar: [["t", "lib.a"]],
  awk: [["{print}", "a.txt"]],
  cmp: [["a.txt", "b.txt"]],
  comm: [["a.txt", "b.txt"]],
  diff: [
    ["a.txt", "b.txt"],
    [".", "."],
  ],
  date: [[], ["+%s"]],
  fd: [["a"], ["a", "."]],
  file: [["a.txt"]],
  find: [["."], [".", "-name", "a.txt"]],
  getent: [["passwd"], ["hosts", "localhost"]],
  jq: [[".", "data.json"], ["."]],
  join: [["a.txt", "b.txt"]],
  look: [["alpha", "a.txt"]],
  nm: [["main"], ["lib.a"]],
  objdump: [["main"], ["-h", "main"]],
  paste: [["a.txt", "b.txt"]],
  readelf: [["main"], ["-h", "main"]],
  sdiff: [["a.txt", "b.txt"]],
  sed: [["-n", "p", "a.txt"], ["p"]],
  size: [["main"]],
  strings: [["main"]],
  tar: [
    ["-tf", "a.tar"],
    ["tf", "a.tar"],
    ["-tzf", "a.tgz"],
  ],
  tr: [["a", "b"]],
  unzip: [
    ["-l", "a.zip"],
    ["-p", "a.zip"],
  ],
  zipinfo: [["a.zip"]],
  xargs: [["echo"], []],
  xxd: [["a.txt"]],
  zcat: [["a.txt.gz"]],
  zless: [["a.txt.gz"]],
  bzcat: [["b.txt.bz2"]],
  xzcat: [["b.txt.xz"]],
};
const patternFirst = new Set(
  "grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep rg ag ack".split(" "),
);
const awks = new Set("gawk mawk nawk original-awk".split(" "));

/** The subjects of a program: itself, or its subcommands. */
export function subjectsOf(name: string): readonly Subject[] {
  if (name === "git") {
    return gitSubcommands.map((subcommand) => ({
      program: ["git", subcommand],
      operands: [[], ["HEAD"], ["--", "a.txt"]],
    }));
  }
  const operands =
    special[awks.has(name) ? "awk" : name] ??
    (patternFirst.has(name) ? [["alpha", "a.txt"], ["alpha"]] : [["a.txt"], []]);
  return [{ program: [name], operands }];
}

/** A value of each kind an option might take: a file, a new file, a directory, a program, an address. */
function valuesIn({ outside }: World): readonly string[] {
  return [
    `${outside}/a.txt`,
    `${outside}/new`,
    `${outside}/dir`,
    `${outside}/run`,
    `@${outside}/options`,
    `${outside}/names0`,
    "127.0.0.1:9",
  ];
}

/** Every way to write one option: alone, with a separate or attached value, abbreviated, in a cluster. */
export function commandLines(subject: Subject, option: string, world: World): readonly string[][] {
  const { program } = subject;
  const out: string[][] = [];
  const isLong = option.startsWith("--");
  const shorter = isLong ? option.slice(0, Math.max(3, option.length - 2)) : undefined;
  for (const operands of subject.operands) {
    out.push([...program, option, ...operands], [...program, ...operands, option]);
    if (shorter !== undefined) out.push([...program, shorter, ...operands]);
    for (const value of valuesIn(world)) {
      out.push([...program, option, value, ...operands]);
      out.push([...program, `${option}${isLong ? "=" : ""}${value}`, ...operands]);
      if (shorter !== undefined) out.push([...program, `${shorter}=${value}`, ...operands]);
      // Whether the option takes a value decides whether the path is read.
      out.push([...program, ...operands, option, value], [...program, option, "1", value]);
      if (option.length === 2) {
        out.push([...program, `-n${option.slice(1)}`, value, ...operands]);
        out.push([...program, `-v${option.slice(1)}${value}`, ...operands]);
      }
    }
  }
  return out;
}
