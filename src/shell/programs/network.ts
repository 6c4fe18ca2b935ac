import type { Program, Site } from "../site.ts";
import { leadingText, type Argument } from "../words.ts";

/** Judges `curl` and `wget`: which hosts they contact, and which files they name. */
function judgeFetch(site: Site): void {
  const [only] = site.args;
  if (
    site.args.length === 1 &&
    (only === "--version" || only === "-V" || only === "--help" || only === "-h")
  ) {
    site.classify("general");
    return;
  }
  let hosts = 0;
  let skip = false;
  const curl = site.name === "curl";
  for (const [index, word] of site.args.entries()) {
    if (skip) {
      skip = false;
      continue;
    }
    const start = leadingText(word);
    if (start.startsWith("-")) {
      skip = takesValue(start, curl);
      noteOption(start, site.args[index + 1], site);
      continue;
    }
    hosts += contact(word, site);
  }
  if (hosts === 0) site.unknown("which host it contacts is not known");
  site.classify("general");
}

const curlValues =
  /^(?:-[A-Za-z#]*[AbcCdDeEFhHKmoPQrTtuUwxXyYz]|--(?:data[a-z-]*|header|user|user-agent|request|output|output-dir|url|form[a-z-]*|cookie|cookie-jar|referer|max-time|connect-timeout|retry[a-z-]*|proxy[a-z-]*|cert[a-z-]*|key[a-z-]*|cacert|capath|range|upload-file|write-out|resolve|interface|limit-rate|json|config|dump-header|trace[a-z-]*|max-redirs|oauth2-bearer|unix-socket|variable|aws-sigv4))$/u;
const wgetValues =
  /^(?:-[A-Za-z]*[aoOePQtTUiBlADRIXwY]|--(?:header|user|password|user-agent|method|body-data|body-file|post-data|post-file))$/u;

function takesValue(option: string, curl: boolean): boolean {
  return !option.includes("=") && (curl ? curlValues : wgetValues).test(option);
}

function noteOption(option: string, value: Argument | undefined, site: Site): void {
  const attached = /^(?:-o|--output=|-O(?=.)|--output-document=)(.+)$/u.exec(option)?.[1];
  if (site.name === "curl") {
    if (/^-[a-zA-Z]*O$|^--remote-name/u.test(option)) site.write(".", "create", "tree");
    else if (attached !== undefined && option.startsWith("-o")) site.write(attached, "any");
    else if (attached !== undefined) site.write(attached, "any");
    else if (
      /^-[a-zA-Z]*o$|^--output$|^--cookie-jar$|^-c$|^--dump-header$|^-D$/u.test(option) &&
      value !== undefined
    )
      site.write(value, "any");
    if (/^(?:-K|--config|--next|--engine|--libcurl)/u.test(option))
      site.unknown(`curl ${option} does more than fetch`);
    if (/^(?:-T|--upload-file)$/u.test(option) && value !== undefined) site.read(value);
    if (/^(?:-d|-F|--data[a-z-]*|--form|--json)$/u.test(option) && typeof value === "string") {
      const file = /^(?:[^=@]*=)?[@<](.+)$/u.exec(value)?.[1];
      if (file !== undefined && file !== "-") site.read(file);
    }
    return;
  }
  const toOutput =
    option === "-O-" ||
    option === "-qO-" ||
    ((option === "-O" || option === "-qO") && value === "-");
  if (/^-[a-zA-Z]*O$|^--output-document$/u.test(option) && value !== undefined && value !== "-")
    site.write(value, "any");
  else if (attached !== undefined && attached !== "-") site.write(attached, "any");
  if (/^(?:--use-askpass|-e|--execute|--config|-i|--input-file)/u.test(option))
    site.unknown(`wget ${option} does more than fetch`);
  if (!toOutput && /^-[a-zA-Z]*P/u.test(option) && value !== undefined)
    site.write(value, "any", "tree");
}

/** Notes the host of an address; returns how many were found. */
function contact(word: Argument, site: Site): number {
  const text = leadingText(word);
  const match =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:[^/@\s]*@)?(\[[0-9a-fA-F:]+\]|[^/:?#\s]+)(?::(\d+))?(?=[/?#]|$)/iu.exec(
      text,
    );
  const scheme = match?.[1]?.toLowerCase();
  if (scheme === "file") {
    site.read(text.slice(7));
    return 1;
  }
  const complete = typeof word === "string" || /^[a-z]+:\/\/[^/]+\//iu.test(text);
  const host = match?.[2];
  if (host === undefined || !complete || /[{}[\]*]/u.test(host.replace(/^\[.*\]$/u, ""))) {
    site.unknown("which host it contacts is not known");
    return 1;
  }
  const name = host.toLowerCase().replace(/\.$/u, "");
  if (match?.[3] === undefined) site.connect(name);
  else site.connect(name, Number(match[3]));
  if (
    site.name === "wget" &&
    !site.args.some((arg) => /^-[a-zA-Z]*O|^--output-document|^--spider/u.test(leadingText(arg)))
  ) {
    site.write(".", "create", "tree");
  }
  return 1;
}

/** Programs that ask a server about a name: the name itself is what they send. */
function judgeLookup(site: Site): void {
  site.classify("general");
  const hosts = site.args.filter((word) => {
    const text = leadingText(word);
    return (
      !/^[-+@]/u.test(text) && !/^(?:any|a|aaaa|mx|ns|txt|soa|cname|ptr|srv|\d+)$/iu.test(text)
    );
  });
  const names = hosts.filter((word) => typeof word === "string" && /[.:]|^localhost$/u.test(word));
  for (const name of names) if (typeof name === "string") site.connect(name.toLowerCase());
  if (names.length === 0 || hosts.some((word) => typeof word !== "string")) {
    site.unknown("which host it contacts is not known");
  }
}

export const networkPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["curl", judgeFetch],
  ["wget", judgeFetch],
  ...["dig", "host", "nslookup", "whois", "ping", "ping6", "traceroute", "tracepath", "mtr"].map(
    (name) => [name, judgeLookup] as const,
  ),
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
