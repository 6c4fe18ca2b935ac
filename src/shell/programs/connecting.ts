import type { Site } from "../walk/invocation-context.ts";
import { leadingText, type Argument } from "../words/words.ts";

/** Programs without a row of their own that contact the hosts of their words, or of settings and files. */
const connecting: ReadonlySet<string> = new Set(
  "nc ncat netcat socat telnet ftp lftp tftp sftp scp rsync mosh autossh sshfs aria2c axel http https xh fetch lynx w3m links elinks wget2 openssl whois smbclient rdesktop vncviewer".split(
    " ",
  ),
);

/** Programs whose rows read the addresses that they are given. */
export const takesAddresses: ReadonlySet<string> = new Set(
  "curl wget ssh dig host nslookup ping ping6 traceroute tracepath mtr".split(" "),
);

/** Variables by which these programs contact another host, or read further settings. */
const redirecting =
  /_proxy\b|\b(?:CURL_HOME|(?:SYSTEM_)?WGETRC|HOSTALIASES|(?:HOME|XDG_CONFIG_HOME)=)/iu;

/** Whether a text may set a variable that makes programs contact other hosts than those of their words. */
export function mayRedirectHosts(text: string): boolean {
  return redirecting.test(text);
}

/**
 * Subcommands of git that contact the hosts of remotes, which settings, submodules and answers may replace; with the
 * operations that contact nobody, "" for none.
 */
const gitConnects: Readonly<Record<string, string | undefined>> = {
  clone: undefined,
  fetch: undefined,
  pull: undefined,
  push: undefined,
  "ls-remote": undefined,
  "fetch-pack": undefined,
  "send-pack": undefined,
  "http-fetch": undefined,
  "http-push": undefined,
  "imap-send": undefined,
  "send-email": undefined,
  "request-pull": undefined,
  archive: undefined,
  lfs: undefined,
  svn: undefined,
  p4: undefined,
  remote: " -v --verbose rename rm remove get-url set-url set-head set-branches",
  submodule: " status summary foreach init deinit sync absorbgitdirs set-branch set-url",
};

/** Reports programs of which no table says which hosts they contact. */
export function noteHosts(site: Site): void {
  const { name, args } = site;
  if (name === "git" ? mayGitConnect(args) : connecting.has(name) && !isCopy(name, args)) {
    site.anyHost();
  }
}

function mayGitConnect(args: readonly Argument[]): boolean {
  const at = args.findIndex(
    (word, index) => !leadingText(word).startsWith("-") && !takesValue(args[index - 1]),
  );
  if (at === -1) return false;
  const [subcommand, operation = ""] = args.slice(at);
  if (typeof subcommand !== "string") return true;
  if (!Object.hasOwn(gitConnects, subcommand)) return false;
  if (subcommand === "archive") {
    return args.some((word) => typeof word !== "string" || word.startsWith("--rem"));
  }
  const isAdded = subcommand === "remote" && operation === "add" && !args.includes("-f");
  return !isAdded && gitConnects[subcommand]?.split(" ").includes(leadingText(operation)) !== true;
}

/** Whether an option of git itself takes the next word as its value. */
function takesValue(option: Argument | undefined): boolean {
  return (
    typeof option === "string" &&
    /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env))$/u.test(option)
  );
}

/** Whether a program copies local files only, and so contacts nobody. */
function isCopy(name: string, args: readonly Argument[]): boolean {
  if (name !== "rsync" && name !== "scp") return false;
  return args.every(
    (word) => typeof word === "string" && !/:|^-[A-Za-z]*[eoFJS]|^--(?:rsh|files-from)/u.test(word),
  );
}
