import type { ProviderPart } from "../../../session/index.ts";
import { isRecord } from "../../../text/index.ts";
import type { Provider } from "./provider-table.ts";

type Part = Readonly<Record<string, unknown>>;

/** Stored form of a stream part that only the provider understands; undefined if it is another part. */
export function storedPart(part: Part, provider: Provider): ProviderPart | undefined {
  const options = optionsOf(part);
  const stored = (kind: ProviderPart["kind"], data: Part): ProviderPart => ({
    type: "provider",
    provider: provider.optionKeys[0] ?? "",
    kind,
    data: serializable({ ...data, ...options }),
  });
  switch (part["type"]) {
    case "tool-call": {
      const { toolCallId, toolName, input } = part;
      if (part["providerExecuted"] !== true) return undefined;
      const value = parsed(input);
      return stored("tool-call", {
        type: "tool-call",
        toolCallId,
        toolName,
        input: value,
        providerExecuted: true,
      });
    }
    case "tool-result": {
      const { toolCallId, toolName, result, isError } = part;
      // A later part repeats it in its final form.
      if (part["preliminary"] === true) return undefined;
      const type = isError === true ? "error-json" : "json";
      const output = { type, value: result ?? null };
      return stored("tool-result", { type: "tool-result", toolCallId, toolName, output });
    }
    case "source":
      return stored("source", part);
    case "custom":
      return provider.customKinds?.some((kind) => kind === part["kind"]) === true
        ? stored("other", { type: "custom", kind: part["kind"] })
        : undefined;
    case "file":
    case "reasoning-file": {
      const data = base64(part["data"]);
      return data === undefined
        ? undefined
        : stored("other", { type: part["type"], mediaType: part["mediaType"], data });
    }
    default:
      return undefined;
  }
}

/**
 * Prompt form of a stored part for the provider that made it; undefined if prompts have no such part. Calls and results
 * whose ids are in `skip` are left out: providers refuse a conversation that contains one without the other.
 */
export function promptPart(
  { data }: ProviderPart,
  version: 2 | 3 | 4,
  skip: ReadonlySet<unknown>,
): Part | undefined {
  if (!isRecord(data)) return undefined;
  switch (data["type"]) {
    case "tool-call":
    case "tool-result":
      return skip.has(data["toolCallId"]) ? undefined : data;
    case "custom":
      return version === 4 ? data : undefined;
    case "file":
      return version === 4 ? { ...data, data: { type: "data", data: data["data"] } } : data;
    case "reasoning-file":
      return version === 4 ? { ...data, data: { type: "data", data: data["data"] } } : undefined;
    default:
      return undefined;
  }
}

/** Ids of provider calls without a result, and of results without a call. */
export function unpairedIds(parts: readonly ProviderPart[]): ReadonlySet<unknown> {
  const idsOf = (kind: ProviderPart["kind"]): Set<unknown> =>
    new Set(
      parts
        .filter((part) => part.kind === kind)
        .map(({ data }) => (isRecord(data) ? data["toolCallId"] : undefined)),
    );
  const calls = idsOf("tool-call");
  const results = idsOf("tool-result");
  return new Set([...calls, ...results].filter((id) => !calls.has(id) || !results.has(id)));
}

function optionsOf(part: Part): Part {
  const options = part["providerMetadata"];
  return isRecord(options) ? { providerOptions: options } : {};
}

function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input ?? {};
  try {
    return JSON.parse(input);
  } catch {
    return { unreadable: input };
  }
}

/** Content of a generated file: base64 text or bytes, bare or, since version 4, in an object. */
function base64(data: unknown): string | undefined {
  const content = isRecord(data) && data["type"] === "data" ? data["data"] : data;
  if (typeof content === "string") return content;
  return content instanceof Uint8Array ? Buffer.from(content).toString("base64") : undefined;
}

function serializable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
