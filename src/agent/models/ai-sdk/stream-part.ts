import type { ProviderData } from "../../../session/index.ts";
import { isRecord } from "../../../text/index.ts";
import type { FinishReason, ModelEvent } from "../model.ts";
import { storedPart } from "./provider-parts.ts";
import type { Provider } from "./provider-table.ts";
import { usageOf } from "./usage.ts";

type Part = Readonly<Record<string, unknown>>;
type TextType = "text" | "reasoning";

/** Converts a provider's stream to model events. Throws an error that it contains. */
export async function* streamEvents(
  stream: AsyncIterable<unknown>,
  provider: Provider,
): AsyncGenerator<ModelEvent, void, undefined> {
  const texts = blockNames();
  const reasonings = blockNames();
  const calls = openCalls();
  for await (const part of stream) {
    if (!isRecord(part)) continue;
    switch (part["type"]) {
      case "text-start":
      case "text-delta":
      case "text-end":
        yield* textEvents("text", part, { names: texts, provider });
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        yield* textEvents("reasoning", part, { names: reasonings, provider });
        break;
      case "tool-input-start":
        if (part["providerExecuted"] !== true) yield calls.start(part);
        break;
      case "tool-input-delta":
        yield* calls.add(part);
        break;
      case "error":
        throw part["error"];
      case "finish":
        yield* calls.cut();
        yield { type: "usage", usage: usageOf(part, provider) };
        yield { type: "finish", reason: finishReason(part["finishReason"]) };
        break;
      default:
        yield* otherEvents(part, calls, provider);
    }
  }
  yield* calls.cut();
}

function* otherEvents(
  part: Part,
  calls: OpenCalls,
  provider: Provider,
): Generator<ModelEvent, void, undefined> {
  const stored = storedPart(part, provider);
  if (stored !== undefined) yield { type: "provider", part: stored };
  else if (part["type"] === "tool-call") {
    calls.end(part);
    yield toolCall(part);
  }
}

/** Events of a piece of text or reasoning; a block without content has none. */
function* textEvents(
  type: TextType,
  part: Part,
  { names, provider }: { readonly names: BlockNames; readonly provider: Provider },
): Generator<ModelEvent, void, undefined> {
  const id = text(part["id"]);
  const isEnd = part["type"] === `${type}-end`;
  const block = part["type"] === `${type}-start` ? names.start(id) : names.current(id);
  if (isEnd) names.end(id);
  const delta = text(part["delta"]);
  const hasData = isRecord(part["providerMetadata"]);
  if (delta === "" && !hasData && (!isEnd || block.isEmpty)) return;
  const origin = type === "reasoning" && block.isEmpty ? provider : undefined;
  block.isEmpty = false;
  yield {
    type,
    text: delta,
    block: block.name,
    ...(isEnd ? { end: true } : {}),
    ...providerData(part, origin),
  };
}

interface Block {
  readonly name: string;
  isEmpty: boolean;
}

/** Names of blocks, unique in a stream although some providers use an id for several blocks in turn. */
interface BlockNames {
  start(id: string): Block;
  /** Block that is open under an id; one is opened if there is none. */
  current(id: string): Block;
  end(id: string): void;
}

function blockNames(): BlockNames {
  const used = new Set<string>();
  const open = new Map<string, Block>();
  const start = (id: string): Block => {
    let name = id;
    for (let number = 2; used.has(name); number += 1) name = `${id}#${number}`;
    used.add(name);
    const block = { name, isEmpty: true };
    open.set(id, block);
    return block;
  };
  return {
    start,
    current: (id) => open.get(id) ?? start(id),
    end: (id) => {
      open.delete(id);
    },
  };
}

/** Calls whose input is arriving. Several may have the same id, or none. */
interface OpenCalls {
  start(part: Part): ModelEvent;
  add(part: Part): Generator<ModelEvent, void, undefined>;
  /** Closes the call that arrived whole. */
  end(part: Part): void;
  /** Calls that were begun and never completed: the stream was cut off inside them. */
  cut(): Generator<ModelEvent, void, undefined>;
}

function openCalls(): OpenCalls {
  const names = blockNames();
  const open: { id: string; block: string; name: string; input: string }[] = [];
  return {
    start(part) {
      const id = text(part["id"]);
      const name = text(part["toolName"]);
      const block = names.start(id).name;
      open.push({ id, block, name, input: "" });
      return { type: "tool-input", block, name, text: "" };
    },
    *add(part) {
      const call = open.findLast(({ id }) => id === text(part["id"]));
      const delta = text(part["delta"]);
      if (call === undefined || delta === "") return;
      call.input += delta;
      yield { type: "tool-input", block: call.block, name: call.name, text: delta };
    },
    end(part) {
      const index = open.findIndex(({ id }) => id === text(part["toolCallId"]));
      if (index !== -1) open.splice(index, 1);
    },
    *cut() {
      for (const { id, name, input } of open.splice(0)) {
        yield { type: "tool-call", id, name, input, incomplete: true };
      }
    },
  };
}

function toolCall(part: Part): ModelEvent {
  const input = part["input"];
  return {
    type: "tool-call",
    id: text(part["toolCallId"]),
    name: text(part["toolName"]),
    input: typeof input === "string" ? input : JSON.stringify(input ?? {}),
    ...providerData(part),
  };
}

/**
 * Data that must go back with a part. `origin` is the provider of reasoning that it gets back as text, for which its
 * package gives no data: an empty entry says where the reasoning came from.
 */
function providerData(part: Part, origin?: Provider): { providerData?: ProviderData } {
  const data = part["providerMetadata"];
  if (isRecord(data)) return { providerData: data };
  const [key] = origin?.reasoning === "text" ? origin.optionKeys : [];
  return key === undefined ? {} : { providerData: { [key]: {} } };
}

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map(
  (
    ["stop", "tool-calls", "length", "content-filter", "error", "interrupted", "other"] as const
  ).map((reason) => [reason, reason]),
);

function finishReason(value: unknown): FinishReason {
  return finishReasons.get(isRecord(value) ? value["unified"] : value) ?? "other";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
