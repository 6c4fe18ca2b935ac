import {
  optionTable,
  readOptions,
  type CommandLine,
  type GivenOption,
  type OptionTable,
} from "./options.ts";
import type { Program, Site } from "../walk/invocation-context.ts";
import { alternatives, leadingText, mayBeOption, showWord, type Argument } from "../words/words.ts";
import { hasOption, noteFiles, noteProblems, programs } from "./row.ts";

/**
 * Options of each program. Unmarked ones only request one address from one host and print the answer: a command with
 * these alone is a plain fetch, the only kind that a rule for the host allows. Of the options marked with `!`, those
 * in `own` set the data sent from the command line or the answers accepted, which is the purpose of the program. All
 * others read, write, contact other hosts or take instructions from a file; only a rule that names them allows that.
 * With those in `own` and `files`, except for `elsewhere`, it contacts only the hosts of its addresses.
 */
const fetchers = {
  curl: {
    options:
      "-sSfiIvgN046q# -L! -k! -O -J! -R! -a! -n! -p! -l! -B! -M! -Z! -j! -G! -d:! -F:! -T:r! -K:r! -x:! -E:r! -C:! -P:! -Q:! -t:! -z:! -U:! -u:! -b:! -e:! --location! --insecure! --remote-name --remote-name-all! --remote-header-name! --get! --data=! --data-ascii=! --data-binary=! --data-raw=! --data-urlencode=! --form=! --form-string=! --json=! --upload-file=r! --config=r! --proxy=! --cert=r! --key=r! --cacert=r! --netrc! --netrc-file=r! --resolve=! --connect-to=! --interface=! --unix-socket=! --abstract-unix-socket=! --output-dir=! --create-dirs! --next! --location-trusted! --continue-at=! --url-query=! --trace=w! --trace-ascii=w! --etag-save=w! --etag-compare=r! --socks5=! --socks5-hostname=! --preproxy=! --doh-url=! --alt-svc=w! --hsts=w! --libcurl=w! --time-cond=! --remote-time! --user=! --cookie=! --referer=! --oauth2-bearer=! -H: -A: -m: -r: -w: -X: -y: -Y: -o:w -D:w -c:w --silent --show-error --fail --fail-with-body --fail-early --include --show-headers --head --verbose --compressed --tr-encoding --globoff --no-buffer --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --ipv4 --ipv6 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --no-progress-meter --progress-bar --path-as-is --raw --tcp-nodelay --no-keepalive --no-sessionid --disable --header= --user-agent= --max-time= --connect-timeout= --expect100-timeout= --keepalive-time= --retry= --retry-delay= --retry-max-time= --retry-all-errors --retry-connrefused --range= --write-out= --request= --limit-rate= --speed-limit= --speed-time= --max-filesize= --max-redirs= --output=w --dump-header=w --cookie-jar=w --stderr=w --url= --styled-output --no-styled-output",
    own: "-L --location --location-trusted -k --insecure -G --get -d --data --data-ascii --data-binary --data-raw --data-urlencode -F --form --form-string --json -u --user -b --cookie -e --referer --oauth2-bearer --url-query --next -Z -l -B -R --remote-time -C --continue-at",
    files:
      "-O --remote-name-all --remote-header-name -J -a -n --netrc --netrc-file -T --upload-file -E --cert --key --cacert --output-dir --create-dirs -p -z --time-cond --etag-save --etag-compare",
    elsewhere: "-L --location --location-trusted",
    abbreviates: false,
    check: checkCurl,
  },
  wget: {
    options:
      "-qSv46n -i:r! -P:w! -e:! -r! -m! -p! -k! -H! -N! -c! -x! --post-file=r! --body-file=r! --post-data=! --body-data=! --input-file=r! --directory-prefix=w! --execute=! --recursive! --mirror! --page-requisites! --no-check-certificate! --load-cookies=r! --save-cookies=w! --config=r! --use-askpass=! --warc-file=w! --user=! --password=! --ca-certificate=r! --certificate=r! --private-key=r! --continue! --referer=! -T: -t: -w: -U: -O:w -o:w -a:w --quiet --verbose --no-verbose --server-response --inet4-only --inet6-only --spider --no-check-redirect! --timeout= --dns-timeout= --connect-timeout= --read-timeout= --tries= --wait= --waitretry= --random-wait --user-agent= --header= --max-redirect= --limit-rate= --quota= --no-cache --no-cookies --no-hsts --no-proxy --no-config --no-netrc --output-document=w --output-file=w --append-output=w --show-progress --no-clobber --no-directories --https-only --secure-protocol= --method=",
    own: "-r --recursive -m --mirror -p --page-requisites -k -H -N -c --continue -x --no-check-certificate --no-check-redirect --post-data --body-data --user --password --referer",
    files:
      "-P --directory-prefix --post-file --body-file --load-cookies --save-cookies --ca-certificate --certificate --private-key",
    elsewhere: "-r --recursive -m --mirror -p --page-requisites -H -k",
    abbreviates: true,
    check: checkWget,
  },
} as const;

/** Judges `curl` and `wget`: the host they contact, and the files they write. */
function judgeFetch(name: keyof typeof fetchers): Program {
  const { options, abbreviates, check } = fetchers[name];
  const own = new Set(fetchers[name].own.split(" "));
  const elsewhere = new Set(fetchers[name].elsewhere.split(" "));
  const files = fetchers[name].files.split(" ");
  const keepsHost = new Set([...own, ...files].filter((option) => !elsewhere.has(option)));
  let table: OptionTable | undefined;
  return (site) => {
    table ??= optionTable(options, { abbreviates });
    site.classify("general");
    site.namesHosts();
    const [only] = site.args;
    if (site.args.length === 1 && /^(?:--version|-V|--help|-h)$/u.test(leadingText(only ?? ""))) {
      return;
    }
    const line = readOptions(site.args, table);
    noteProblems(withoutOwn(line, own), site);
    // Options that are not known, or may become others, may name any host.
    const isPlain = line.problems.every(
      ({ through }) => through !== undefined && keepsHost.has(through),
    );
    if (!isPlain) site.anyHost();
    noteFiles(line, site);
    noteUploads(line, site);
    const given = line.options.flatMap((option) =>
      option.name === "url" ? [option.value ?? ""] : [],
    );
    const addresses = [...line.operands, ...given];
    // A word that may become several is already reported.
    for (const word of addresses) if (typeof word === "string" || !word.splits) contact(word, site);
    if (addresses.length === 0) unknownHost(site, "");
    if (addresses.some((word) => typeof word !== "string" && word.splits)) site.anyHost();
    for (const option of line.options) checkValue(option, site);
    check(line, site);
  };
}

/** Command line whose problems do not name the options in `own`, which belong to the program's purpose. */
function withoutOwn(line: CommandLine, own: ReadonlySet<string>): CommandLine {
  const problems = line.problems.map(({ because, through }) =>
    through === undefined || own.has(through) ? { because } : { because, through },
  );
  return { ...line, problems };
}

const sent: ReadonlyMap<string, RegExp> = new Map([
  ...["d", "data", "data-ascii", "data-binary", "json"].map((name) => [name, /^@/u] as const),
  ...["data-urlencode", "url-query"].map((name) => [name, /^[^=]*@/u] as const),
  ...["F", "form"].map((name) => [name, /[@<]/u] as const),
]);

/** Reports files that are sent: the value of an option may name one, alone or after a name or `name=`. */
function noteUploads(line: CommandLine, site: Site): void {
  for (const { name, value, written } of line.options) {
    const isFile = sent.get(name);
    if (value === undefined || isFile === undefined) continue;
    if (typeof value !== "string") {
      site.unknown(`the value of ${written} may be a file that is sent`, written);
      continue;
    }
    if (!isFile.test(value)) continue;
    const file = /^(?:[^=@]*=)?[@<]([^;]+)/u.exec(value)?.[1];
    if (file !== undefined && file !== "-") site.read(file);
    site.unknown(`${written} sends a file`, written);
  }
}

/** Headers that describe the requested kind of answer, and neither the client nor the server. */
const plainHeader =
  /^(?:accept(?:-[a-z]+)?|user-agent|cache-control|pragma|if-none-match|if-modified-since|range|dnt)[ \t]*:[\x20-\x7e]*$/iu;
const printable = /^[\x20-\x7e]*$/u;

/** Checks the value of an option that is plain by itself. */
function checkValue({ name, value, written }: GivenOption, site: Site): void {
  if (value === undefined) return;
  if (!isLiteral(value)) site.unknown(`what ${written} says is not known before it runs`);
  const text = typeof value === "string" ? value : undefined;
  switch (name) {
    case "H":
    case "header":
      if (leadingText(value).startsWith("@") || leadingText(value) === "") {
        site.unknown(`the value of ${written} may be a file that is sent`, written);
      } else if (text === undefined || !plainHeader.test(text)) {
        site.unknown(`the header ${showWord(value)} may ask another site, or in another name`);
      }
      return;
    case "A":
    case "U":
    case "user-agent":
      if (text !== undefined && !printable.test(text)) {
        site.unknown(`${written} may send more than one header`);
      }
      return;
    case "b":
    case "cookie":
      if (!leadingText(value).includes("=")) {
        site.unknown(`the value of ${written} may be a file that is sent`, written);
      }
      return;
    case "w":
    case "write-out":
      if (text === undefined || /^@|%(?:output|\{onerror)|%\{?output/u.test(text)) {
        site.unknown(`the format of ${written} may read or write a file`, written);
      }
      return;
    case "X":
    case "request":
    case "method":
      if (value !== "GET" && value !== "HEAD") {
        site.unknown(`${showWord(value)} may change something where it is sent`);
      }
      return;
  }
}

function checkCurl(line: CommandLine, site: Site): void {
  const named = line.options.find(({ name }) => name === "O" || name === "remote-name");
  if (named !== undefined) {
    for (const word of line.operands) {
      const name = /^https?:\/\/[^/?#]+\/(?:[^?#]*\/)?([\w.-]*\w)(?:[?#]|$)/u.exec(
        leadingText(word),
      )?.[1];
      if (name === undefined || typeof word !== "string") {
        site.unknown("which file curl writes is not known", named.written);
      } else site.writeThrough(named.written, name, "any");
    }
  }
  for (const { name, value, written } of line.options) {
    // A hash is replaced by the text that an address pattern matched.
    if ((name === "o" || name === "output") && leadingText(value ?? "").includes("#")) {
      site.unknown("which file curl writes is not known", written);
    }
  }
}

function checkWget(line: CommandLine, site: Site): void {
  const redirects = line.options.findLast(({ name }) => name === "max-redirect");
  if (redirects?.value !== "0") {
    site.unknown("wget follows an answer to another host, unless it is given --max-redirect=0");
    site.anyHost();
  }
  if (!hasOption(line, ["O", "output-document", "spider"])) site.write(".", "create", "tree");
}

/** Groups: scheme, name and password of a user, host, port. */
const address =
  /^(?:(https?):\/\/([\w.~!$&'()*+,;=:%-]*@)?)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?)(?::(\d+))?(?=[/?#]|$)/iu;
/** Host names that make curl choose another protocol when none is given. */
const otherProtocol = /^(?:ftp|dict|ldap|imap|smtp|pop3|gopher)\./iu;

/** Whether every possible text of the word appears in the command. */
function isLiteral(word: Argument): boolean {
  return alternatives(word)?.every((each) => typeof each === "string") === true;
}

/** Reports the host of an address that all programs parse alike; a plain fetch has a fully literal address. */
function contact(word: Argument, site: Site): void {
  const text = leadingText(word);
  const match = address.exec(text);
  const [whole = "", scheme, user, host = "", port] = match ?? [];
  const isWhole = typeof word === "string" || (scheme !== undefined && text.length > whole.length);
  const isOther = scheme === undefined && otherProtocol.test(host);
  if (match === null || !isWhole || isOther || /[\\\s]/u.test(text)) {
    unknownHost(site, "");
    return;
  }
  if (user !== undefined) site.unknown("the address sends a name and a password");
  if (!isLiteral(word)) {
    site.unknown(`what ${showWord(word)} carries to ${host} is not known before it runs`);
  }
  const name = host.toLowerCase().replace(/\.$/u, "");
  if (port === undefined) site.connect(name);
  else site.connect(name, Number(port));
}

function unknownHost(site: Site, through?: string): void {
  site.unknown("which host it contacts is not known", through);
  site.anyHost();
}

const lookups: Readonly<Record<string, string>> = {
  dig: "-46qru -x: -t: -c: -p:",
  host: "-46aCdlrsTvw -t: -W: -R: -N: -c:",
  nslookup: "",
  "ping ping6": "-46aABbDnOqv -c: -i: -W: -w: -s: -t: -l:",
  "traceroute tracepath mtr": "-46n -m: -w: -q: -c: -r",
};

/** Judges programs that look up a name or reach a host: lists both the name and the queried server. */
function judgeLookup(options: string): Program {
  let table: OptionTable | undefined;
  return (site) => {
    table ??= optionTable(options, { abbreviates: false });
    site.classify("general");
    site.unknown(`${site.name} asks the network for something else than an address`);
    const args = site.args.filter((word) => !/^\+[a-z0-9=]+$/u.test(leadingText(word)));
    const line = readOptions(args, table);
    noteProblems(line, site);
    if (line.problems.length > 0) site.anyHost();
    const turned = line.options.flatMap(({ name, value }) => (name === "x" ? [value ?? ""] : []));
    const isName = /^@?[A-Za-z0-9_.:-]+$/u;
    const isKind = /^(?:in|any|a|aaaa|mx|ns|txt|soa|cname|ptr|srv|caa)$/iu;
    const names = [...line.operands, ...turned].filter(
      (word) => typeof word !== "string" || !isKind.test(word),
    );
    if (names.length === 0) unknownHost(site);
    for (const word of names) {
      if (typeof word === "string" && isName.test(word) && !mayBeOption(word)) {
        site.connect(word.replace(/^@/u, "").toLowerCase());
      } else unknownHost(site);
    }
  };
}

/** Row of programs that show the machine's name and connections. */
const alone = { is: "general" } as const;

export const networkPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...programs({
    hostname: {
      ...alone,
      options:
        "-AdfIis -F:! -b! --all-fqdns --all-ip-addresses --domain --fqdn --long --ip-address --short --file=! --boot!",
      check: (line, site) => {
        if (
          hasOption(line, ["A", "d", "f", "i", "all-fqdns", "domain", "fqdn", "long", "ip-address"])
        ) {
          site.unknown("hostname may ask the network for the name");
        }
      },
    },
    // ss closes connections with -K and writes files with -D.
    ss: {
      ...alone,
      options:
        "-aeHilmnopOstuwxzZ046 -A: -f: --all --listening --numeric --processes --tcp --udp --raw --unix --extended --memory --info --summary --options --no-header --oneline --ipv4 --ipv6",
      operands: "text",
      check: (line, site) => {
        if (line.operands.length > 0) {
          site.unknown("ss may ask the network for a name in its filter");
        }
      },
    },
    netstat: {
      ...alone,
      options:
        "-aegilnoprstuwxvW46 -f: --all --listening --numeric --program --tcp --udp --route --statistics --interfaces --extend --timers --wide --verbose",
      operands: "text",
      check: (line, site) => {
        // Statistics, interfaces and local sockets need no name lookup.
        if (!hasOption(line, ["n", "numeric", "s", "statistics", "i", "interfaces", "x", "unix"])) {
          site.unknown("netstat asks the network for names of addresses, unless it is given -n");
        }
      },
    },
  }),
  ["curl", judgeFetch("curl")],
  ["wget", judgeFetch("wget")],
  ...Object.entries(lookups).flatMap(([names, options]) => {
    const program = judgeLookup(options);
    return names.split(" ").map((name) => [name, program] as const);
  }),
  ["ip", judgeIp],
]);

/** Programs whose output comes from another machine. */
export const downloaders: ReadonlySet<string> = new Set([
  "curl",
  "wget",
  "fetch",
  "aria2c",
  "http",
  "https",
  "xh",
  "nc",
  "ncat",
  "ftp",
  "lynx",
  "w3m",
]);

const ipFlags =
  /^-(?:[046dhjopsNt]|br|brief|details|human|json|oneline|pretty|stats|statistics|c|color(?:=\w+)?|ts|timestamp)$/u;

/** Judges `ip`, whose options are words: only commands that show state are plain. */
function judgeIp(site: Site): void {
  site.classify("general");
  const words = [...site.args];
  while (words[0] !== undefined && leadingText(words[0]).startsWith("-")) {
    const [word] = words;
    if (typeof word !== "string" || !(ipFlags.test(word) || word === "-V")) {
      site.unknown("an option of ip is not known", leadingText(word ?? ""));
    }
    words.shift();
  }
  const [object, verb, ...others] = words;
  if (object === undefined) return;
  const known =
    typeof object === "string" && /^(?:a|addr|address|l|link|r|route|n|neigh|rule)$/u.test(object);
  const shows =
    verb === undefined ||
    (typeof verb === "string" && /^(?:s|sh|show|list|ls|lst|get)$/u.test(verb));
  if (!known || !shows || others.some((word) => typeof word !== "string")) {
    site.unknown("ip may change the network", "");
  }
}
