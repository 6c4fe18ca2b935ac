/** IPv4 networks that are not on the public internet, as `network/bits`. */
const reserved = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map((text) => {
  const [network = "", bits = "0"] = text.split("/");
  const size = 2 ** (32 - Number(bits));
  return { first: ipv4(network) ?? 0, size };
});

/** IPv6 networks inside 2000::/3 that carry an IPv4 address, are for examples or for protocols: groups and bits. */
const carriers = [
  { groups: [0x20_01, 0], bits: 23 },
  { groups: [0x20_01, 0x0d_b8], bits: 32 },
  { groups: [0x20_02, 0], bits: 16 },
  { groups: [0x3f_ff, 0], bits: 20 },
] as const;

/**
 * Whether an address is on the public internet: not private, loopback, link-local, multicast, a cloud's metadata or
 * reserved, and not an IPv6 address that carries an IPv4 address. False for text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  const four = ipv4(address);
  if (four !== undefined) {
    return !reserved.some(({ first, size }) => four >= first && four < first + size);
  }
  const six = ipv6(address);
  // Only 2000::/3 is allocated; ::ffff:0:0/96, 64:ff9b::/96, fc00::/7, fe80::/10 and ff00::/8 are outside.
  if (six === undefined || (six[0] ?? 0) >> 13 !== 1) return false;
  const start = (six[0] ?? 0) * 65_536 + (six[1] ?? 0);
  return !carriers.some(({ groups: [one, two], bits }) => {
    const size = 2 ** (32 - bits);
    return Math.floor(start / size) === Math.floor((one * 65_536 + two) / size);
  });
}

/** Whether text is an IPv4 address in four decimal parts, or an IPv6 address without brackets. */
export function isAddress(text: string): boolean {
  return ipv4(text) !== undefined || ipv6(text) !== undefined;
}

/** Whether an address is that of this machine: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  if (ipv4(address) !== undefined) return address.startsWith("127.");
  const six = ipv6(address);
  return six !== undefined && six.every((group, index) => group === (index === 7 ? 1 : 0));
}

/** Endings of names that the public name system does not have, or that mean the own network. */
const localEndings =
  /\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/u;

/**
 * Whether a host name of a URL is not on the public internet by itself: an address that is not public, or a name that
 * only the own network knows. Another name may still lead to a private address.
 */
export function isLocalHost(hostname: string): boolean {
  const name = plainHost(hostname);
  if (isAddress(name)) return !isPublicAddress(name);
  return !name.includes(".") || name.includes(":") || localEndings.test(name);
}

/** Host name in lower case, without the brackets of an IPv6 address and without a dot at its end. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/u, "$1")
    .replace(/\.$/u, "");
}

function ipv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/u.test(part) || Number(part) > 255) return undefined;
    value = value * 256 + Number(part);
  }
  return value;
}

/** The eight groups of an IPv6 address. */
function ipv6(text: string): readonly number[] | undefined {
  if (!/^[0-9a-f:.]{2,45}$/iu.test(text) || !text.includes(":")) return undefined;
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groupsOf);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  if (tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (missing < 1) return undefined;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

function groupsOf(half: string): readonly number[] | undefined {
  if (half === "") return [];
  const groups: number[] = [];
  const parts = half.split(":");
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 ? ipv4(part) : undefined;
    if (four !== undefined) groups.push(Math.floor(four / 65_536), four % 65_536);
    else if (/^[0-9a-f]{1,4}$/iu.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
