import { spelledPaths } from "../../../text/index.ts";
import type { CommandLine } from "../options.ts";
import type { Site } from "../../walk/invocation-context.ts";
import { leadingText, showWord, type Argument, type Standing } from "../../words/words.ts";
import { notePath } from "../places.ts";

/**
 * Options, or words after the subcommand, that make git subcommands with open consequences start another program,
 * reveal secrets or obey another configuration.
 */
const starting: Readonly<Record<string, string>> = {
  rebase: "-x --exec",
  bisect: "run",
  "submodule submodule--helper": "foreach",
  difftool: "-x --extcmd",
  "filter-branch":
    "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter",
  clone: "-u --upload-pack -c --config --template",
  init: "--template",
  "fetch pull ls-remote fetch-pack": "--upload-pack --exec",
  "push send-pack": "--receive-pack --exec",
  archive: "--exec --remote",
  "send-email": "--sendmail-cmd --smtp-server --to-cmd --cc-cmd --header-cmd --compose-encoding",
  help: "-w --web",
  credential: "fill",
  apply: "--unsafe-paths",
  // These change the settings of the user, and the first starts git in every repository from time to time.
  maintenance: "start stop register unregister",
  scalar: "register unregister clone reconfigure run delete",
  lfs: "install uninstall",
};

const bySubcommand: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(starting).flatMap(([names, words]) =>
    names.split(" ").map((name) => [name, words.split(" ")] as const),
  ),
);

/** Settings that cannot make git start a program or read another path, whatever their value. */
export const plainKeys =
  /^(?:(?:user|author|committer)\.(?:name|email|signingkey)|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath|longpaths|symlinks|abbrev|bare)|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|init\.defaultbranch|merge\.(?:ff|conflictstyle)|rebase\.(?:autostash|autosquash|updaterefs)|rerere\.[a-z]+|fetch\.(?:prune|prunetags|parallel)|branch\..+\.(?:merge|rebase|description)|commit\.(?:gpgsign|verbose)|tag\.(?:gpgsign|sort)|color\.[a-z.]+|advice\.[a-z]+|diff\.(?:renames|algorithm|colormoved|mnemonicprefix|context)|column\.[a-z]+|log\.(?:date|decorate|abbrevcommit|follow)|format\.pretty|status\.[a-z]+)$/iu;

/** Reports programs that arguments make an open subcommand start, and paths it uses outside its directory. */
export function noteGitStarts(
  name: string,
  args: readonly Argument[],
  { site, standing }: { readonly site: Site; readonly standing: Standing | undefined },
): void {
  const known = bySubcommand.get(name) ?? [];
  const verb = args.find((word) => !leadingText(word).startsWith("-"));
  if (name.startsWith("credential-")) site.unknown(`git ${name} hands out what is secret`, name);
  if (startsAny.test(name)) site.unknown(`git ${name} starts the program it is given`, name);
  for (const [index, word] of args.entries()) {
    const start = leadingText(word);
    const option = known.find((each) => isMeant(start, each, word === verb));
    if (option !== undefined) {
      const written = start.includes("=") ? start.slice(0, start.indexOf("=")) : start;
      site.unknown(`git ${name} ${written} may start another program`, written);
    }
    if (isText(name, start, leadingText(args[index - 1] ?? ""))) continue;
    if (/^(?:--[\w-]+=)?[\w.+-]*::/u.test(start)) {
      site.unknown(`${showWord(word)} names a program that git starts`, showWord(word));
    }
    notePlaces(word, { site, standing, mayBeLink: namesFolders.test(name) });
  }
}

/** These start a web server or browser, or a program that one of their words names. */
const startsAny = /^(?:merge-index|remote-ext|for-each-repo|instaweb|web--browse)$/u;

/** A word of these may be a folder, and a link of the workspace may lead from there to another one. */
const namesFolders =
  /^(?:clone|init|worktree|submodule|fetch|pull|push|ls-remote|bundle|archive)$/u;

const textOption = /^--(?:message|author|date|grep|trailer)(?==|$)/u;
/** Subcommands of which `-m` takes a text; for others it takes none. */
const takesMessage = /^(?:commit|commit-tree|merge|tag|notes|stash)$/u;

/** Whether a word is a text and no path, by itself or because of the option before it. */
function isText(name: string, word: string, before: string): boolean {
  if (textOption.test(word) || textOption.test(before)) return true;
  return takesMessage.test(name) && (/^-[a-zA-Z]*m$/u.test(before) || /^-[a-zA-Z]*m/u.test(word));
}

/** Whether a word is this verb, as the first operand, or this option, which may be abbreviated. */
function isMeant(start: string, option: string, isVerb: boolean): boolean {
  if (!option.startsWith("-")) return isVerb && start === option;
  const name = start.includes("=") ? start.slice(0, start.indexOf("=")) : start;
  if (option.startsWith("--")) return /^--\w/u.test(name) && option.startsWith(name);
  return (
    !start.startsWith("--") && start.startsWith("-") && start.slice(1).includes(option.charAt(1))
  );
}

interface Place {
  readonly site: Site;
  readonly standing: Standing | undefined;
  /** Whether it may be a folder that is named without a sign of it. */
  readonly mayBeLink: boolean;
}

/** A path outside the directory is a separate place. */
function notePlaces(word: Argument, { site, standing, mayBeLink }: Place): void {
  if (typeof word !== "string") {
    if (/^(?:-[A-Za-z]|--[\w-]+=)?(?:\/|\.\.(?:\/|$)|~)/u.test(leadingText(word))) {
      site.worksIn(undefined);
    }
    return;
  }
  // Before a path in a commit, on another machine, or in the whole working tree.
  if (/^(?!-|file:)[^/]*:/u.test(word)) return;
  const paths = spelledPaths(word, { inText: false });
  if (paths === undefined) site.worksIn(undefined);
  const named = paths?.length === 0 && mayBeLink && !word.startsWith("-") ? [word] : paths;
  for (const path of named ?? []) notePath(path, site, standing);
}

const verbs = /^(?:set|unset|edit|rename-section|remove-section)$/u;

/** Reports a setting that names a program, because git may start that program later without a question. */
export function noteSetting(line: CommandLine, site: Site): void {
  const file = line.options.find(({ name }) => name === "f" || name === "file");
  if (file !== undefined) site.unknown("git config may write any file", file.written);
  const shared = line.options.find(({ name }) => name === "global" || name === "system");
  if (shared !== undefined) {
    site.unknown(`git config ${shared.written} changes every repository`, shared.written);
  }
  const [first, second] = line.operands;
  const key = verbs.test(leadingText(first ?? "")) ? second : first;
  if (key === undefined || (typeof key === "string" && plainKeys.test(key))) return;
  const shown = showWord(key);
  site.unknown(`git may start a program that ${shown} names, or read what it names`, shown);
}
