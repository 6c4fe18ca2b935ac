/** Entry `haft/shell`: explains a shell command without running it. */
export {
  explainCommand,
  explainDecision,
  type CommandExplanation,
  type CommandReason,
  type CommandRules,
  type CommandVerdict,
  type DecidedCommand,
  type ExplainedCommand,
  type ExplainOptions,
} from "../explain/index.ts";
export {
  commandEffects,
  type CommandClass,
  type CommandPlace,
  type GitConfig,
  type GitConfigSource,
} from "../shell/index.ts";
