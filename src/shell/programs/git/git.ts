import { optionTable, readOptions, type CommandLine, type OptionTable } from "../options.ts";
import type { Program, Site } from "../../walk/invocation-context.ts";
import {
  alternatives,
  leadingText,
  maySeveral,
  movedBy,
  showWord,
  spellings,
  type Argument,
  type Standing,
} from "../../words/words.ts";
import { gitRows, type GitRow } from "./git-options.ts";
import { noteGitStarts, noteSetting, plainKeys } from "./git-starts.ts";
import { hasOption } from "../row.ts";

interface GitCommand {
  readonly row: GitRow;
  readonly table: OptionTable;
}

const rows = new Map<string, GitRow>(
  Object.entries(gitRows).flatMap(([names, row]) =>
    names.split(" ").map((name) => [name, row] as const),
  ),
);
const commands = new Map<string, GitCommand>();

const globalFlags = new Set([
  "-P",
  "--no-pager",
  "--no-optional-locks",
  "--no-replace-objects",
  "--bare",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs",
  "--no-advice",
  "--no-lazy-fetch",
]);
const asks = new Set([
  "--version",
  "-v",
  "--html-path",
  "--man-path",
  "--info-path",
  "--exec-path",
]);

/** Configuration that only colors or shortens the output. */
const plainConfig =
  /^(?:color\.[a-z.]+=(?:always|never|auto|true|false)|core\.quotepath=(?:true|false|on|off)|core\.pager=(?:cat)?|log\.showsignature=false|core\.fsmonitor=false|advice\.[a-z]+=(?:true|false)|diff\.(?:renames|noprefix|mnemonicprefix|algorithm|context)=[a-z0-9]+|safe\.directory=\*|log\.date=[a-z-]+)$/iu;

/** Judges git by subcommand and flags: only those listed as reading have no consequences. */
function judgeGit(site: Site): void {
  site.classify("general");
  let standing: Standing | undefined = site.standing;
  let index = 0;
  for (; index < site.args.length; index++) {
    const word = site.args[index];
    if (typeof word !== "string") {
      site.open("what git is told to do is not known before it runs");
      return;
    }
    if (!word.startsWith("-")) break;
    if (asks.has(word)) return;
    if (word === "-C") {
      standing = standing && movedBy(standing, site.args[index + 1]);
      index++;
    } else if (word === "-c") {
      const setting = site.args[index + 1];
      if (typeof setting !== "string" || !plainConfig.test(setting)) {
        const shown = showWord(setting ?? "");
        const [key = ""] = shown.split("=");
        const isPlain = typeof setting === "string" && plainKeys.test(key);
        const through = isPlain ? undefined : shown;
        site.unknown(`git -c ${shown} changes what git does, or may name a program`, through);
      }
      index++;
    } else if (word === "--git-dir" || word === "--work-tree" || word === "--namespace") {
      noteFolder(word, site.args[index + 1], site);
      index++;
    } else if (/^--(?:git-dir|work-tree|namespace)=/u.test(word)) {
      noteFolder(word, word.slice(word.indexOf("=") + 1), site);
    } else if (!globalFlags.has(word)) {
      site.unknown(`git ${word} may run a program`, word);
    }
  }
  const name = site.args[index];
  if (typeof name !== "string") {
    site.open("git is given no sub-command");
    return;
  }
  if (standing !== site.standing) site.worksIn(standing?.folders);
  judgeCommand(name, site.args.slice(index + 1), { site, standing });
}

/** Reports another repository, whose configuration has not been inspected. */
function noteFolder(option: string, folder: Argument | undefined, site: Site): void {
  if (option.startsWith("--namespace") || folder === undefined) return;
  site.read(folder, "tree");
  if (site.gitConfig !== undefined)
    site.unknown(`${option} uses a configuration that was not looked at`, option);
}

interface Place {
  readonly site: Site;
  readonly standing: Standing | undefined;
}

function judgeCommand(name: string, args: readonly Argument[], { site, standing }: Place): void {
  const command = commandOf(name);
  if (command === undefined) {
    site.open(`git ${name} may write and run hooks`);
    noteGitStarts(name, args, { site, standing });
    if (mayShowFiles(name, args)) noteFiles(site, standing);
    return;
  }
  const { row, table } = command;
  const line = readOptions(args, table);
  // Options of changing forms are not in the table; options in the table that start a program are marked refused.
  const mayChange = row.verbs !== undefined || row.listing !== undefined;
  for (const { because, through } of line.problems) {
    const isListed = line.options.some(({ written }) => written === through);
    site.unknown(`git ${name}: ${because}`, mayChange && !isListed ? undefined : through);
  }
  for (const { role, value, written } of line.options) {
    if (value === undefined || role === "text" || role === "number") continue;
    if (role === "write" && standing !== site.standing) {
      site.unknown(`git ${name} writes a file of another directory`, written);
    } else if (role === "write") site.writeThrough(written, value, "any");
    else site.read(value, role === "tree" ? "tree" : "file");
  }
  site.classify(row.is ?? "general");
  if (checkOperands(row, line, { site, name })) noteGitStarts(name, args, { site, standing });
  checkOutside(name, line, { site, standing });
  checkSubmodules(name, line, site);
  checkFormats(name, line, site);
  checkIncludes(name, line, site);
  checkMerges({ site, name }, line);
  checkConfig({ site, name }, standing);
  noteFiles(site, standing);
}

/** Reports a read of all files of the repository, which also stand for those of its history. */
function noteFiles(site: Site, standing: Standing | undefined): void {
  if (standing?.folders === undefined) site.read("/", "tree");
  else for (const folder of standing.folders) site.read(folder, "tree");
}

/** Subcommands outside the table that, with these words alone, neither print files nor copy them elsewhere. */
const keepsFiles: ReadonlySet<string> = new Set(
  "add checkout cherry-pick commit fetch gc init merge pull push rebase reset restore revert rm switch".split(
    " ",
  ),
);

/** Options that change nothing about that, whichever subcommand has them. Another one may mean anything. */
const keepingOptions =
  /^(?:--|-[abBcfmnqu]|-am|-d|-x?[fd]{1,2}|--(?:all|abort|amend|continue|force|force-with-lease|no-edit|no-verify|no-ff|ff-only|prune|quiet|rebase|no-rebase|set-upstream|skip|tags|hard|soft|mixed|staged|cached|ours|theirs|track|detach|allow-empty|signoff)|--(?:message|depth|author|date|onto)=.*)$/u;

/** Whether a subcommand may show contents of files, as `git format-patch --stdout` does and any alias may. */
function mayShowFiles(name: string, args: readonly Argument[]): boolean {
  if (name === "clone") return !isRemote(args.find((word) => !leadingText(word).startsWith("-")));
  if (!keepsFiles.has(name)) return true;
  return args.some((word) => {
    if (typeof word !== "string") return true;
    if (word.startsWith("-")) return !keepingOptions.test(word);
    // Everything is copied to a repository in another directory.
    return name === "push" && /^[./~]|^file:/u.test(word);
  });
}

/** Whether a word is the address of a repository on another machine. */
function isRemote(word: Argument | undefined): boolean {
  return typeof word === "string" && /^(?:(?:https?|ssh|git):\/\/|[\w.-]+@[\w.-]+:)/u.test(word);
}

function commandOf(name: string): GitCommand | undefined {
  const known = commands.get(name);
  if (known !== undefined) return known;
  const row = rows.get(name);
  if (row === undefined) return undefined;
  const table = optionTable(row.options, { numbers: row.numbers === true });
  const command = { row, table };
  commands.set(name, command);
  return command;
}

interface Named {
  readonly site: Site;
  readonly name: string;
}

/** Checks the operands; returns whether they make the subcommand change something, unlike the listed form. */
function checkOperands(row: GitRow, line: CommandLine, { site, name }: Named): boolean {
  let changes = false;
  const [first] = line.operands;
  const count = line.operands.length;
  if (
    row.verbs !== undefined &&
    first !== undefined &&
    !(typeof first === "string" && row.verbs.includes(first))
  ) {
    // `git reflog main` shows a reflog, but an unknown operand may also be a verb that deletes.
    site.unknown(`git ${name} ${showWord(first)} may change the repository`);
    changes = true;
  }
  if (name === "stash" && first === undefined) site.unknown("git stash puts changes away");
  if (row.most !== undefined && count > row.most)
    site.unknown(`git ${name} with ${count} names changes one`);
  if (row.operands !== "none" || count === 0) return changes;
  if (hasOption(line, row.listing ?? [])) return changes;
  if (name === "config" && (count === 1 || first === "list" || first === "get")) {
    if (typeof first === "string" && !(first === "edit" || first === "unset" || first === "set"))
      return changes;
  }
  site.unknown(`git ${name} ${showWord(first ?? "")} makes or changes it`);
  if (name === "config") noteSetting(line, site);
  return true;
}

/** Subcommands whose operands may be files. */
const takesFiles =
  /^(?:status|diff|diff-files|diff-index|diff-tree|log|show|whatchanged|shortlog|rev-list|range-diff|blame|annotate|grep|ls-files|ls-tree|check-ignore|check-attr|stash|reflog)$/u;

/** Reports operands outside the directory that git may read as files; `git diff` does so without a repository. */
function checkOutside(name: string, line: CommandLine, { site, standing }: Place): void {
  if (!takesFiles.test(name)) return;
  if (name === "diff" && hasOption(line, ["no-index"])) {
    for (const word of line.operands) if (word !== "-") site.read(word, "tree");
    return;
  }
  const mayCompareAny =
    name === "diff" && (line.operands.length > 1 || line.operands.some(maySeveral));
  for (const word of line.operands) {
    const isOutside = /^(?:\/|\.\.(?:\/|$))/u.test(leadingText(word));
    if (typeof word !== "string") {
      const isPattern = word.pieces.some(
        (piece) => typeof piece !== "string" && piece.kind === "pattern",
      );
      if (isOutside || mayCompareAny || (name === "diff" && isPattern)) site.read(word, "tree");
    } else if (isOutside || /^[^:]*\/\.\.(?:\/|$)/u.test(word)) {
      for (const folder of standing?.folders ?? []) {
        for (const path of spellings(folder, word, standing?.start)) site.read(path, "tree");
      }
    }
  }
}

/** Reports subcommands that inspect submodules, whose configurations have not been inspected. */
function checkSubmodules(name: string, line: CommandLine, site: Site): void {
  const looksBeside = /^(?:short|log)$/u;
  for (const { name: option, value } of line.options) {
    const isHow = option === "submodule" && value !== undefined;
    if (isHow && !(typeof value === "string" && looksBeside.test(value))) {
      site.unknown(`git ${name} --submodule=${showWord(value)} starts git in submodules`);
    }
  }
  const ignored = line.options.findLast((option) => option.name === "ignore-submodules");
  const isPlumbing =
    name === "diff-files" || (name === "diff-index" && !hasOption(line, ["cached"]));
  if (ignored === undefined ? !isPlumbing : isIgnoring(ignored.value)) return;
  site.unknown(`git ${name} starts git in submodules, which have a configuration of their own`);
}

function isIgnoring(value: Argument | undefined): boolean {
  return value === undefined || value === "all" || value === "dirty";
}

/** Placeholders and sort keys for which git verifies the signature of a commit or tag. */
const asksSignature = /%[-+ ]?G|%\(\*?signature|^-?\*?signature/u;

/** Reports formats that show signatures: git starts gpg to verify them, which creates and may fetch keys. */
function checkFormats(name: string, line: CommandLine, site: Site): void {
  for (const { name: option, value, written } of line.options) {
    if (!/^(?:format|pretty|group|sort)$/u.test(option) || value === undefined) continue;
    const mayAsk = alternatives(value)?.some(
      (word) => typeof word !== "string" || asksSignature.test(word),
    );
    if (mayAsk === false) continue;
    site.unknown(`git ${name} ${written} may start gpg to verify signatures`, written);
  }
}

/** Reports `git config` reading a file that may include any other one. */
function checkIncludes(name: string, line: CommandLine, site: Site): void {
  if (name !== "config" || !hasOption(line, ["includes"])) return;
  const file = line.options.find((option) => /^(?:f|file|blob)$/u.test(option.name));
  if (file !== undefined) {
    site.unknown("git config reads the files that the configuration includes", "--includes");
  }
}

const plainMerges = /^(?:off|none|on|m|first-parent|1|separate|c|combined|cc|dense-combined)$/u;

/** Reports options with which git repeats a merge: it writes objects, and may run the drivers of the configuration. */
function checkMerges({ site, name }: Named, line: CommandLine): void {
  for (const { name: option, value, written } of line.options) {
    const isHow = option === "diff-merges" && value !== undefined;
    const isPlain = !isHow || (typeof value === "string" && plainMerges.test(value));
    if (option === "remerge-diff" || !isPlain) {
      site.unknown(`git ${name} ${written} repeats the merge in the repository`, written);
    }
  }
}

/** Settings that name a file which git reads by itself; it shows lines of it that it does not understand. */
export const namesFile =
  /^(?:blame\.ignorerevsfile|mailmap\.file|core\.(?:excludesfile|attributesfile)|diff\.orderfile|(?:(?:fetch|receive)\.)?fsck\.skiplist)$/u;

/** A relative name is unknown: git resolves it from the top of the working tree, which may be above the directory. */
function noteNamedFile(key: string, value: string, site: Site): void {
  for (const name of value.split("\0")) {
    const isPlain = /^\/[^"\\#;]*$/u.test(name) && !/\/\.\.(?:\/|$)/u.test(name);
    if (isPlain) site.read(name);
    else site.unknown(`git reads ${name} (${key} in its configuration)`);
  }
}

/** Reports configured programs that git may run and that haft's overriding settings cannot disable. */
function checkConfig({ site, name }: Named, standing: Standing | undefined): void {
  const { gitConfig, gitFolders } = site;
  if (gitConfig === undefined) return;
  if (standing?.folders?.every((folder) => gitFolders.includes(folder)) !== true) {
    site.unknown("the configuration of that repository was not looked at");
    return;
  }
  for (const [key, value] of gitConfig) {
    if (namesFile.test(key)) noteNamedFile(key, value, site);
    if (
      /^(?:filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:command|textconv)|core\.alternaterefscommand)$/u.test(
        key,
      )
    ) {
      // git-lfs sets these on most machines, and its filters run only for files it manages.
      site.unknown(
        `git ${name} may run ${value.replaceAll("\0", " or ")} (${key} in its configuration)`,
      );
      return;
    }
    if (/^(?:format\.pretty|pretty\..+)$/u.test(key) && asksSignature.test(value)) {
      site.unknown(`git ${name} may start gpg to verify signatures (${key} in its configuration)`);
      return;
    }
  }
}

export const gitPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["git", judgeGit],
]);

/** Whether a word is a subcommand of git that only reads. */
export function isReadingSubcommand(word: Argument): boolean {
  return rows.has(leadingText(word));
}
