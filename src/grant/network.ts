import { ToolError } from "../core/index.ts";
import type { GrantGuard } from "./guard.ts";
import type { HostNet, HostRequest, HostResponse } from "../core/index.ts";
import type { HostNetOptions } from "../core/index.ts";

/** Network access, limited to the hosts that a call declared. */
export class NarrowedNet implements HostNet {
  readonly #guard: GrantGuard;

  constructor(guard: GrantGuard) {
    this.#guard = guard;
  }

  async fetch(request: HostRequest, options?: HostNetOptions): Promise<HostResponse> {
    this.#guard.assertOpen();
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    if (url?.protocol !== "http:" && url?.protocol !== "https:") {
      throw new ToolError("INVALID_INPUT", `${request.url} is not an http or https address.`, {
        hint: "Use an absolute address that starts with http:// or https://.",
      });
    }
    const { hostname, port, protocol } = url;
    const usualPort = protocol === "http:" ? 80 : 443;
    const need = {
      kind: "connect",
      host: hostname,
      port: port === "" ? usualPort : Number(port),
    } as const;
    this.#guard.require(need);
    const response = await this.#guard.host.net.fetch(request, {
      ...this.#guard.options({ signal: options?.signal }),
      allowsPrivate: this.#guard.opensPrivate(need),
    });
    return { ...response, body: whileOpen(this.#guard, response.body) };
  }
}

async function* whileOpen(
  guard: GrantGuard,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    guard.assertOpen();
    yield bytes;
  }
}
