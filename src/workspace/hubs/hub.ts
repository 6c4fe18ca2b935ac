import { ToolError, type HostNet } from "../../core/index.ts";
import type { Package } from "../packages/package.ts";
import { packageLimits } from "../packages/package.ts";

/** A skill, or a server, that a hub lists. */
export interface HubSkill {
  /** Id for installing it: the kind of the hub, a colon, and its name there. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Its purpose, as the hub describes it; not checked by anybody. */
  readonly description?: string;
  /** Owner or repository. */
  readonly source?: string;
  /** Number of installations, as the hub counts them. */
  readonly installs?: number;
  /** Whether it is a skill, or a server of the Model Context Protocol, which is not installed as a skill. */
  readonly kind: "skill" | "mcp-server";
}

/** Files of a skill as a hub delivers them. */
export interface HubPackage {
  readonly package: Package;
  /** Version that the hub names. */
  readonly version?: string;
  /** Warnings of the hub about it. */
  readonly warnings: readonly string[];
}

/** A place where skills are found. */
export interface SkillHub {
  readonly kind: "skills.sh" | "well-known" | "clawhub" | "mcp-registry";
  /** Origin that it is reached at. */
  readonly url: string;
  search(query: string, network: HubNetwork): Promise<readonly HubSkill[]>;
  /** Downloads a skill. `name` is its id without the kind of the hub. */
  download(name: string, network: HubNetwork): Promise<HubPackage>;
}

/** Requests to one hub. */
export interface HubNetwork {
  json(path: string): Promise<unknown>;
  /** Undefined if the hub has nothing there. */
  optionalJson(path: string): Promise<unknown>;
  bytes(path: string): Promise<Uint8Array>;
}

const limits = { jsonBytes: 60_000_000, redirects: 3, timeoutMs: 60_000 } as const;

export interface HubNetworkOptions {
  readonly net: Pick<HostNet, "fetch">;
  /** Address of the hub, without a slash at its end. */
  readonly url: string;
  /** Whether the user named the address, so that it may be on a private network. */
  readonly isNamed: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Requests within the origin of a hub: it cannot send the client elsewhere. */
export function hubNetwork(options: HubNetworkOptions): HubNetwork {
  const text = async (path: string): Promise<unknown> => {
    const bytes = await fetched(path, { ...options, maxBytes: limits.jsonBytes });
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch (cause) {
      throw new ToolError("UNAVAILABLE", `${options.url} did not answer with JSON.`, {
        hint,
        cause,
      });
    }
  };
  return {
    json: text,
    optionalJson: async (path) =>
      await text(path).catch((error: unknown) => {
        if (ToolError.is(error) && error.code === "NOT_FOUND") return undefined;
        throw error;
      }),
    bytes: async (path) => await fetched(path, { ...options, maxBytes: packageLimits.bytes }),
  };
}

const hint = "Check the address of the hub in the setting skillHubs.";

async function fetched(
  path: string,
  { net, url, isNamed, signal, maxBytes }: HubNetworkOptions & { readonly maxBytes: number },
): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const ending = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const { origin } = new URL(url);
  let address = new URL(path, `${url}/`);
  for (let hop = 0; hop <= limits.redirects; hop += 1) {
    if (address.origin !== origin) {
      const message = `${url} sends the download to another site, ${address.origin}.`;
      throw new ToolError("PERMISSION_DENIED", message, {
        hint: "If you trust that site, name it in the setting skillHubs.",
      });
    }
    const allowed = isNamed ? { allowsPrivate: true } : {};
    const answer = await net.fetch(
      { url: address.href, headers: { accept: "application/json, */*" } },
      { signal: ending, ...allowed },
    );
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      address = new URL(location, address);
      continue;
    }
    if (answer.status === 404 || answer.status === 410) {
      throw new ToolError("NOT_FOUND", `${origin} has nothing at ${address.pathname}.`, { hint });
    }
    if (answer.status !== 200) {
      throw new ToolError("UNAVAILABLE", `${origin} answered with status ${answer.status}.`, {
        hint,
      });
    }
    return await bodyOf(answer.body, { maxBytes, origin });
  }
  throw new ToolError("UNAVAILABLE", `${origin} redirects without end.`, { hint });
}

async function bodyOf(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, origin }: { readonly maxBytes: number; readonly origin: string },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new ToolError("TOO_LARGE", `${origin} sent more than ${maxBytes} bytes.`, {
        hint: "Nothing was installed. A skill has at most 50,000,000 bytes.",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Refuses a file whose hash is not the one that a hub announced. */
export function checkHash(actual: string, announced: string, hub: string): void {
  if (actual === announced) return;
  const message = `${hub} announced the hash ${announced.slice(0, 24)}… and sent other content.`;
  throw new ToolError("INVALID_INPUT", message, { hint: "Nothing was installed. Ask the hub." });
}

/** Hash of bytes: 64 hex digits. */
export function sha256(...parts: readonly (Uint8Array | string)[]): string {
  // Not an import: that would evaluate all of `node:crypto`.
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** A text of a hub, bounded: it is shown to users and models. */
export function hubText(value: unknown, maxChars = 300): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  return value
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, maxChars);
}
