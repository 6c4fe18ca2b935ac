import {
  contentText,
  capabilityFacts,
  capabilityLevel,
  deriveFlags,
  listingParts,
  requireService,
  ToolError,
  type Call,
  type CallOptions,
  withParameters,
  type HaftEvent,
  type Host,
  type InputSchema,
  type JsonSchema,
  type NewEvent,
  type Outcome,
  type Services,
  type Tool,
  type ToolContext,
  type Toolkit,
  type ToolListing,
  type ToolResult,
} from "../../src/core/index.ts";

/** A toolkit over a list of tools: no policy, no validation, no bounds; enough to hold a server against. */
export interface ListToolkit extends Toolkit {
  add(tool: Tool): void;
  remove(name: string): void;
  /** Calls that have started and not ended. */
  readonly running: ReadonlySet<string>;
  /** Resolves once a call is running. */
  untilRunning(): Promise<void>;
  /** Listeners that have not been removed. */
  readonly listeners: ReadonlySet<(event: HaftEvent) => void>;
}

export interface ListToolkitOptions {
  /** Answers a call in place of its tool. */
  readonly answer?: (call: Call, options: CallOptions) => Partial<Outcome> | undefined;
}

export function listToolkit(tools: readonly Tool[], options: ListToolkitOptions = {}): ListToolkit {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listeners = new Set<(event: HaftEvent) => void>();
  const running = new Set<string>();
  let waiting: (() => void)[] = [];
  let count = 0;
  let seq = 0;
  const listings = (): readonly ToolListing[] =>
    [...byName.values()].map(listingOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));

  const kit: ListToolkit = {
    running,
    listeners,
    untilRunning: () =>
      new Promise((resolve) => {
        if (running.size > 0) resolve();
        else waiting.push(resolve);
      }),
    add(tool) {
      byName.set(tool.name, tool);
      kit.events.emit({ type: "tools-change", added: [tool.name], removed: [] });
    },
    remove(name) {
      byName.delete(name);
      kit.events.emit({ type: "tools-change", added: [], removed: [name] });
    },
    async call(call, callOptions = {}) {
      const id = call.id ?? kit.newId("call");
      running.add(id);
      for (const resolve of waiting) resolve();
      waiting = [];
      try {
        const scripted = options.answer?.(call, callOptions);
        if (scripted !== undefined) return { ...emptyOutcome(id, call.name), ...scripted };
        const tool = byName.get(call.name);
        if (tool === undefined) throw unknownTool(call.name, [...byName.keys()]);
        const result = await runTool(tool, call.input, contextOf(id, tool.name, callOptions));
        return { ...emptyOutcome(id, call.name), ...resultFields(result), decision: allowed };
      } catch (error) {
        return failed(emptyOutcome(id, call.name), error, callOptions.signal?.aborted === true);
      } finally {
        running.delete(id);
      }
    },
    callAll: (calls, callOptions) => Promise.all(calls.map((call) => kit.call(call, callOptions))),
    explain: async () => ({ repairs: [], effects: [] }),
    definitions: async () => ({
      tools: listings().map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema,
      })),
      dropped: [],
      renamed: [],
    }),
    listings,
    events: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      emit(event: NewEvent) {
        seq += 1;
        for (const listener of listeners) listener({ ...event, seq, at: 0 });
      },
    },
    now: () => 0,
    newId: (prefix) => `${prefix}-${(count += 1)}`,
  };
  return kit;
}

const noServices: Services = { get: () => undefined };

const allowed = { kind: "allow", trail: [] } as const;

function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolResult> {
  const run: unknown = Reflect.get(tool, "run");
  if (typeof run !== "function") throw new TypeError(`${tool.name} has no run.`);
  return Promise.resolve(Reflect.apply(run, tool, [input, context]));
}

function contextOf(callId: string, toolName: string, options: CallOptions): ToolContext {
  return {
    get host(): Host {
      throw new ToolError("UNAVAILABLE", "This toolkit has no host.");
    },
    workspace: "/",
    cwd: "/",
    signal: options.signal ?? new AbortController().signal,
    callId,
    toolName,
    sessionId: options.sessionId,
    ask: async () => ({ kind: "automatic" }),
    agentId: options.agentId,
    excludes: () => undefined,
    progress: (update) => options.onProgress?.(update),
    output: { write: (text, stream = "stdout") => options.onOutput?.(text, stream) },
    metadata: () => undefined,
    service: (token) => requireService(options.services ?? noServices, token),
  };
}

function emptyOutcome(id: string, tool: string): Outcome {
  return {
    id,
    tool,
    status: "ok",
    isError: false,
    content: [],
    text: "",
    title: tool,
    summary: "",
    metadata: {},
    trust: "trusted",
    effects: [],
    repairs: [],
    durationMs: 0,
  };
}

function resultFields(result: ToolResult): Partial<Outcome> {
  const content =
    typeof result.content === "string"
      ? [{ type: "text" as const, text: result.content }]
      : result.content;
  const isError = result.isError === true;
  return {
    content,
    text: contentText(content),
    isError,
    status: isError ? "failed" : "ok",
    ...(result.structuredContent === undefined
      ? {}
      : { structuredContent: result.structuredContent }),
  };
}

function failed(outcome: Outcome, error: unknown, isAborted: boolean): Outcome {
  const cause = ToolError.is(error)
    ? error
    : new ToolError(isAborted ? "ABORTED" : "TOOL_FAILED", messageOf(error));
  const text = cause.hint === undefined ? cause.message : `${cause.message} ${cause.hint}`;
  return {
    ...outcome,
    status: isAborted ? "aborted" : "failed",
    isError: true,
    content: [{ type: "text", text }],
    text,
    error: cause.toJSON(),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unknownTool(name: string, names: readonly string[]): ToolError {
  return new ToolError("UNKNOWN_TOOL", `Unknown tool: ${name}.`, {
    hint: `Available: ${names.join(", ")}.`,
    data: { nearest: names.slice(0, 3) },
  });
}

function listingOf(tool: Tool): ToolListing {
  const { name, touches, displayName = name, version = "1.0.0", description, icon } = tool;
  const text = typeof description === "string" ? description : description.short;
  const inputSchema = schemaOf(tool.name, tool.input);
  return withParameters({
    name,
    displayName,
    summary: text,
    description: text,
    version,
    category: tool.category ?? "",
    tags: tool.tags ?? [],
    aliases: tool.aliases ?? [],
    searchHint: tool.searchHint ?? "",
    ...(icon === undefined ? {} : { icon }),
    source: tool.source ?? { id: "option", name: "option", kind: "custom" },
    strict: tool.strict ?? false,
    touches,
    flags: deriveFlags(touches, tool.flags),
    level: capabilityLevel(capabilityFacts(tool)),
    ...listingParts(tool),
    inputSchema,
    ...(tool.output === undefined ? {} : { outputSchema: schemaOf(tool.name, tool.output) }),
  });
}

function schemaOf(name: string, input: InputSchema): JsonSchema {
  if ("~standard" in input || "schema" in input) {
    throw new TypeError(`${name}: this toolkit takes plain JSON Schema.`);
  }
  return { ...input };
}
