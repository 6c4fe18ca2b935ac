import type { TelemetryHistogram } from "./open-telemetry.ts";

/** Histograms of the semantic conventions for generative AI. */
export interface Histograms {
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
export function histograms(meter: {
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
