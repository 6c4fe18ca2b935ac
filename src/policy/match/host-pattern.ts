import { compileWildcard, matchesWildcard, type Wildcard } from "./wildcard.ts";

/** A host name pattern: letter case and a trailing dot are ignored. */
export interface HostPattern {
  /** `*.example.com`: any number of labels before this; undefined when every label is given. */
  readonly below: string | undefined;
  readonly labels: readonly Wildcard[];
  /** Every host. */
  readonly isAny: boolean;
  /** Names its host or its domain in letters. */
  readonly isNamed: boolean;
  /** Port that the pattern names, `*` for any; undefined if it names none. */
  readonly port?: number | "*";
}

/**
 * Compiles a host pattern, or returns why it is invalid. A leading `*.` is any depth; another `*` matches only within
 * its label.
 */
export function compileHostPattern(text: string): HostPattern | string {
  const [, name = "", written] = /^(.*?|\[[^\]]*\])(?::(\d{1,5}|\*))?$/su.exec(text.trim()) ?? [];
  const host = canonicalHost(name);
  const port =
    written === undefined ? {} : { port: written === "*" ? ("*" as const) : Number(written) };
  if (host === "*") return { below: undefined, labels: [], isAny: true, isNamed: false, ...port };
  const isAddress = bracketed.test(name);
  const address = host.includes("*") ? undefined : addressOf(host);
  if (address !== undefined && address !== host) {
    return `Write an address as four decimal numbers, as in \`${address}\`.`;
  }
  if (host === "" || (!isAddress && /[\s/:@?#[\]]/u.test(host))) {
    return "A domain is a host name such as `example.com` or `*.example.com`.";
  }
  const isBelow = host.startsWith("*.");
  const rest = isBelow ? host.slice(2) : host;
  if (rest.split(".").includes("")) return "A domain has no empty part between its dots.";
  return {
    below: isBelow && !rest.includes("*") ? rest : undefined,
    labels: host.split(".").map(compileWildcard),
    isAny: false,
    isNamed: /[a-z0-9]/u.test(rest.split(".").at(-1)?.replaceAll("*", "") ?? ""),
    ...port,
  };
}

/**
 * Whether a pattern that matches a host covers a port. One without a port covers in an allow list only those of the web,
 * as other services of a host are something else; on this machine each, as servers in development have no usual one. In
 * a deny or ask list, and where every host is meant, it covers each.
 */
export function matchesPort(
  { port, isAny }: HostPattern,
  { host, port: asked }: { readonly host: string; readonly port?: number },
  list: "allow" | "ask" | "deny",
): boolean {
  if (port === "*") return true;
  const isAllow = list === "allow";
  if (port === undefined) return isAny || !isAllow || isWeb(asked) || isLoopback(host);
  return asked === port || (asked === undefined && (!isAllow || isWeb(port)));
}

function isWeb(port: number | undefined): boolean {
  return port === undefined || port === 80 || port === 443;
}

function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[?::1\]?)$/u.test(canonicalHost(host));
}

/**
 * Whether a pattern matches a host. A deny or ask list matches if any program might take the host for one that the
 * pattern names; an allow list, only if every program does.
 */
export function matchesHost(
  pattern: HostPattern,
  host: string,
  list: "allow" | "ask" | "deny",
): boolean {
  if (pattern.isAny) return true;
  const names = [...new Set([canonicalHost(host), canonicalHost(olderLetters(host))])];
  if (list === "allow") return names.every((name) => matchesName(pattern, name));
  return names.some((name) =>
    [name, ...otherReadings(name)].some((each) => matchesName(pattern, each)),
  );
}

/** A host with the letters for which programs with the older standard for names send others. */
function olderLetters(host: string): string {
  return host
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ")
    .replaceAll(/[\u200C\u200D]/gu, "");
}

function matchesName(pattern: HostPattern, name: string): boolean {
  if (pattern.below !== undefined) return name.endsWith(`.${pattern.below}`);
  const labels = name.split(".");
  const [first] = pattern.labels;
  // `*.x.*`: the leading star matches every label that the other parts leave over.
  const extra = labels.length - pattern.labels.length;
  if (first?.pieces.length === 2 && first.pieces.join("") === "" && extra > 0) {
    return pattern.labels
      .slice(1)
      .every((label, index) => matchesWildcard(label, labels[index + 1 + extra] ?? ""));
  }
  return (
    extra === 0 &&
    pattern.labels.every((label, index) => matchesWildcard(label, labels[index] ?? ""))
  );
}

/** An address of IPv6 as it is written in URLs and rules. */
const bracketed = /^\[[0-9a-f:.]+\]$/iu;

/** A host in the one form that URLs have for it, as far as every program agrees on that form. */
function canonicalHost(host: string): string {
  const lower = host.toLowerCase();
  const bare = bracketed.test(lower) ? lower.slice(1, -1) : lower.replace(/\.$/u, "");
  if (bare.includes(":")) return hostInUrl(`[${bare}]`)?.slice(1, -1) ?? bare;
  if (/^\p{ASCII}*$/u.test(bare)) return bare;
  // Letters outside ASCII are sent in another form, label by label.
  return bare
    .split(/[.\u3002\uFF0E\uFF61]/u)
    .map((label) => (/^\p{ASCII}*$/u.test(label) || label.includes("*") ? label : sentLabel(label)))
    .join(".");
}

/** A label with letters outside ASCII as it is sent. A label of digits alone is part of an address, not one itself. */
function sentLabel(label: string): string {
  return hostInUrl(`${label}.a`)?.slice(0, -".a".length) ?? label;
}

/** Names that only some programs take for the host: addresses in fewer or other numbers, and IPv4 within IPv6. */
function otherReadings(name: string): readonly string[] {
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/u.exec(name);
  if (mapped !== null) {
    const [high, low] = [mapped[1], mapped[2]].map((part = "") => Number.parseInt(part, 16));
    return [[high, low].flatMap((part = 0) => [part >> 8, part & 255]).join(".")];
  }
  const address = addressOf(name);
  if (address === undefined) return [];
  // Some programs read a leading zero as octal, others do not.
  const decimal = name.replaceAll(/(?<![\dx])0+(?=\d)/gu, "");
  return [address, decimal].filter((each) => each !== name);
}

/** The address of IPv4 that a text of numbers means in a URL; undefined for a name. */
function addressOf(host: string): string | undefined {
  if (!/^(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+)){0,3}$/u.test(host)) return undefined;
  return hostInUrl(host);
}

function hostInUrl(host: string): string | undefined {
  const text = `http://${host}/`;
  return URL.canParse(text) ? new URL(text).hostname : undefined;
}
