import type { Program, Site } from "../walk/invocation-context.ts";
import type { CommandLine } from "./options.ts";
import { hasOption, programs } from "./row.ts";
import { leadingText, type Argument } from "../words/words.ts";

interface ServiceRow {
  /** Subcommands that only query; the words of nested subcommands are joined by a space. */
  readonly asks: readonly string[];
  readonly flags: RegExp;
  readonly host?: string;
}

/** Programs with subcommands, some of which only query a service or the installed software. */
const rows: Readonly<Record<string, ServiceRow>> = {
  gh: {
    asks: [
      "pr view",
      "pr list",
      "pr status",
      "pr diff",
      "pr checks",
      "issue view",
      "issue list",
      "issue status",
      "repo view",
      "repo list",
      "release view",
      "release list",
      "run view",
      "run list",
      "workflow view",
      "workflow list",
      "search repos",
      "search issues",
      "search prs",
      "search code",
      "search commits",
      "label list",
      "gist view",
      "gist list",
      "auth status",
      "cache list",
      "ruleset list",
      "ruleset view",
      "project list",
      "project view",
    ],
    flags:
      /^(?:-[RLsSqclaAHBbtdjv]|--(?:repo|limit|state|search|json|jq|template|author|assignee|label|base|head|comments|branch|log|log-failed|job|workflow|user|status|event|order|sort|owner|language|required|name-only|patch|color|draft|app|mention|milestone|all|verbose|exit-status|visibility|fork|source|topic|archived|match|created|updated|closed|stars))(?:=|$)/u,
    host: "api.github.com",
  },
  "docker podman": {
    asks: [
      "ps",
      "images",
      "version",
      "info",
      "inspect",
      "logs",
      "port",
      "top",
      "diff",
      "history",
      "image ls",
      "image inspect",
      "image history",
      "container ls",
      "container inspect",
      "container logs",
      "volume ls",
      "volume inspect",
      "network ls",
      "network inspect",
      "system df",
      "stats",
      "context ls",
    ],
    flags:
      /^(?:-[aqnlsft]|--(?:all|quiet|format|filter|no-stream|no-trunc|last|latest|size|tail|since|until|timestamps|details|type|digests|human))(?:=|$)/u,
  },
  pip: {
    asks: ["show", "freeze"],
    flags: /^(?:-f|--(?:files|verbose|all|local|user|exclude|path))(?:=|$)/u,
  },
  brew: {
    asks: ["list", "--prefix", "--version"],
    flags: /^--(?:versions|formula|cask|prefix|version)$/u,
  },
  "apt dpkg": {
    asks: ["list", "-l", "-L", "-s", "-S", "--list", "--status", "--listfiles", "--search"],
    flags: /^(?:-[lLsS]|--(?:installed|upgradable|list|status|listfiles|search))$/u,
  },
  "apt-cache": {
    asks: ["search", "show", "policy", "depends", "rdepends"],
    flags: /^--(?:names-only|installed)$/u,
  },
  rpm: { asks: ["-q", "-qa", "-qi", "-ql", "-qf"], flags: /^-q[ailf]?$/u },
};

function judgeService(row: ServiceRow): Program {
  return (site) => {
    site.classify("general");
    const [first, second] = site.args;
    if (site.args.length === 1 && first === "--version") return;
    const one = leadingText(first ?? "");
    const two = `${one} ${leadingText(second ?? "")}`;
    const words = row.asks.includes(two) ? 2 : row.asks.includes(one) ? 1 : 0;
    if (words === 0 || site.args.slice(0, words).some((word) => typeof word !== "string")) {
      if (site.name === "gh" && first === "api") judgeApi(site);
      else site.open();
      return;
    }
    for (const word of site.args.slice(words)) {
      if (typeof word !== "string") site.unknown("a word that is not known is sent to the service");
      else if (word.startsWith("-") && !row.flags.test(word))
        site.unknown(`the option ${word} is not known`);
    }
    if (row.host !== undefined) site.connect(row.host, 443, true);
    site.classify(one === "search" ? "search" : "general");
  };
}

/** Judges `gh api`, which only queries if neither a method nor a field is given. */
function judgeApi(site: Site): void {
  const words = site.args.slice(1);
  const flags = /^(?:-[iq]|--(?:jq|include|paginate|slurp|cache|template|silent))(?:=|$)/u;
  for (const word of words) {
    if (typeof word !== "string") site.open("a word that is not known is sent to the service");
    else if (word === "graphql" || (word.startsWith("-") && !flags.test(word)))
      site.open(`gh api ${word} may change something`);
  }
  site.connect("api.github.com", 443, true);
}

const versions = /^(?:--version|-V|-v|-version|version|--help)$/u;

/**
 * Programs that run code; only a query of their version is plain. Excludes programs that read the project first, or
 * download and start the release it names: go, gradle, mvn, rustup, terraform.
 */
const askVersion = [
  "node",
  "nodejs",
  "deno",
  "bun",
  "python",
  "python2",
  "python3",
  "ruby",
  "perl",
  "php",
  "java",
  "javac",
  "gcc",
  "g++",
  "clang",
  "clang++",
  "cc",
  "make",
  "gmake",
  "cmake",
  "ninja",
  "npm",
  "pip3",
  "helm",
  "tsc",
  "sqlite3",
  "psql",
  "mysql",
  "ffmpeg",
  "ld",
  "protoc",
  "redis-cli",
  "uv",
  "swift",
  "ghc",
  "lua",
  "Rscript",
] as const;

/** Judges a version query, for which some programs would run code from the workspace. */
function judgeVersion(site: Site): void {
  const [first] = site.args;
  site.classify("general");
  const plain = site.args.length === 1 && typeof first === "string" && versions.test(first);
  const own =
    site.name === "python" || site.name === "python3" || site.name === "make"
      ? first !== "-v"
      : true;
  if (!plain || !own || !isQuestion(site.name, first)) judgeInterpreter(site);
}

/** Whether a word is a version query: for some programs `-v` means verbose, and `version` may name a script. */
function isQuestion(name: string, word: Argument | undefined): boolean {
  if (word === "version") return name === "helm";
  // The linker continues after it has printed its version.
  if (name === "ld") return word === "--version" || word === "--help";
  if (word === "-version") return ["java", "javac", "ffmpeg"].includes(name);
  if (word === "-v")
    return ["node", "nodejs", "bun", "ruby", "perl", "php", "npm", "lua", "tsc"].includes(name);
  if (word === "-V")
    return ["python", "python2", "python3", "deno", "pip3", "psql", "mysql"].includes(name);
  return true;
}

function judgeInterpreter(site: Site): void {
  const inline = site.args.some((word) =>
    /^(?:-c|-e|-E|-r|-p|--eval|--print|eval)$/u.test(leadingText(word)),
  );
  site.open(inline ? "it runs the code it is given" : undefined);
}

/** Reports that need only reading, selected by an option without which the program does something else. */
const reports = programs({
  // Without the option it takes a new table from its input.
  crontab: { is: "general", options: "-l", check: needs("l") },
  sensors: { is: "general", options: "-Afujv" },
  // Without the option it makes a key.
  "ssh-keygen": { is: "read", options: "-lv -f:r -E:", check: needs("l") },
  openssl: {
    is: "read",
    options:
      "-in:r -inform: -noout -text -dates -startdate -enddate -subject -issuer -serial -hash -subject_hash -issuer_hash -fingerprint -modulus -pubkey -purpose -email -ocsp_uri -ext: -nameopt: -certopt: -checkend: -checkhost: -sha1 -sha256 -sha512 -md5 -a -b -d -o -p -v -f --version",
    traits: { singleDash: true, abbreviates: false },
    operands: "text",
    check: (line, site) => {
      const [command] = site.args;
      if (site.args.length === 1 && command === "--version") return;
      const isKnown = command === "x509" || command === "version";
      if (!isKnown || line.operands.length !== 1) site.open();
      // A colon makes a name an address, which a provider may open.
      const opensAddress = line.options.some(
        ({ role, value }) => role === "read" && (typeof value !== "string" || value.includes(":")),
      );
      if (opensAddress) site.unknown("which certificate openssl opens is not known", "-in");
    },
  },
});

function needs(option: string): (line: CommandLine, site: Site) => void {
  return (line, site) => {
    if (!hasOption(line, [option])) site.open();
  };
}

export const servicePrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...Object.entries(rows).flatMap(([names, row]) => {
    const program = judgeService(row);
    return names.split(" ").map((name) => [name, program] as const);
  }),
  ...askVersion.map((name) => [name, judgeVersion] as const),
  ...reports,
]);
