import { ToolError, type HostNetOptions } from "../../core/index.ts";
import { isAddress, isLocalHost, isPublicAddress, plainHost } from "../../text/index.ts";

/** Ports of protocols other than HTTP, whose servers may take a request for their own commands. */
const otherProtocols: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445,
  465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
  993, 995, 1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080, 11_211, 27_017,
]);

/**
 * The URL of a request. Throws INVALID_INPUT unless it is http or https, without credentials, and with a port of the
 * web.
 */
export function requestUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new ToolError("INVALID_INPUT", `${url} is not an http or https address.`, {
      hint: "Use an absolute address that starts with http:// or https://.",
    });
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new ToolError("INVALID_INPUT", `The address of ${parsed.host} contains credentials.`, {
      hint: "Leave out the name and password before the host.",
    });
  }
  if (parsed.port !== "" && otherProtocols.has(Number(parsed.port))) {
    throw new ToolError("INVALID_INPUT", `Port ${parsed.port} belongs to another protocol.`, {
      hint: "Use the port of a web server.",
    });
  }
  return parsed;
}

/** Whether a request may reach private addresses. */
export function isPrivateAllowed(url: URL, { allowsPrivate = false }: HostNetOptions): boolean {
  return allowsPrivate === "by-name" ? isLocalHost(url.hostname) : allowsPrivate;
}

/** Throws PERMISSION_DENIED if the host of a URL is an address that is not public. */
export function requirePublicLiteral({ hostname, host }: URL): void {
  const name = plainHost(hostname);
  if (isAddress(name) && !isPublicAddress(name)) throw privateAddress(host, name);
  if (name === "localhost" || name.endsWith(".localhost")) throw privateAddress(host, name);
}

/** Error for a host that is, or leads to, an address that is not public. */
export function privateAddress(host: string, address: string): ToolError {
  const isItself = plainHost(host).startsWith(address) || host.startsWith(`[${address}]`);
  return new ToolError(
    "PERMISSION_DENIED",
    isItself
      ? `${host} is not a public address.`
      : `${host} leads to ${address}, which is not a public address.`,
    {
      hint: isItself
        ? `If the user wants it, a rule that names it opens it: WebFetch(domain:${host}).`
        : "Use another address; a name that leads to a private network is not opened by a rule.",
      data: { host, address },
    },
  );
}

export function unreachable(host: string, cause?: unknown): ToolError {
  return new ToolError("UNAVAILABLE", `${host} could not be reached${reason(cause)}.`, {
    hint: "Check the address and the network, then try again.",
    data: { host },
    cause,
  });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  if (inner.message !== "") return ` (${inner.message})`;
  return "code" in inner ? ` (${String(inner.code)})` : "";
}
