import type { PriorDiscovery } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";

/** Era of the protocol that a server uses, as it was found out earlier. */
export type RememberedEra =
  | { readonly kind: "legacy" }
  | { readonly kind: "modern"; readonly discover: unknown };

/** Converts the era for the client, which then does not ask the server for its protocol. */
export function priorOf(era: RememberedEra): PriorDiscovery {
  // The client checks what was remembered, and rejects what is not the answer of a server.
  return era.kind === "legacy"
    ? { kind: "legacy" }
    : { kind: "modern", discover: discoverOf(era.discover) };
}

type Discover = Extract<PriorDiscovery, { readonly kind: "modern" }>["discover"];

function discoverOf(value: unknown): Discover {
  if (isDiscover(value)) return value;
  throw new ToolError("INTERNAL", "The stored answer of a server is invalid.");
}

function isDiscover(value: unknown): value is Discover {
  return isRecord(value) && Array.isArray(value["supportedVersions"]);
}
