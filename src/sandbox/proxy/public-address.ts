import { BlockList, isIP } from "node:net";

const reserved = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  reserved.addSubnet(network, bits, "ipv4");
}

/** Allocated IPv6 addresses; only these are public, except ranges that carry an IPv4 address or are for examples. */
const givenOut = new BlockList();
givenOut.addSubnet("2000::", 3, "ipv6");
const carriers = new BlockList();
for (const [network, bits] of [
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  carriers.addSubnet(network, bits, "ipv6");
}

/** Whether an address is on the public internet: not private, loopback, link-local, a cloud's metadata or reserved. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, "ipv4");
    case 6:
      return givenOut.check(address, "ipv6") && !carriers.check(address, "ipv6");
    default:
      return false;
  }
}
