import { programs } from "./row.ts";

const harmless = { harmless: true };
const anything = { harmless: true, numbers: true };

/** Programs that tell about the machine, and those that stop it or its processes. */
export const systemPrograms = programs({
  ps: {
    is: "general",
    options:
      "-aAdefjlLmMNTVwxyZcHuU -C: -g: -G: -k: -n: -o: -O: -p: -q: -s: -t: -u: --pid= --ppid= --sort= --format= --forest --headers --no-headers --no-heading --user= --User= --cols= --columns= --width= --rows= --lines= --cumulative --deselect --info --tty= --sid= --group= --context --quick-pid=",
    traits: harmless,
    operands: "text",
  },
  "pgrep pidof": {
    is: "search",
    options:
      "-acfilLnovwxsqH -d: -F:r -g: -G: -P: -s: -t: -u: -U: --list-name --list-full --full --newest --oldest --parent= --euid= --uid= --exact --count --ignore-case --delimiter=",
    operands: "text",
  },
  "uname arch nproc uptime tty logname groups users who w id whoami lscpu lsmem lsblk lspci lsusb lsmod findmnt vmstat iostat mpstat free last lastlog getconf locale getent lsb_release sw_vers hostid":
    {
      is: "general",
      options:
        "-aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ1 --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system --ignore= --pretty --since --short --user --group --groups --name --real --zero --human --si --total --wide --count= --seconds= --json --bytes --output= --list --raw --tree --id --description --release --codename",
      traits: anything,
      operands: "text",
    },
  hostname: {
    is: "general",
    options:
      "-aAdfiIsvy -F:! -b! --alias --all-fqdns --all-ip-addresses --domain --fqdn --long --ip-address --short --verbose --nis --yp --file=! --boot!",
  },
  domainname: { is: "general" },
  date: {
    is: "general",
    options:
      "-uRjn -d: -f:r -I? -r:r -s:! -v: --date= --debug --file=r --iso-8601? --resolution --rfc-email --rfc-2822 --rfc-3339= --reference=r --set=! --universal --utc --uct",
    operands: "text",
    check: (line, site) => {
      for (const word of line.operands) {
        if (
          typeof word !== "string"
            ? !(typeof word.pieces[0] === "string" && word.pieces[0].startsWith("+"))
            : !word.startsWith("+")
        ) {
          site.unknown("an operand of date that is no format sets the clock");
        }
      }
    },
  },
  cal: {
    is: "general",
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
  bc: { is: "filter", options: "-lqsw -i --mathlib --quiet --standard --warn", operands: "read" },
  pstree: {
    is: "general",
    options:
      "-acghlnpsStTuZA -H: --arguments --show-pids --numeric-sort --show-parents --unicode --ascii",
    operands: "text",
  },
  top: {
    is: "general",
    options: "-bcHiSs1 -d: -n: -o: -p: -u: -U: -w? -E: -e:",
    traits: { numbers: true },
    check: (line, site) => {
      if (!line.options.some(({ name }) => name === "b"))
        site.unknown("top takes commands from whoever it runs for");
    },
  },
  dmesg: {
    is: "general",
    options:
      "-dehHkLPrTtuwxS -f: -l: -s: --facility= --human --kernel --level= --color? --ctime --notime --time-format= --follow --raw --userspace --decode --since= --until=",
  },
  sleep: { is: "neutral", operands: "text" },
  printenv: { is: "general", options: "-0 --null", traits: harmless, operands: "text" },
  "lsof fuser": {
    is: "general",
    options: "-abCFGhlnNOPRstTUvVX -i? -c: -d: -g: -p: -u:",
    operands: "read",
  },
  "netstat ss": {
    is: "general",
    options:
      "-46aAeghilmnoprstuvwxZ -f: --all --listening --numeric --program --tcp --udp --processes --route --statistics --summary --interfaces --extended --raw --unix",
    operands: "text",
  },
  ifconfig: {
    is: "general",
    options: "-asvlLm",
    operands: "text",
    check: (line, site) => {
      if (line.operands.length > 1)
        site.unknown("ifconfig with more than a name changes the interface");
    },
  },
  ip: {
    is: "general",
    options: "-046dhijoprsNtb --color? --json --brief --details",
    traits: { abbreviates: false },
    operands: "text",
    check: (line, site) => {
      const [object, verb] = line.operands;
      const known =
        typeof object === "string" &&
        /^(?:a|addr|address|l|link|r|route|n|neigh|rule)$/u.test(object);
      const shows =
        verb === undefined || (typeof verb === "string" && /^(?:show|list|ls|get)$/u.test(verb));
      if (!known || !shows) site.unknown("ip may change the network");
    },
  },
  mount: {
    is: "general",
    options: "-lvV -t: --show-labels --types=",
    check: (line, site) => {
      if (line.options.some(({ name }) => name === "v")) site.unknown("mount may mount");
    },
  },
  sysctl: {
    is: "general",
    options: "-abdeiNnqAX -r: --all --names --values --pattern= --ignore --quiet",
    operands: "text",
    check: (line, site) => {
      for (const word of line.operands) {
        if (typeof word !== "string" || word.includes("=")) site.unknown("sysctl may set a value");
      }
    },
  },
  systemctl: {
    is: "general",
    options:
      "-alqr -n: -o: -p: -t: --all --full --no-pager --no-legend --plain --quiet --lines= --output= --property= --type= --state= --user --system --value --failed",
    operands: "text",
    check: (line, site) => {
      const [verb] = line.operands;
      const asks =
        /^(?:status|show|cat|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|is-active|is-enabled|is-failed|is-system-running|get-default)$/u;
      if (verb !== undefined && !(typeof verb === "string" && asks.test(verb))) {
        site.unknown("it changes a service");
      } else if (!line.options.some(({ name }) => name === "no-pager"))
        site.unknown("it may start a pager");
    },
  },
  tput: { is: "neutral", options: "-T:", operands: "text" },
  stty: {
    is: "general",
    options: "-ag --all --save",
    operands: "text",
    check: (line, site) => {
      if (line.operands.some((word) => word !== "size")) site.unknown("stty changes the terminal");
    },
  },
  cksfv: { is: "read", options: "-bcqrv", operands: "read" },
  "man apropos whatis info": {
    is: "read",
    options: "-kfawW -s: --apropos --whatis --where --path --sections=",
    operands: "text",
    check: (line, site) => {
      for (const word of line.operands) {
        if (typeof word !== "string" || word.includes("/"))
          site.unknown("it may format a file of its own");
      }
    },
  },
  "less more": {
    is: "filter",
    options:
      "-aAcdeEfFgGiIJmMnNqQrRsSuUwWXz -p: -x: -y: -j: -h: -b: --LINE-NUMBERS --RAW-CONTROL-CHARS --quit-if-one-screen --no-init --chop-long-lines --ignore-case",
    operands: "read",
    check: (line, site) => {
      for (const word of line.operands) {
        if (typeof word !== "string" || word.startsWith("+"))
          site.unknown("it may run a command of its own");
      }
    },
  },
  "bat batcat": {
    is: "filter",
    options:
      "-AnpPfuS -l: -H: -r: --language= --line-range= --highlight-line= --number --plain --style= --color= --decorations= --paging= --theme= --wrap= --tabs= --show-all --list-languages --list-themes --file-name= --pager=! --diff! --map-syntax=",
    traits: { abbreviates: false },
    operands: "read",
  },
});
