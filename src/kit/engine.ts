import { joinPath, type Call, type CallOptions, type Host, type Outcome } from "../core/index.ts";
import { createJournal, type Journal } from "../journal/index.ts";
import {
  AskQueue,
  explainCall,
  FailureStreaks,
  previewCall,
  runCall,
  type CallState,
  type PipelineEnvironment,
} from "../pipeline/index.ts";
import { createScheduler, runCalls, type Scheduler } from "../schedule/index.ts";
import { kitEnvironment, type EnvironmentParts } from "./kit-environment.ts";

/** What a kit and the kits derived from it share once one of them has run a call. */
export interface SharedEngine {
  readonly journal: Journal;
  readonly askQueue: AskQueue;
  readonly streaks: FailureStreaks;
  /** Makes the engine of one of them. */
  readonly open: (parts: EnvironmentParts, newId: (prefix: string) => string) => Engine;
}

/** What runs a kit's calls. Loaded with the first call, so that a kit that is only asked what it has loads none of it. */
export interface Engine {
  readonly journal: Journal;
  call(call: Call, options: CallOptions): Promise<Outcome>;
  callAll(calls: readonly Call[], options: CallOptions): Promise<readonly Outcome[]>;
  explain(call: Call): Promise<CallState>;
  preview(state: CallState): ReturnType<typeof previewCall>;
}

export function sharedEngine(host: Host, dataDirectory: string): SharedEngine {
  const shared = {
    journal: createJournal({ host, directory: joinPath(dataDirectory, "journal") }),
    askQueue: new AskQueue(),
    streaks: new FailureStreaks(),
  };
  return {
    ...shared,
    open: (parts, newId) =>
      engineOf(kitEnvironment({ ...parts, ...shared }, newId), shared.journal),
  };
}

function engineOf(environment: PipelineEnvironment, journal: Journal): Engine {
  let ordered: Scheduler | undefined;
  return {
    journal,
    async call(call, options) {
      if (options.inOrder === true) {
        ordered ??= createScheduler(environment);
        return await ordered.submit(call, options);
      }
      return await runCall(call, environment, { options });
    },
    callAll: async (calls, options) => await runCalls(calls, environment, options),
    explain: async (call) => await explainCall(call, environment),
    preview: async (state) => await previewCall(state, environment),
  };
}
