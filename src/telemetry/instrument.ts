import type { HaftEvent, ObservableToolkit } from "../core/index.ts";
import { quietly } from "../text/index.ts";
import {
  metricAttributes,
  modelAttributes,
  pick,
  requestAttributes,
  usedAttributes,
} from "./attributes.ts";
import {
  type Attributes,
  type OpenTelemetryApi,
  spanKinds,
  type TelemetryHistogram,
  type TelemetrySpan,
} from "./open-telemetry.ts";

/** Options of `instrumentKit`. */
export interface InstrumentOptions {
  /**
   * Add inputs and results of calls to their spans. They may contain private data; secrets are redacted.
   *
   * @default false
   */
  readonly content?: boolean;
}

/**
 * Reports everything a kit does as spans and metrics of OpenTelemetry, named as in its semantic conventions for
 * generative AI: `invoke_agent` for runs, `chat` for requests to models, `execute_tool` for calls, and one for each
 * request to an MCP server, which gets `traceparent` in its `_meta`; all in one tree. The
 * returned function stops it. A failing or slow exporter never affects a call. Derived kits are included.
 *
 * @example
 * import * as otel from "@opentelemetry/api";
 * const stop = instrumentKit(kit, otel);
 */
export function instrumentKit<Context, Span extends TelemetrySpan>(
  kit: ObservableToolkit,
  api: OpenTelemetryApi<Context, Span>,
  options: InstrumentOptions = {},
): () => void {
  const reader = new EventReader(api, options.content === true);
  return kit.events.subscribe((event) => quietly((each) => reader.read(each), event));
}

const scope = "haft";
/** Spans that may be open at a time; the end of an older one is not reported. */
const maxOpen = 10_000;

interface OpenSpan<Context> {
  readonly span: TelemetrySpan;
  readonly context: Context;
  readonly startedAt: number;
  readonly attributes: Attributes;
}

interface OpenRun<Context> extends OpenSpan<Context> {
  readonly agentId: string | undefined;
  readonly depth: number;
}

interface OpenCall<Context> extends OpenRun<Context> {
  /** Whether the call may start an agent that is not known yet. */
  startsAgent: boolean;
}

type EventOf<T extends HaftEvent["type"]> = Extract<HaftEvent, { readonly type: T }>;

/** Opens and ends spans as events say. */
class EventReader<Context, Span extends TelemetrySpan> {
  readonly #api: OpenTelemetryApi<Context, Span>;
  readonly #hasContent: boolean;
  readonly #tracer;
  readonly #histograms: Histograms;
  readonly #runs = new Map<string, OpenRun<Context>>();
  readonly #turns = new Map<string, OpenSpan<Context>>();
  readonly #calls = new Map<string, OpenCall<Context>[]>();
  readonly #requests = new Map<string, OpenSpan<Context>>();
  /** Names of agents whose runs have not begun. */
  readonly #names = new Map<string, string>();

  constructor(api: OpenTelemetryApi<Context, Span>, hasContent: boolean) {
    this.#api = api;
    this.#hasContent = hasContent;
    this.#tracer = api.trace.getTracer(scope);
    this.#histograms = histograms(api.metrics.getMeter(scope));
  }

  read(event: HaftEvent): void {
    if (event.type === "call-start") this.#startCall(event);
    else if (event.type === "call-decided") this.#decide(event);
    else if (event.type === "call-end") this.#endCall(event);
    else if (event.type === "run-start") this.#startRun(event);
    else if (event.type === "run-end") this.#endRun(event);
    else if (event.type === "turn-start") this.#startTurn(event);
    else if (event.type === "turn-end") this.#endTurn(event);
    else if (event.type === "request-start") this.#startRequest(event);
    else if (event.type === "request-end") this.#endRequest(event);
    else if (event.type === "agent-start") {
      remember(this.#names, event.agent.agentId, event.agent.agent);
    }
  }

  #open(
    name: string,
    from: { readonly at: number; readonly kind: number; readonly attributes: Attributes },
    parent: Context,
  ): OpenSpan<Context> {
    const { at, kind, attributes } = from;
    const span = this.#tracer.startSpan(name, { startTime: at, kind, attributes }, parent);
    const context = this.#api.trace.setSpan(parent, span);
    return { span, context, startedAt: at, attributes };
  }

  #startRun(event: EventOf<"run-start">): void {
    const { runId, agentId, sessionId, depth = 0, model, at } = event;
    const name = agentId === undefined ? undefined : this.#names.get(agentId);
    if (agentId !== undefined) this.#names.delete(agentId);
    const attributes: Attributes = {
      "gen_ai.operation.name": "invoke_agent",
      ...(name === undefined ? {} : { "gen_ai.agent.name": name }),
      ...modelAttributes(model),
      ...(agentId === undefined ? {} : { "gen_ai.agent.id": agentId }),
      ...(sessionId === undefined ? {} : { "gen_ai.conversation.id": sessionId }),
    };
    const parent = depth === 0 ? undefined : this.#starterOf(event);
    const open = this.#open(
      name === undefined ? "invoke_agent" : `invoke_agent ${name}`,
      { at, kind: spanKinds.internal, attributes },
      parent ?? this.#api.context.active(),
    );
    remember(this.#runs, runId, { ...open, agentId, depth });
  }

  /** Context of the call that started an agent; of the run of its parent where the call has ended. */
  #starterOf({ parentAgentId, depth = 0 }: EventOf<"run-start">): Context | undefined {
    // The agent that talks to the user has no id.
    const isParent = (each: {
      readonly agentId: string | undefined;
      readonly depth: number;
    }): boolean => each.agentId === parentAgentId && each.depth === depth - 1;
    for (const calls of this.#calls.values()) {
      const call = calls.find((each) => each.startsAgent && isParent(each));
      if (call === undefined) continue;
      call.startsAgent = false;
      return call.context;
    }
    return [...this.#runs.values()].find(isParent)?.context;
  }

  #endRun({ runId, status, at }: EventOf<"run-end">): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    this.#runs.delete(runId);
    const { attributes } = run;
    if (status === "failed") fail(run.span, attributes, status);
    run.span.end(at);
    this.#histograms.agent.record((at - run.startedAt) / 1000, metricAttributes(attributes));
  }

  #startTurn({ runId, at }: EventOf<"turn-start">): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    const attributes: Attributes = { "gen_ai.operation.name": "chat", ...pick(run.attributes) };
    const model = attributes["gen_ai.request.model"];
    const name = typeof model === "string" ? `chat ${model}` : "chat";
    const turn = this.#open(name, { at, kind: spanKinds.client, attributes }, run.context);
    remember(this.#turns, runId, turn);
  }

  #endTurn({ runId, finish, usage, at }: EventOf<"turn-end">): void {
    const turn = this.#turns.get(runId);
    if (turn === undefined) return;
    this.#turns.delete(runId);
    const { span, attributes, startedAt } = turn;
    const { input, output, cacheRead, cacheWrite, reasoning } = usage;
    span.setAttribute("gen_ai.response.finish_reasons", [finish]);
    span.setAttribute("gen_ai.usage.input_tokens", input);
    span.setAttribute("gen_ai.usage.output_tokens", output);
    if (cacheRead !== undefined)
      span.setAttribute("gen_ai.usage.cache_read.input_tokens", cacheRead);
    if (cacheWrite !== undefined) {
      span.setAttribute("gen_ai.usage.cache_creation.input_tokens", cacheWrite);
    }
    if (reasoning !== undefined)
      span.setAttribute("gen_ai.usage.reasoning.output_tokens", reasoning);
    if (finish === "error") fail(span, attributes, finish);
    span.end(at);
    const measured = metricAttributes(attributes);
    this.#histograms.operation.record((at - startedAt) / 1000, measured);
    this.#histograms.tokens.record(input, { ...measured, "gen_ai.token.type": "input" });
    this.#histograms.tokens.record(output, { ...measured, "gen_ai.token.type": "output" });
  }

  #startCall(event: EventOf<"call-start">): void {
    const { callId, call, runId, agentId, depth = 0, sessionId, trace, at } = event;
    const isServed = trace !== undefined;
    const attributes: Attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": callId,
      ...(sessionId === undefined ? {} : { "gen_ai.conversation.id": sessionId }),
      ...(isServed ? { "mcp.method.name": "tools/call" } : {}),
    };
    const active = this.#api.context.active();
    const remote = isServed ? this.#api.propagation.extract(active, { ...trace }) : active;
    const parent = (runId === undefined ? undefined : this.#runs.get(runId)?.context) ?? remote;
    const kind = isServed ? spanKinds.server : spanKinds.internal;
    const open = this.#open(spanName(call.name, isServed), { at, kind, attributes }, parent);
    const key = callKey(event);
    const same = this.#calls.get(key) ?? [];
    remember(this.#calls, key, [...same, { ...open, agentId, depth, startsAgent: false }]);
  }

  #decide(event: EventOf<"call-decided">): void {
    const call = this.#calls.get(callKey(event))?.at(-1);
    if (call === undefined) return;
    call.startsAgent = event.effects.some(({ kind }) => kind === "delegate");
    if (this.#hasContent) {
      call.span.setAttribute("gen_ai.tool.call.arguments", JSON.stringify(event.input) ?? "");
    }
  }

  #endCall(event: EventOf<"call-end">): void {
    const key = callKey(event);
    const [call, ...others] = this.#calls.get(key) ?? [];
    if (call === undefined) return;
    if (others.length === 0) this.#calls.delete(key);
    else this.#calls.set(key, others);
    const { outcome, at } = event;
    const { span, startedAt } = call;
    const attributes: Attributes = { ...call.attributes, "gen_ai.tool.name": outcome.tool };
    span.updateName(spanName(outcome.tool, attributes["mcp.method.name"] !== undefined));
    span.setAttribute("gen_ai.tool.name", outcome.tool);
    for (const [name, value] of Object.entries(usedAttributes(outcome))) {
      span.setAttribute(name, value);
    }
    span.setAttribute("haft.decision", outcome.decision?.kind ?? "none");
    if (this.#hasContent) span.setAttribute("gen_ai.tool.call.result", outcome.text);
    if (outcome.error !== undefined) fail(span, attributes, outcome.error.code);
    else if (outcome.isError) fail(span, attributes, "tool_error");
    span.end(at);
    const seconds = (at - startedAt) / 1000;
    const facts = metricAttributes(attributes);
    this.#histograms.tool.record(seconds, facts);
    if (attributes["mcp.method.name"] !== undefined) this.#histograms.served.record(seconds, facts);
  }

  #startRequest(event: EventOf<"request-start">): void {
    const { requestId, callId, method, target, trace, at } = event;
    const call =
      callId === undefined ? undefined : this.#calls.get(callKey({ ...event, callId }))?.at(-1);
    const name = target === undefined ? method : `${method} ${target}`;
    const open = this.#open(
      name,
      { at, kind: spanKinds.client, attributes: requestAttributes(event) },
      call?.context ?? this.#api.context.active(),
    );
    remember(this.#requests, requestId, open);
    const carrier: Record<string, string> = {};
    this.#api.propagation.inject(open.context, carrier);
    const { traceparent, tracestate } = carrier;
    if (traceparent !== undefined) trace.traceparent = traceparent;
    if (tracestate !== undefined) trace.tracestate = tracestate;
  }

  #endRequest({ requestId, code, at }: EventOf<"request-end">): void {
    const request = this.#requests.get(requestId);
    if (request === undefined) return;
    this.#requests.delete(requestId);
    const { span, attributes, startedAt } = request;
    if (code !== undefined) fail(span, attributes, code);
    if (code !== undefined && /^-?\d+$/u.test(code)) {
      span.setAttribute("rpc.response.status_code", code);
    }
    span.end(at);
    this.#histograms.request.record((at - startedAt) / 1000, metricAttributes(attributes));
  }
}

function callKey({
  callId,
  runId = "",
}: {
  readonly callId: string;
  readonly runId?: string | undefined;
}): string {
  return `${runId} ${callId}`;
}

function spanName(tool: string, isServed: boolean): string {
  return isServed ? `tools/call ${tool}` : `execute_tool ${tool}`;
}

/** Keeps an open span; the oldest is forgotten where ends of very many are missing. */
function remember<T>(open: Map<string, T>, key: string, span: T): void {
  open.set(key, span);
  if (open.size <= maxOpen) return;
  const [oldest] = open.keys();
  if (oldest !== undefined) open.delete(oldest);
}

/** Marks a span as failed. The message of an error may contain content, so only its code is reported. */
function fail(span: TelemetrySpan, attributes: Attributes, type: string): void {
  attributes["error.type"] = type;
  span.setAttribute("error.type", type);
  span.setStatus({ code: 2, message: type });
}

/** Histograms of the semantic conventions for generative AI. */
interface Histograms {
  /** Seconds of a request to a model. */
  readonly operation: TelemetryHistogram;
  /** Tokens of a request to a model. */
  readonly tokens: TelemetryHistogram;
  /** Seconds of a call of a tool. */
  readonly tool: TelemetryHistogram;
  /** Seconds of a run of an agent. */
  readonly agent: TelemetryHistogram;
  /** Seconds of a request to an MCP server. */
  readonly request: TelemetryHistogram;
  /** Seconds of a request of an MCP client. */
  readonly served: TelemetryHistogram;
}

/** Creates the histograms. */
function histograms(meter: {
  createHistogram(
    name: string,
    options: { readonly unit: string; readonly description: string },
  ): TelemetryHistogram;
}): Histograms {
  const seconds = (name: string, description: string): TelemetryHistogram =>
    meter.createHistogram(name, { unit: "s", description });
  return {
    operation: seconds("gen_ai.client.operation.duration", "Duration of a request to a model"),
    tokens: meter.createHistogram("gen_ai.client.token.usage", {
      unit: "{token}",
      description: "Tokens of a request to a model",
    }),
    tool: seconds("gen_ai.execute_tool.duration", "Duration of a call of a tool"),
    agent: seconds("gen_ai.invoke_agent.duration", "Duration of a run of an agent"),
    request: seconds("mcp.client.operation.duration", "Duration of a request to an MCP server"),
    served: seconds("mcp.server.operation.duration", "Duration of a request of an MCP client"),
  };
}
