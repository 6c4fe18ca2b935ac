import { isIP } from "node:net";
import { isPublicAddress, plainHost } from "../../text/index.ts";

export interface HostList {
  /** Whether a name and port are listed. */
  allows(host: string, port: number): boolean;
  /** Whether connections to an address of a listed name are allowed. */
  allowsAddress(host: string, address: string): boolean;
}

interface Entry {
  readonly name: string;
  readonly hasSubdomains: boolean;
  readonly port: number | undefined;
}

const webPorts = new Set([80, 443]);

/**
 * Parses listed hosts: `example.com`, `*.example.com` for every name below, `example.com:8443` for one port; 80 and 443
 * by default. Private addresses are allowed only if the entry itself is that address, or `localhost`.
 */
export function hostList(entries: readonly string[]): HostList {
  const list = entries.map(entryOf);
  const matching = (host: string) => {
    const name = plainHost(host);
    return list.filter((entry) =>
      entry.hasSubdomains ? name.endsWith(`.${entry.name}`) : name === entry.name,
    );
  };
  return {
    allows: (host, port) =>
      matching(host).some((entry) =>
        entry.port === undefined ? webPorts.has(port) : entry.port === port,
      ),
    allowsAddress: (host, address) => {
      if (isPublicAddress(address)) return true;
      const name = plainHost(host);
      if (name === "localhost") return address === "::1" || address.startsWith("127.");
      return isIP(name) !== 0 && name === address;
    },
  };
}

function entryOf(text: string): Entry {
  const bracketed = /^\[(.+)\](?::(\d+))?$/u.exec(text);
  const plain = /^([^:]+)(?::(\d+))?$/u.exec(text);
  const [, host = text, port] = bracketed ?? plain ?? [];
  const hasSubdomains = host.startsWith("*.");
  return {
    name: plainHost(hasSubdomains ? host.slice(2) : host),
    hasSubdomains,
    port: port === undefined ? undefined : Number(port),
  };
}
