import type { CommandLine } from "./options.ts";
import type { Program, Site } from "../walk/invocation-context.ts";
import { leadingText, type Argument } from "../words/words.ts";
import { hasOption, programs } from "./row.ts";

const harmless = { harmless: true };
const anything = { harmless: true, numbers: true };
/** Row of programs that only print information and accept no options. */
const alone = { is: "general" } as const;

/** Programs that report on the machine, and those that stop it or its processes. */
export const systemPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...programs({
    pgrep: {
      is: "search",
      options:
        "-acflLnovwxiA -d: -F:r -g: -G: -O: -P: -r: -s: -t: -u: -U: --list-name --list-full --full --newest --oldest --parent= --euid= --uid= --exact --count --ignore-case --inverse --delimiter= --older= --pidfile=r --pgroup= --group= --session= --terminal= --runstates=",
      operands: "text",
    },
    pidof: { is: "search", options: "-scqwx -o: -S:", operands: "text" },
    uname: {
      ...alone,
      options:
        "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
      traits: harmless,
    },
    // On macOS `arch` starts the program named by its operand.
    "arch logname whoami hostid lsmod domainname sw_vers": alone,
    nproc: { ...alone, options: "--all --ignore=", traits: harmless },
    uptime: { ...alone, options: "-psr --pretty --since --raw", traits: harmless },
    tty: { ...alone, options: "-s --silent --quiet", traits: harmless },
    groups: { ...alone, operands: "text", traits: harmless },
    id: {
      ...alone,
      options: "-agGnruzZ --group --groups --name --real --user --zero --context",
      operands: "text",
      traits: harmless,
    },
    ldconfig: {
      ...alone,
      options: "-p --print-cache",
      check: (line, site) => {
        if (!hasOption(line, ["p", "print-cache"])) site.unknown("ldconfig rebuilds its cache");
      },
    },
    users: { ...alone, operands: "read" },
    who: {
      ...alone,
      options:
        "-abdHlmpqrstTuw --all --boot --count --dead --heading --ips --login --lookup! --message --mesg --process --runlevel --short --time --users --writable",
      operands: "text",
      check: (line, site) => {
        const [file, ...others] = line.operands;
        if (file !== undefined && others.length === 0) site.read(file);
      },
    },
    w: {
      ...alone,
      options: "-fhiosup --no-header --no-current --short --old-style --pids",
      operands: "text",
    },
    lscpu: {
      ...alone,
      options:
        "-aAbBcJxy -C? -e? -p? --all --bytes --json --extended? --parse? --online --offline --caches? --hex --physical --output-all",
    },
    lsmem: {
      ...alone,
      options: "-abJnPr -o: --all --bytes --json --noheadings --output= --pairs --raw",
    },
    lsblk: {
      ...alone,
      options:
        "-abdDfilJmnOpPrsStTzA -e: -I: -o: -x: --all --bytes --nodeps --discard --fs --ascii --list --json --perms --noheadings --output= --output-all --paths --pairs --raw --inverse --scsi --topology --tree? --exclude= --include= --sort=",
      operands: "read",
    },
    // -q queries the name service for unknown numbers.
    lspci: { ...alone, options: "-kmntvxD -s: -d:" },
    lsusb: { ...alone, options: "-tv -s: -d: --tree --verbose" },
    findmnt: {
      ...alone,
      options:
        "-abDeJlnPruv -o: -t: -O: -S: -T: -M: -d: --all --bytes --df --evaluate --json --list --noheadings --output= --output-all --pairs --raw --types= --options= --source= --target= --mountpoint= --direction= --real --pseudo --tree --ascii --nofsroot --submounts --uniq",
      operands: "text",
    },
    vmstat: {
      ...alone,
      options:
        "-afmnsdDtwy -p: -S: --active --forks --slabs --one-header --stats --disk --wide --timestamp",
      operands: "text",
    },
    iostat: { ...alone, options: "-cdhkmNstxyz", operands: "text" },
    mpstat: { ...alone, options: "-Au -P:", operands: "text" },
    free: {
      ...alone,
      options:
        "-bghklLmtvw -c: -s: --bytes --kilo --mega --giga --tera --kibi --mebi --gibi --tebi --human --si --lohi --line --total --committed --count= --seconds= --wide",
      traits: harmless,
    },
    // -d queries the name service.
    last: {
      ...alone,
      options: "-aFiRwx -n: -p: -s: -t:",
      traits: { numbers: true },
      operands: "text",
    },
    lastlog: { ...alone, options: "-b: -t: -u: --before= --time= --user=" },
    getconf: {
      ...alone,
      options: "-a -v:",
      operands: "text",
      check: (line, site) => {
        const [, path] = line.operands;
        if (path !== undefined) site.read(path);
      },
    },
    locale: {
      ...alone,
      options: "-ackm --all-locales --category-name --keyword-name --charmaps --verbose",
      operands: "text",
    },
    getent: {
      ...alone,
      operands: "text",
      traits: { stopsEarly: true },
      check: (line, site) => {
        const [database] = line.operands;
        const isLocal = /^(?:passwd|group|services|protocols|rpc|ethers)$/u;
        if (typeof database !== "string" || !isLocal.test(database)) {
          site.unknown("getent may ask the network or show what only the system may read");
        }
      },
    },
    lsb_release: {
      ...alone,
      options: "-acdirsv --all --codename --description --id --release --short --version",
    },
    date: {
      ...alone,
      options:
        "-uRjn -d: -f:n -I? -r:r -s:! -v: --date= --debug --file=n --iso-8601? --resolution --rfc-email --rfc-2822 --rfc-3339= --reference=r --set=! --universal --utc --uct",
      operands: "text",
      check: (line, site) => {
        for (const word of line.operands) {
          if (!leadingText(word).startsWith("+")) {
            site.unknown("an operand of date that is not a format sets the clock", "");
          }
        }
      },
    },
    cal: {
      ...alone,
      options: "-13jmsyhwN -A: -B: -n: -d: --one --three",
      traits: anything,
      operands: "text",
    },
    "seq yes": {
      is: "neutral",
      options: "-w -f: -s: --format= --separator= --equal-width",
      // A negative number looks like an option.
      traits: anything,
      operands: "text",
    },
    expr: { is: "neutral", traits: anything, operands: "text" },
    bc: { is: "filter", options: "-lqsw --mathlib --quiet --standard --warn", operands: "read" },
    pstree: {
      ...alone,
      options:
        "-acghlnpsStTuZA -H: --arguments --show-pids --numeric-sort --show-parents --unicode --ascii",
      operands: "text",
    },
    top: {
      ...alone,
      options: "-bcHiSs1 -d: -n: -o: -p: -u: -U: -w? -E: -e:",
      traits: { numbers: true },
      check: (line, site) => {
        if (!hasOption(line, ["b"])) site.unknown("top takes commands from its user");
      },
    },
    dmesg: {
      ...alone,
      options:
        "-dekLPrTtuwxS -f: -l: -s: --facility= --kernel --level= --color? --ctime --notime --nopager --time-format= --follow --raw --userspace --decode --since= --until=",
    },
    sleep: { is: "neutral", operands: "text" },
    printenv: { ...alone, options: "-0 --null", traits: harmless, operands: "text" },
    lsof: {
      ...alone,
      options: "-abhlnNPRtUvVw -i? -s? -F? -g? -p: -c: -u: -d:",
      operands: "text",
      check: (line, site) => {
        if (site.args.some((word) => typeof word !== "string" || /^\+|@/u.test(word))) {
          site.unknown("lsof may ask the network for a name, or look through a directory");
        }
        // After -i the next word may be an address.
        const isAddress = /^(?:[46]?(?:tcp|udp)?(?::[\w,-]+)?)$/iu;
        for (const word of line.operands) {
          if (!(typeof word === "string" && isAddress.test(word))) site.read(word, "tree");
        }
      },
    },
    fuser: { ...alone, options: "-aluv46 -n:", operands: "read" },
    ifconfig: {
      ...alone,
      options: "-asvlLm",
      operands: "text",
      check: (line, site) => {
        if (line.operands.length > 1)
          site.unknown("ifconfig with more than a name changes the interface", "");
      },
    },
    mount: { ...alone, options: "-l -t: --show-labels --types=" },
    sysctl: {
      ...alone,
      options: "-abdeiNnqAX -r: --all --names --values --pattern= --ignore --quiet",
      operands: "text",
      check: (line, site) => {
        for (const word of line.operands) {
          if (typeof word !== "string" || word.includes("="))
            site.unknown("sysctl may set a value", "");
        }
      },
    },
    systemctl: {
      ...alone,
      options:
        "-alqr -n: -o: -p: -t: --all --full --no-pager --no-legend --plain --quiet --lines= --output= --property= --type= --state= --user --system --value --failed",
      operands: "text",
      check: (line, site) => {
        const [verb] = line.operands;
        const asks =
          /^(?:status|show|cat|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|is-active|is-enabled|is-failed|is-system-running|get-default)$/u;
        // One word for each unit, without a pager.
        const isShort = /^(?:is-active|is-enabled|is-failed|is-system-running|get-default)$/u;
        if (verb !== undefined && !(typeof verb === "string" && asks.test(verb))) {
          site.unknown("it changes a service", "");
        } else if (!isShort.test(String(verb)) && !hasOption(line, ["no-pager"])) {
          site.unknown("it may start a pager");
        }
      },
    },
    // The terminal's init and reset strings may name a program.
    tput: {
      is: "neutral",
      operands: "text",
      check: (line, site) => {
        const plain =
          /^(?:cols|lines|colors|setaf|setab|sgr0|bold|dim|smul|rmul|smso|rmso|rev|blink|cup|clear|el|ed|sc|rc|civis|cnorm|op|longname|\d+)$/u;
        if (!line.operands.every((word) => typeof word === "string" && plain.test(word))) {
          site.unknown("tput may change the terminal");
        }
      },
    },
    stty: {
      ...alone,
      options: "-ag --all --save",
      operands: "text",
      check: (line, site) => {
        if (line.operands.some((word) => word !== "size"))
          site.unknown("stty changes the terminal", "");
      },
    },
    cksfv: { is: "read", options: "-bcq", operands: "read" },
    man: {
      is: "read",
      options: "-kfaw -s: -S: --apropos --whatis --where --path --all --sections=",
      operands: "text",
      check: namesPage,
    },
    "apropos whatis": {
      is: "read",
      options: "-alew -s: --all --long --exact --wildcard --and --sections=",
      operands: "text",
      check: namesPage,
    },
    info: { is: "read", options: "-aw --all --where", operands: "text", check: namesPage },
    // A value ends at a dollar sign; the text after it is parsed as further options.
    less: {
      is: "filter",
      options:
        "-aAcCdeEfFgGiIJmMnNqQrRsSuUwWX -p: -x:d -y:d -j:d -h:d -b:d -z:d --LINE-NUMBERS --RAW-CONTROL-CHARS --quit-if-one-screen --no-init --chop-long-lines --ignore-case",
      // Options end at the first file.
      traits: { abbreviates: false, stopsEarly: true },
      operands: "read",
      check: (line, site) => {
        const values = line.options.map(({ value }) => value ?? "");
        if (values.some((value) => typeof value !== "string" || value.includes("$"))) {
          site.unknown("a value of less may hold further options");
        }
        if (
          line.operands.slice(1).some((word) => typeof word === "string" && /^[-+]./u.test(word))
        ) {
          site.unknown("less may take a word after a file as an option or as a file");
        }
        noCommands(line, site);
      },
    },
    more: {
      is: "filter",
      options:
        "-dflecpsu -n:d --silent --logical --exit-on-eof --no-pause --print-over --clean-print --squeeze --plain --lines=d",
      traits: { numbers: true },
      operands: "read",
      check: noCommands,
    },
    "bat batcat": {
      is: "filter",
      options:
        "-AnpPfuS -l: -H: -r: --language= --line-range= --highlight-line= --number --plain --style= --color= --decorations= --paging= --theme= --wrap= --tabs= --show-all --list-languages --list-themes --file-name= --pager=! --diff! --map-syntax=",
      traits: { abbreviates: false },
      operands: "read",
      check: (line, site) => {
        if (line.operands[0] === "cache") site.unknown("bat cache changes what bat shows");
      },
    },
  }),
  ["ps", judgeProcesses],
]);

function namesPage(line: CommandLine, site: Site): void {
  // An invalid section is treated as a page.
  const values = line.options.flatMap(({ value }) => (value === undefined ? [] : [value]));
  for (const word of [...line.operands, ...values]) {
    if (typeof word !== "string" || word.includes("/"))
      site.unknown("it may format a file of its own");
  }
}

function noCommands(line: CommandLine, site: Site): void {
  for (const word of line.operands) {
    if (typeof word !== "string" || word.startsWith("+"))
      site.unknown("it may run a command of its own", "");
  }
}

const processValues =
  /^-?(?:[CgGknoOpqstuU]|-(?:pid|ppid|sort|format|user|User|cols|columns|width|rows|lines|tty|sid|group|quick-pid))$/u;
const processLong =
  /^--(?:forest|headers|no-headers|no-heading|cumulative|deselect|info|context|help|version|(?:pid|ppid|sort|format|user|User|cols|columns|width|rows|lines|tty|sid|group|quick-pid)=.*)$/u;

/** Judges `ps`: `e` among letters without a dash, or next to x, shows the environment of other processes. */
function judgeProcesses(site: Site): void {
  site.classify("general");
  for (let index = 0; index < site.args.length; index++) {
    const word = site.args[index];
    if (typeof word !== "string") {
      site.unknown("which columns ps shows is not known");
      continue;
    }
    if (/env/iu.test(word)) site.unknown("ps shows the environment of processes");
    if (processValues.test(word) && word.startsWith("-")) {
      index++;
      const value = site.args[index];
      if (typeof value !== "string" ? value?.splits !== false : /env/iu.test(value)) {
        site.unknown("which columns ps shows is not known");
      }
      continue;
    }
    if (/^\d[\d,]*$/u.test(word) || processLong.test(word)) continue;
    const isPlain = word.startsWith("--")
      ? false
      : word.startsWith("-")
        ? /^-[aAdefFHjlLmMNTVwyZc]+(?:[opuU]\S*)?$/u.test(word) || /^-[aAxuwwfjl]+$/u.test(word)
        : /^[aAcfhHjlLmnrsSTuvwxX]+$/u.test(word) || isBsdFormat(word, site.args[index + 1]);
    if (!isPlain) site.unknown(`the option ${word} of ps is not known`);
    if (/^[a-zA-Z]*o$/u.test(word)) index++;
  }
}

/** Whether these are letters followed by a list of columns, as in `ps axo pid,comm`. */
function isBsdFormat(word: string, columns: Argument | undefined): boolean {
  return (
    /^[aAcfhHjlmnrsTuvwxX]*o$/u.test(word) && typeof columns === "string" && !/env/iu.test(columns)
  );
}
