import { joinPath } from "../../text/index.ts";
import { findTest } from "../words/find-tests.ts";
import { trailingText, namedPaths, type Argument, type Standing } from "../words/words.ts";

/** Directories that no command may remove as a whole, in addition to the root, home and ancestors of the cwd. */
const systemFolders = new Set([
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/home",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/proc",
  "/root",
  "/sbin",
  "/sys",
  "/usr",
  "/var",
  "/Users",
  "/System",
  "/Library",
  "/Applications",
  "/private",
]);

const blockDevice =
  /^\/dev\/(?:(?:sd|hd|vd|xvd)[a-z]+\d*|nvme\d+(?:n\d+(?:p\d+)?)?|mmcblk\d+(?:p\d+)?|r?disk\d+(?:s\d+)*|dm-\d+|md\d+|loop\d+|mapper\/.+|disk\/.+|mem|kmem|port)$/u;

/** Reason why this path must not be written in any mode, or undefined. */
export function writesFloor(path: string, scope: "file" | "tree"): string | undefined {
  if (blockDevice.test(path) || (scope === "tree" && path === "/dev")) {
    return `it writes to the device ${path}, which destroys what is on it`;
  }
  if (path === "/proc/sysrq-trigger") return "it can stop or crash the machine";
  return undefined;
}

export interface FloorContext {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly standing: Standing;
  readonly cwd: string;
}

const makesFileSystem =
  /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs(?:_.+)?|wipefs|format(?:\.com)?|diskpart(?:\.exe)?|blkdiscard|fdformat)$/u;
const stops = /^(?:shutdown|reboot|halt|poweroff)$/u;
const onlyAsks = /^(?:-h|-V|--help|--version|-\?)$/u;

/** Reason why this command must not run in any mode, or undefined. */
export function commandFloor(context: FloorContext): string | undefined {
  const { name, args } = context;
  if (makesFileSystem.test(name)) {
    const harmless =
      args.length > 0 && args.every((word) => typeof word === "string" && onlyAsks.test(word));
    if (harmless || (name === "wipefs" && !args.some((word) => isFlag(word, "a", "--all"))))
      return undefined;
    return `${name} erases a disk`;
  }
  if (stops.test(name)) return stopsMachine(name, args);
  if (name === "init" || name === "telinit") {
    return args[0] === "0" || args[0] === "6" ? `${name} ${args[0]} stops the machine` : undefined;
  }
  if (name === "systemctl" || name === "loginctl") {
    const verb = args.find((word) => typeof word === "string" && !word.startsWith("-"));
    const stopping =
      typeof verb === "string" && /^(?:poweroff|reboot|halt|kexec|soft-reboot)$/u.test(verb);
    return stopping ? `${name} ${verb} stops the machine` : undefined;
  }
  if (name === "rm" || name === "rmdir") return removes(context);
  if (name === "find") return findRemoves(context);
  return inlineCode(name, args);
}

function stopsMachine(name: string, args: readonly Argument[]): string | undefined {
  const asks =
    args.length > 0 &&
    args.every(
      (word) =>
        typeof word === "string" && /^(?:--help|--version|--show|-c|-w|--wtmp-only)$/u.test(word),
    );
  return asks ? undefined : `${name} stops the machine`;
}

function isFlag(word: Argument, letter: string, long: string): boolean {
  if (typeof word !== "string") return false;
  if (word.startsWith("--")) return word.length > 3 && long.startsWith(word);
  return word.startsWith("-") && word.includes(letter);
}

function removes({ name, args, standing, cwd }: FloorContext): string | undefined {
  const deep =
    name === "rm" &&
    args.some((word) => isFlag(word, "r", "--recursive") || isFlag(word, "R", "--recursive"));
  if (!deep) return undefined;
  return wipedBy(args, standing, cwd);
}

/** Reason to refuse the first word that names a directory which no command may remove. */
function wipedBy(words: readonly Argument[], standing: Standing, cwd: string): string | undefined {
  for (const word of words) {
    if (typeof word === "string" && word.startsWith("-")) continue;
    for (const path of wipedPaths(word, standing)) {
      const what = protectedFolder(path, standing.home, cwd);
      if (what !== undefined) return `it would remove ${what}`;
    }
  }
  return undefined;
}

/** Directories that removing a word would empty: those it names, and those whose whole content it names. */
function wipedPaths(word: Argument, standing: Standing): readonly string[] {
  const named = namedPaths(word, standing);
  if (!named.known) return [];
  if (named.scope === "file") return named.paths;
  const loose = typeof word === "string" ? undefined : word;
  const first = loose?.pieces[0];
  if (typeof first === "object" && first.kind === "found") return [];
  const wide = (loose?.pieces ?? []).some(
    (piece) =>
      typeof piece !== "string" &&
      piece.kind === "pattern" &&
      /^(?:\*+|\{.*\*.*\})$/u.test(piece.text),
  );
  const text =
    loose?.pieces.map((piece) => (typeof piece === "string" ? piece : "*")).join("") ?? "";
  const last = text.slice(text.lastIndexOf("/") + 1);
  if (wide && /^\.?\*+$/u.test(last)) return named.paths;
  // A name with an unknown end may be that of a parent directory.
  return trailingText(word) === "/" && wide ? named.paths : [];
}

function protectedFolder(path: string, home: string, cwd: string): string | undefined {
  if (path === "/") return "everything on this machine (/)";
  if (path === home) return `the home directory (${home})`;
  if (systemFolders.has(path)) return `a directory of the system (${path})`;
  if (cwd !== path && cwd.startsWith(`${path}/`))
    return `a directory that holds the current one (${path})`;
  return undefined;
}

const narrowing =
  /^-(?:i?name|i?path|i?regex|[acm]?(?:min|time)|size|user|group|empty|perm|newer.*|links|inum|i?lname|samefile|maxdepth|prune)$/u;

/** Whether an argument of `find` is a test that excludes some entries. */
export function narrows(word: Argument): boolean {
  return typeof word === "string" && narrowing.test(word);
}

/** Reason to refuse `find / -delete`: a start that must not be removed, and no test that would exclude an entry. */
function findRemoves({ args, standing, cwd }: FloorContext): string | undefined {
  const action = args.findIndex(
    (word, index) =>
      word === "-delete" ||
      (typeof word === "string" &&
        /^-(?:exec|ok)(?:dir)?$/u.test(word) &&
        removesAll(args[index + 1])),
  );
  // A test after the action excludes nothing from it.
  if (action === -1 || predicatesIn(args.slice(0, action)).some(narrows)) return undefined;
  const start = args.findIndex((word) => typeof word === "string" && /^[-(!]/u.test(word));
  return wipedBy(args.slice(0, start === -1 ? undefined : start), standing, cwd);
}

/** Words of an expression of `find` without the values of its tests. */
function predicatesIn(args: readonly Argument[]): readonly Argument[] {
  let values = 0;
  let isCommand = false;
  return args.filter((word) => {
    values -= 1;
    if (isCommand) isCommand = word !== ";" && word !== "+";
    else if (values < 0) {
      const takes = typeof word === "string" ? findTest(word) : undefined;
      values = takes === "text" || takes === "file" ? 1 : 0;
      isCommand = takes === "command";
      return true;
    }
    return false;
  });
}

function removesAll(word: Argument | undefined): boolean {
  return typeof word === "string" && /^(?:.*\/)?(?:rm|shred)$/u.test(word);
}

const interpreters =
  /^(?:python[\d.]*|perl|ruby|node|nodejs|php|lua|bun|deno|awk|gawk|mawk|osascript)$/u;

/** Reason to refuse interpreter code that visibly contains a wipe or a fork bomb. */
function inlineCode(name: string, args: readonly Argument[]): string | undefined {
  if (!interpreters.test(name)) return undefined;
  for (const word of args) {
    if (typeof word !== "string") continue;
    if (
      /\brm\s+(?:-\w+\s+)*-\w*r\w*\s+(?:--\S+\s+)*(?:\/|~|\$HOME)\*?(?=\s|['"`);]|$)/u.test(word)
    ) {
      return "its code would remove everything";
    }
    if (/\bfork\b(?:\s*\(\))?\s+while\b|\bwhile\b[^;]*\bfork\b/u.test(word))
      return "its code is a fork bomb";
  }
  return undefined;
}

/** Reason to refuse a command with an unknown name whose arguments can only mean a wipe. */
export function looseFloor(args: readonly Argument[]): string | undefined {
  const deep = args.some(
    (word) => typeof word === "string" && /^-(?:[a-z]*r[a-z]*f|[a-z]*f[a-z]*r)[a-z]*$/u.test(word),
  );
  if (
    deep &&
    args.some(
      (word) => typeof word === "string" && word.startsWith("/") && joinPath("/", word) === "/",
    )
  ) {
    return "it would remove everything on this machine (/)";
  }
  return undefined;
}
