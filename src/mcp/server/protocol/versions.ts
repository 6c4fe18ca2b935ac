import { isRecord } from "../../../text/index.ts";
import { RpcError, type RpcRequest } from "./json-rpc.ts";

/** Revisions in which every request carries version and capabilities, newest first. */
const modernVersions: readonly string[] = ["2026-07-28"];

/** Revisions that start with `initialize`, newest first. */
const legacyVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export type LegacyVersion = (typeof legacyVersions)[number];

/** All supported revisions, newest first. */
export const supportedVersions: readonly string[] = [...modernVersions, ...legacyVersions];

/** Keys of `_meta`: the protocol's own, and the one under which haft describes the outcome of a call. */
export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  relatedTask: "io.modelcontextprotocol/related-task",
  outcome: "haft/outcome",
} as const;

/** Rules that apply to a request. */
export type Era =
  | { readonly kind: "modern" }
  | { readonly kind: "legacy"; readonly version: LegacyVersion };

export function isLegacyVersion(version: unknown): version is LegacyVersion {
  return legacyVersions.some((each) => each === version);
}

/**
 * Revision for the response to `initialize`: the client's own if it is supported, otherwise the newest that starts with
 * `initialize`.
 */
export function negotiate(requested: unknown): LegacyVersion {
  if (typeof requested !== "string") {
    throw new RpcError("invalidParams", "initialize needs a protocolVersion.");
  }
  return isLegacyVersion(requested) ? requested : legacyVersions[0];
}

/**
 * Era of a request, as declared in the request. Only one that declares no version falls back to the revision that
 * `initialize` agreed on for this connection.
 */
export function eraOf(request: RpcRequest, agreed: LegacyVersion | undefined): Era {
  const meta = metaOf(request.params);
  const declared = meta[metaKeys.protocolVersion];
  if (typeof declared === "string" && modernVersions.includes(declared)) {
    if (!isRecord(meta[metaKeys.clientCapabilities])) {
      throw new RpcError("invalidParams", `params._meta needs ${metaKeys.clientCapabilities}.`);
    }
    return { kind: "modern" };
  }
  if (declared !== undefined && declared !== agreed) {
    if (typeof declared !== "string") {
      throw new RpcError("invalidParams", `${metaKeys.protocolVersion} must be a string.`);
    }
    throw new RpcError("unsupportedProtocolVersion", "Unsupported protocol version", {
      supported: supportedVersions,
      requested: declared,
    });
  }
  if (agreed !== undefined) return { kind: "legacy", version: agreed };
  if (request.method === "initialize" || request.method === "ping") {
    return { kind: "legacy", version: legacyVersions[0] };
  }
  throw new RpcError(
    "invalidParams",
    `Send initialize first, or name the version in params._meta["${metaKeys.protocolVersion}"].`,
  );
}

export function metaOf(
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const meta = params["_meta"];
  return isRecord(meta) ? meta : {};
}
