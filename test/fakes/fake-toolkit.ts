import {
  contentText,
  ToolError,
  type Call,
  type CallAllOptions,
  type CallOptions,
  type ContentPart,
  type Effect,
  type HaftEvent,
  type NewEvent,
  type Outcome,
  type Toolkit,
} from "../../src/core/index.ts";

type FakeAnswer = string | { readonly [Key in keyof Outcome]?: Outcome[Key] };

export interface FakeTool {
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Cut-off calls of it are refused. */
  readonly writes?: boolean;
  run(input: unknown, options: CallOptions): FakeAnswer | Promise<FakeAnswer>;
}

export interface FakeToolkit extends Toolkit {
  /** Events in the order in which they were emitted. */
  readonly emitted: HaftEvent[];
  /** The calls of each `callAll`, as they came. */
  readonly batches: { readonly calls: readonly Call[]; readonly options: CallAllOptions }[];
  /** How often definitions were asked for. */
  readonly definitionRequests: string[];
  readonly tools: Map<string, FakeTool>;
  readonly listenerCount: () => number;
}

/** A toolkit with tools that are functions; its clock stays at 0 and its ids count up by prefix. */
export function fakeToolkit(tools: Readonly<Record<string, FakeTool>> = {}): FakeToolkit {
  const byName = new Map(Object.entries(tools));
  const emitted: HaftEvent[] = [];
  const batches: FakeToolkit["batches"] = [];
  const definitionRequests: string[] = [];
  const listeners = new Set<(event: HaftEvent) => void>();
  const ids = new Map<string, number>();
  const emit = (event: NewEvent): void => {
    const full: HaftEvent = { ...event, seq: emitted.length + 1, at: 0 };
    emitted.push(full);
    for (const listener of listeners) listener(full);
  };
  const call = async (request: Call, options: CallOptions = {}): Promise<Outcome> => {
    const { sessionId, agentId, runId, parentAgentId, depth, turn } = options;
    const id = request.id ?? "no-id";
    const base = { callId: id, sessionId, agentId, runId, parentAgentId, depth };
    emit({ type: "call-start", ...base, call: request, turn });
    const outcome = await outcomeOf(byName.get(request.name), request, options);
    emit({ type: "call-end", ...base, outcome });
    return outcome;
  };
  return {
    emitted,
    batches,
    definitionRequests,
    tools: byName,
    listenerCount: () => listeners.size,
    call,
    async callAll(calls, options = {}) {
      batches.push({ calls, options });
      const { onOutcome, ...others } = options;
      return await Promise.all(
        calls.map(async (each, index) => {
          const outcome = await call(each, others);
          onOutcome?.(index, outcome);
          return outcome;
        }),
      );
    },
    explain: async () => ({ repairs: [], effects: [] }),
    async definitions(format) {
      definitionRequests.push(format);
      return {
        tools: [...byName].map(([name, { description = "" }]) => ({
          name,
          description,
          [format === "anthropic" ? "input_schema" : "parameters"]: { type: "object" },
        })),
        dropped: [],
        renamed: [],
      };
    },
    listings: () =>
      [...byName].map(([name, { tags = [], description = "", writes = false }]) => ({
        name,
        displayName: name,
        summary: description,
        description,
        version: "1",
        category: "",
        tags,
        aliases: [],
        searchHint: "",
        source: { id: "option", name: "option", kind: "custom" },
        strict: false,
        touches: writes ? ["write"] : ["read"],
        flags: {
          readOnly: !writes,
          destructive: writes,
          idempotent: !writes,
          openWorld: false,
          concurrencySafe: !writes,
        },
        level: writes ? 1 : 2,
        enabled: true,
        autoExecute: false,
        kind: writes ? "write" : "readonly",
        parameters: [],
        inputSchema: { type: "object" },
      })),
    events: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      emit,
    },
    now: () => 0,
    newId: (prefix) => {
      const count = (ids.get(prefix) ?? 0) + 1;
      ids.set(prefix, count);
      return `${prefix}-${count}`;
    },
  };
}

async function outcomeOf(
  tool: FakeTool | undefined,
  request: Call,
  options: CallOptions,
): Promise<Outcome> {
  if (options.signal?.aborted === true) return failure(request, "ABORTED", "aborted");
  if (tool === undefined) return failure(request, "UNKNOWN_TOOL", "failed");
  if (request.incomplete === true && tool.writes === true) {
    return failure(request, "INCOMPLETE_CALL", "failed");
  }
  try {
    const input: unknown =
      typeof request.input === "string" ? JSON.parse(request.input) : request.input;
    const answer = await Promise.race([tool.run(input, options), abortion(options.signal)]);
    return finished(
      request,
      typeof answer === "string" ? { content: textContent(answer) } : answer,
    );
  } catch (error) {
    const isAborted = ToolError.is(error) && error.code === "ABORTED";
    return isAborted
      ? failure(request, "ABORTED", "aborted")
      : failure(request, "TOOL_FAILED", "failed");
  }
}

async function abortion(signal: AbortSignal | undefined): Promise<never> {
  return await new Promise((_resolve, reject) => {
    const abort = (): void => reject(new ToolError("ABORTED", "Aborted."));
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

function failure(
  request: Call,
  code: "ABORTED" | "UNKNOWN_TOOL" | "INCOMPLETE_CALL" | "TOOL_FAILED",
  status: Outcome["status"],
): Outcome {
  const error = new ToolError(code, `${request.name}: ${code}`).toJSON();
  return finished(request, { status, isError: true, error, content: textContent(error.message) });
}

function finished(
  request: Call,
  part: { readonly [Key in keyof Outcome]?: Outcome[Key] },
): Outcome {
  const content: readonly ContentPart[] = part.content ?? [];
  const status = part.status ?? "ok";
  return {
    id: request.id ?? "no-id",
    tool: request.name,
    status,
    isError: status !== "ok",
    title: request.name,
    summary: "",
    metadata: {},
    trust: "trusted",
    effects: [],
    repairs: [],
    durationMs: 0,
    ...part,
    content,
    text: contentText(content),
  };
}

function textContent(text: string): readonly ContentPart[] {
  return [{ type: "text", text }];
}

/** An effect that counts as a change. */
export function writeEffect(path: string): Effect {
  return { kind: "write", path, scope: "file", change: "modify" };
}
