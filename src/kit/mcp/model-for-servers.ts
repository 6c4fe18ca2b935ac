import { ToolError, type Host, type Mode } from "../../core/index.ts";
import type { SamplingCaller, SamplingRequest, ServerConfig } from "../../mcp/index.ts";
import { decide } from "../../policy/index.ts";
import { visibleText } from "../../text/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import type { Place } from "../workspace-context.ts";

export interface ModelForServersParts {
  readonly host: Pick<Host, "clock">;
  readonly place: Pick<Place, "boundary" | "trusted">;
  readonly rules: Pick<RuleBook, "current">;
  readonly runs: ActiveRuns;
  readonly mode: () => Mode;
  readonly samplingRule: (id: string) => string;
}

/**
 * Lets servers ask the model: only the background model of the run whose call is in progress, on its budget, and only
 * where a rule of the user names the server for that. Neither the mode nor a rule for its tools is one.
 */
export function modelForServers(parts: ModelForServersParts) {
  const { host, place, rules, runs, mode, samplingRule } = parts;
  const isAllowed = ({ id }: Pick<ServerConfig, "id">): boolean => {
    const name = samplingRule(id);
    const decision = decide({
      tool: { name, touches: ["unknown"] },
      input: {},
      effects: [{ kind: "unknown", because: "a server asks the model", origin: name }],
      rules: rules.current(),
      mode: mode(),
      boundary: place.boundary,
      trusted: place.trusted,
      now: host.clock.now(),
    });
    return decision.kind === "allow" && decision.rule?.rule === name;
  };
  let questions = 0;
  return {
    mayAskModel: isAllowed,
    async askModel(
      config: ServerConfig,
      request: SamplingRequest,
      { runId, signal }: SamplingCaller,
    ): Promise<{ readonly text: string; readonly model: string }> {
      const server = visibleText(config.name);
      if (!isAllowed(config)) {
        throw refused(server, `no rule ${samplingRule(config.id)} allows it`);
      }
      const run = runId === undefined ? undefined : runs.get(runId);
      if (run === undefined) throw refused(server, "no run is active whose budget pays for it");
      const { backgroundModel: model, budget } = run;
      if (model === undefined) throw refused(server, "no backgroundModel is set");
      const { askOnce } = await import("../../agent/index.ts");
      questions += 1;
      const { text } = await askOnce(model, request, {
        clock: host.clock,
        budget,
        signal: AbortSignal.any([signal, run.signal]),
        seed: `sampling:${questions}`,
      });
      return { text, model: model.id };
    },
  };
}

function refused(server: string, why: string): ToolError {
  return new ToolError("PERMISSION_DENIED", `${server} may not ask the model: ${why}.`, {
    hint: "docs/mcp-client.md says when a server may ask the model.",
  });
}
