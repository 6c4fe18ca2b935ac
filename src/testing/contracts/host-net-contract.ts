import type { Host, HostResponse } from "../../core/index.ts";
import type { ContractCheck } from "../tool-contract.ts";
import {
  checksOf,
  decoded,
  refused,
  requireTrue,
  same,
  type Law,
  type ContractHost,
} from "./requirements.ts";

/** Network of a check, with addresses to try. */
export interface ContractNet extends Pick<Host, "net">, Pick<ContractHost, "close"> {
  /** Address without anything that answers, on a private network. */
  readonly silent: string;
  /** Address on a private network that answers each request with this text. */
  readonly answering: { readonly url: string; readonly text: string };
  /** Address on a private network that redirects to `answering`. */
  readonly redirecting: string;
}

/**
 * Requirements on the network of every host. `open` gives, for each check, the port and three addresses on a private
 * network, such as those of a server at 127.0.0.1.
 *
 * @example
 * const answering = { url: "http://127.0.0.1:8080/", text: "hello" };
 * const responses = {
 *   [answering.url]: { body: answering.text },
 *   "http://127.0.0.1:8080/from": { status: 302, headers: { location: answering.url } },
 * };
 * const open = async () => ({
 *   net: memoryHost({ responses }).net,
 *   answering,
 *   redirecting: "http://127.0.0.1:8080/from",
 *   silent: "http://127.0.0.1:65533/",
 * });
 * for (const { name, run } of hostNetContract("memory", open)) test(name, run);
 */
export function hostNetContract(
  name: string,
  open: () => Promise<ContractNet>,
): readonly ContractCheck[] {
  return checksOf(name, open, laws);
}

const invalid = [
  "file:///etc/passwd",
  "ftp://example.com/",
  "not a url",
  "/relative",
  "https://user:secret@127.0.0.1/",
  "http://127.0.0.1:25/",
];

const laws: readonly Law<ContractNet>[] = [
  {
    name: "an address of another kind is INVALID_INPUT",
    async check({ net }) {
      for (const url of invalid) await refused(net.fetch({ url }), ["INVALID_INPUT"]);
    },
  },
  {
    name: "an address on a private network is refused unless the user named it",
    async check({ net, answering: { url, text } }) {
      await refused(net.fetch({ url }), ["PERMISSION_DENIED"]);
      const response = await net.fetch({ url }, { allowsPrivate: true });
      same([response.status, response.url], [200, url], "status and address");
      same(await textOf(response), text, "body");
    },
  },
  {
    name: "a redirect is returned, not followed",
    async check({ net, redirecting, answering }) {
      const { status, url, headers } = await net.fetch(
        { url: redirecting },
        { allowsPrivate: true },
      );
      requireTrue(status >= 300 && status < 400, `the status is ${status}`);
      same([url, headers["location"]], [redirecting, answering.url], "address and its target");
    },
  },
  {
    name: "what does not answer is UNAVAILABLE",
    async check({ net, silent: url }) {
      await refused(net.fetch({ url }, { allowsPrivate: true }), ["UNAVAILABLE"]);
    },
  },
  {
    name: "a request that was aborted before is not sent",
    async check({ net, answering: { url } }) {
      const signal = AbortSignal.abort();
      await refused(net.fetch({ url }, { allowsPrivate: true, signal }), ["ABORTED"]);
    },
  },
];

async function textOf({ body }: HostResponse): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(decoded(piece) ?? "");
  return pieces.join("");
}
