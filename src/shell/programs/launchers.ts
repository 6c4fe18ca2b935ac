import { isPlainAssignment } from "../words/environment.ts";
import { anyName, type FedNames } from "../words/fed-names.ts";
import { optionTable, readOptions, type CommandLine, type OptionTable } from "./options.ts";
import type { Program, RunOptions, Site } from "../walk/invocation-context.ts";
import {
  anyWords,
  dropLeading,
  leadingText,
  movedBy,
  showWord,
  type Argument,
  type Standing,
} from "../words/words.ts";
import { hasOption, noteFiles, noteProblems, optionValue } from "./row.ts";

/** Description of a program that starts another one. */
interface Launcher {
  readonly options: string;
  /** Number of operands before the command. Default 0. */
  readonly before?: number;
  /** Whether `NAME=value` operands before the command set its environment. */
  readonly assigns?: boolean;
  /** Risk to report: the command gets more rights, or outlives its grant. */
  readonly risk?: string;
  /** Marks a launcher that does more than start the command, or starts it on another machine. */
  readonly open?: "here" | "elsewhere";
  /** Whether the remaining words form one text for a shell. */
  readonly shell?: boolean;
  /** Runs before the command is judged; returns the options for judging it, or undefined if nothing is started. */
  readonly check?: (line: CommandLine, site: Site) => RunOptions | undefined;
}

const sshOptions =
  "-46aCfGgKkMNnqsTtVvxy -A! -X! -Y! -B: -b: -c: -D:! -E:w -e: -F:r! -I:! -i: -J:! -L:! -l: -m: -O: -o:! -p: -Q: -R:! -S:! -W: -w:!";

/** Options of ssh after which it contacts the host that it is given, and no other one. */
const sshKeepsHost: ReadonlySet<string> = new Set(
  "4 6 a C f G k K M N n q s T t V v x y b c e i l m O p Q E".split(" "),
);

/** Host of a destination of ssh; undefined if it cannot be read. */
function sshHost(word: string): { readonly host: string; readonly hasPort: boolean } | undefined {
  const url = /^ssh:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^@/:[\]]+)(:\d+)?\/?$/iu.exec(word);
  const [, host, port] = url ?? /^(?:[^@]*@)?([^@/[\]]+)$/u.exec(word) ?? [];
  return host === undefined ? undefined : { host, hasPort: port !== undefined };
}

const launchers: Readonly<Record<string, Launcher>> = {
  sudo: {
    options:
      "-AbBEHiKknPSsvVl -e! -C: -D: -g: -h? -p: -R: -r: -T: -t: -U: -u: --askpass --background --bell --preserve-env? --edit! --set-home --login --remove-timestamp --reset-timestamp --non-interactive --preserve-groups --stdin --shell --validate --list --close-from= --chdir= --group= --host= --prompt= --chroot= --role= --type= --command-timeout= --other-user= --user= --help --version",
    assigns: true,
    risk: "sudo runs the command with another person's rights",
    check: (line, site) => {
      const folder = optionValue(line, ["D", "chdir"]);
      return folder === undefined ? {} : { standing: startedIn(folder, site) };
    },
  },
  doas: {
    options: "-Lns -C: -u:",
    assigns: true,
    risk: "doas runs the command with another person's rights",
  },
  "pkexec runuser setpriv": {
    options: "-u: -c: --user= --keep-cwd --disable-internal-agent",
    risk: "it runs the command with another person's rights",
  },
  nice: { options: "-n: --adjustment= --help --version" },
  nohup: { options: "--help --version" },
  "time gtime": {
    options: "-apqvV -f: -o:w --append --format= --output=w --portability --quiet --verbose",
  },
  "timeout gtimeout": {
    options: "-fpv -s: -k: --foreground --preserve-status --signal= --kill-after= --verbose",
    before: 1,
  },
  stdbuf: { options: "-i: -o: -e: --input= --output= --error=" },
  setsid: { options: "-cfwhV --ctty --fork --wait" },
  ionice: { options: "-t -c: -n: -p:! -P:! -u:! --class= --classdata= --ignore --pid=!" },
  chrt: {
    options:
      "-abdfiorRv -m -p! -T: -P: -D: --batch --deadline --fifo --idle --other --rr --reset-on-fork --verbose --max --pid! --all-tasks",
    before: 1,
  },
  taskset: { options: "-ac -p! --all-tasks --cpu-list --pid!", before: 1 },
  "caffeinate unbuffer chronic": { options: "-disut", open: "here" },
  builtin: { options: "" },
  command: {
    options: "-pvV",
    check: (line, site) => {
      if (!hasOption(line, ["v", "V"])) return {};
      site.classify("search");
      return undefined;
    },
  },
  exec: { options: "-cl -a:!" },
  "busybox toybox": { options: "--list --list-full --install! --help" },
  "strace ltrace": {
    options: "-cCfFhiqrtTvVwxyYzZ -a: -b: -e: -E: -I: -o:w -O: -p: -P: -s: -S: -u: -X:",
    open: "here",
  },
  prlimit: {
    options:
      "-cdefilmnpqrstuvxy --nofile? --nproc? --as? --core? --cpu? --pid=! --raw --noheadings",
    open: "here",
  },
  watch: {
    options:
      "-bcdegprtwx -n: -q: -s: --beep --color --differences? --errexit --chgexit --equexit= --interval= --precise --no-rerun --no-title --no-wrap --exec",
    shell: true,
  },
  flock: {
    options:
      "-ensuxoFv -c: -E: -w: --shared --exclusive --unlock --nonblock --timeout= --conflict-exit-code= --close --no-fork --verbose --command=",
    before: 1,
    check: (line, site) => {
      const [file] = line.operands;
      if (file !== undefined) site.write(file, "create");
      const command = optionValue(line, ["c", "command"]);
      if (command === undefined) return {};
      site.script(command, { via: "flock -c" });
      return undefined;
    },
  },
  script: {
    options:
      "-aefq -E: -c: -B:w -I:w -O:w -T:w -m: -o: -t?w --append --command= --return --flush --force --quiet --echo= --log-io=w --log-in=w --log-out=w --log-timing=w --logging-format= --output-limit= --timing?w",
    check: (line, site) => {
      const [file] = line.operands;
      site.write(file ?? "typescript", "any");
      const command = optionValue(line, ["c", "command"]);
      if (command === undefined) site.open("it starts a shell");
      else site.script(command, { via: "script -c" });
      return undefined;
    },
  },
  su: {
    options:
      "-lfmpPTh -c: -s: -g: -G: -w: --login --command= --shell= --pty --preserve-environment --session-command=",
    risk: "su starts a shell with another person's rights",
    check: (line, site) => {
      const command = optionValue(line, ["c", "command", "session-command"]);
      if (command === undefined) site.open("it starts a shell");
      else site.script(command, { via: "su -c" });
      return undefined;
    },
  },
  ssh: {
    options: sshOptions,
    before: 1,
    open: "elsewhere",
    check: (line, site) => {
      const [host, ...rest] = line.operands;
      // It takes options behind the host as well, up to the command.
      const further = readOptions(rest, optionTable(sshOptions, { stopsEarly: true }));
      noteProblems(further, site);
      noteFiles(further, site);
      const options = [...line.options, ...further.options];
      const isPlain = options.every(({ name }) => sshKeepsHost.has(name));
      const found = typeof host === "string" ? sshHost(host) : undefined;
      if (!isPlain || found === undefined || line.problems.length + further.problems.length > 0) {
        site.anyHost();
      }
      if (found !== undefined) {
        site.connect(found.host, found.hasPort || hasOption(line, ["p"]) ? undefined : 22);
      }
      return { elsewhere: true };
    },
  },
  direnv: { options: "", before: 2, open: "here" },
  parallel: {
    options:
      "-0kqruXmtv -n: -a:r -d: -I: -i? -j: -L: -l? -N: -P: -S: -s: -C: --jobs= --null --keep-order --quote --bar --progress --dry-run --eta --halt= --arg-file=r --colsep= --delimiter= --joblog=w --tag --ungroup --will-cite --pipe --xargs",
    open: "here",
  },
  "unshare nsenter chroot fakeroot systemd-run firejail bwrap proot numactl catchsegv valgrind cpulimit entr":
    { options: "", open: "here" },
};

const nothing: Launcher = { options: "" };

function judgeLauncher(launcher: Launcher): Program {
  let table: OptionTable | undefined;
  return (site) => {
    table ??= optionTable(launcher.options, { stopsEarly: true, numbers: site.name === "nice" });
    const line = readOptions(site.args, table);
    noteProblems(line, site);
    noteFiles(line, site);
    if (launcher.risk !== undefined) site.risk(launcher.risk);
    if (launcher.open !== undefined) site.open();
    site.classify(undefined);
    const options = launcher.check === undefined ? {} : launcher.check(line, site);
    if (options === undefined) return;
    const words = commandWords(line.operands, launcher, site);
    if (words.length === 0) return emptyLauncher(site);
    const elsewhere = launcher.open === "elsewhere" ? { ...options, elsewhere: true } : options;
    if (launcher.shell === true && !hasOption(line, ["x", "exec"]))
      site.script(joined(words), elsewhere);
    else site.run(words, elsewhere);
  };
}

function emptyLauncher(site: Site): void {
  if (site.name === "su" || site.name === "sudo") site.open("it starts a shell");
}

function joined(words: readonly Argument[]): Argument {
  const loose = words.find((word) => typeof word !== "string");
  return loose ?? words.map((word) => showWord(word)).join(" ");
}

/** Operands without those before the command. */
function commandWords(
  operands: readonly Argument[],
  launcher: Launcher,
  site: Site,
): readonly Argument[] {
  let words = operands.slice(launcher.before ?? 0);
  if (launcher.assigns !== true) return words;
  while (words[0] !== undefined) {
    const [word] = words;
    const name = /^([A-Za-z_]\w*)=/u.exec(leadingText(word))?.[1];
    if (name === undefined) break;
    if (!isPlainAssignment(name, dropLeading(word, name.length + 1))) {
      site.unknown(`it sets ${name} for the command`, showWord(word));
    }
    words = words.slice(1);
  }
  return words;
}

const envTable = optionTable(
  "-i0v -u: -C: -S: -P:! -a:! -L:! -U:! --ignore-environment --null --debug --unset= --chdir= --split-string= --argv0=! --block-signal? --default-signal? --ignore-signal? --list-signal-handling --help --version",
  { stopsEarly: true },
);

function judgeEnv(site: Site): void {
  const line = readOptions(site.args, envTable);
  noteProblems(line, site);
  const split = optionValue(line, ["S", "split-string"]);
  let operands = line.operands[0] === "-" ? line.operands.slice(1) : line.operands;
  if (split !== undefined) {
    // All versions of env split only plain words in the same way.
    if (typeof split !== "string" || /[^\w\s./:=,+@%-]/u.test(split)) {
      site.unknown("env -S splits its text by rules of its own");
      operands = [...(typeof split === "string" ? split.split(/\s+/u) : [split]), ...operands];
    } else operands = [...split.split(/\s+/u), ...operands];
    operands = operands.filter((word) => word !== "");
  }
  const words = commandWords(operands, { options: "", assigns: true }, site);
  if (words.length === 0) {
    site.classify("general");
    return;
  }
  site.classify(undefined);
  const folder = optionValue(line, ["C", "chdir"]);
  const standing = folder === undefined ? site.standing : startedIn(folder, site);
  site.run(words, { standing });
}

/** Position of a command that a launcher starts in the directory given by an option. */
function startedIn(folder: Argument, { standing }: Site): Standing {
  return movedBy(standing, folder) ?? { ...standing, folders: undefined };
}

const xargsTable = optionTable(
  "-0oprtx -a:r -d: -E: -e? -I: -i? -J: -L: -l? -n: -P: -R: -S: -s: --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --arg-file=r --delimiter= --eof? --replace? --max-lines? --max-args= --max-procs= --max-chars= --process-slot-var=! --help --version",
  { stopsEarly: true },
);

function judgeXargs(site: Site): void {
  const line = readOptions(site.args, xargsTable);
  noteProblems(line, site);
  noteFiles(line, site);
  site.classify(undefined);
  const [program = "echo", ...words] = line.operands;
  const because = "words that xargs reads";
  const fed = wholeNames(line, site);
  const replaced = line.options.findLast(({ name }) => ["I", "i", "J", "replace"].includes(name));
  if (replaced === undefined) {
    const more = fed === undefined ? anyWords(because) : anyName(fed, true);
    site.run([program, ...words, more], { input: "none" });
    return;
  }
  const one = fed === undefined ? undefined : anyName(fed, false);
  const mark = replaced.value ?? "{}";
  const fill = (word: Argument): Argument => {
    if (typeof word !== "string" || typeof mark !== "string" || mark === "" || !word.includes(mark))
      return word;
    const gaps = typeof one === "object" ? one.pieces : [{ kind: "opaque" as const }];
    const pieces = word.split(mark).flatMap((text) => [text, ...gaps]);
    return {
      dynamic: because,
      pieces: pieces.slice(0, -1).filter((piece) => piece !== ""),
      splits: one === undefined && word === mark,
    };
  };
  site.run([program, ...words].map(fill), { input: "none" });
}

/** Names on the input of xargs, if it uses each unchanged: by default it splits at blanks and removes quotes. */
function wholeNames(line: CommandLine, site: Site): FedNames | undefined {
  const { names } = site;
  if (names === undefined || hasOption(line, ["a", "arg-file"])) return undefined;
  const delimiter = optionValue(line, ["d", "delimiter"]);
  const isLine = delimiter === "\n" || delimiter === "\\n";
  // The last of the two options applies, so a command with both is not followed.
  if (hasOption(line, ["0", "null"])) {
    return delimiter === undefined && names.ends === "nul" ? names : undefined;
  }
  return isLine && names.ends === "line" && names.quotes ? names : undefined;
}

/** Programs that start another one, with their options according to their manuals. */
export const launcherPrograms: ReadonlyMap<string, Program> = new Map([
  ...Object.entries(launchers).flatMap(([names, launcher]) => {
    const program = judgeLauncher(launcher);
    return names.split(" ").map((name) => [name, program] as const);
  }),
  ["env", judgeEnv] as const,
  ["genv", judgeEnv] as const,
  ["xargs", judgeXargs] as const,
  ["gxargs", judgeXargs] as const,
  ["noglob", judgeLauncher(nothing)] as const,
]);
