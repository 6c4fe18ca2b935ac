import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { ToolError } from "../../core/index.ts";
import { isAddress, isLoopbackAddress, isPublicAddress, plainHost } from "../../text/index.ts";
import { abortError } from "../aborted.ts";
import { privateAddress, requirePublicLiteral, unreachable } from "./request-url.ts";

/** Returns every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Time for the system's resolver, which has no limit of its own. */
const resolveMs = 10_000;

export async function systemResolve(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

export interface AddressRequest {
  readonly url: URL;
  readonly allowsPrivate: boolean;
  readonly resolve: Resolve;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the addresses to which a connection for a URL may go. Throws PERMISSION_DENIED if one of them is not public
 * and the origin is not allowed; all or none, because a name that also leads to a private address was made to.
 */
export async function checkedAddresses(request: AddressRequest): Promise<readonly string[]> {
  const { url, allowsPrivate } = request;
  const name = plainHost(url.hostname);
  if (!allowsPrivate) requirePublicLiteral(url);
  if (isAddress(name)) return [name];
  const addresses = await resolved(name, request);
  if (addresses.length === 0) throw unreachable(url.host);
  const isAllowed = (address: string): boolean => {
    if (isPublicAddress(address)) return true;
    if (name === "localhost" || name.endsWith(".localhost")) return isLoopbackAddress(address);
    return allowsPrivate && isAddress(address);
  };
  const refused = addresses.find((address) => !isAllowed(address));
  if (refused !== undefined) throw privateAddress(url.host, refused);
  return addresses;
}

async function resolved(
  name: string,
  { url, resolve, signal }: AddressRequest,
): Promise<readonly string[]> {
  const timeout = AbortSignal.timeout(resolveMs);
  const ending = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void =>
    reject(
      signal?.aborted === true
        ? abortError(signal)
        : new ToolError("TIMEOUT", `The name ${name} was not resolved in time.`, {
            hint: "Try again, or use another address.",
          }),
    );
  ending.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([stopped, resolve(name)]);
  } catch (error) {
    throw ToolError.is(error) ? error : unreachable(url.host, error);
  } finally {
    ending.removeEventListener("abort", stop);
  }
}

/** A resolver for one connection that knows only the checked addresses, so that a second answer changes nothing. */
export function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const [first] = all;
  return (_name, options, callback) => {
    if (options.all === true) callback(null, all);
    else callback(null, first?.address ?? "", first?.family);
  };
}
