export { explainCommand, explainDecision, type DecidedCommand } from "./explain-command.ts";
export type {
  CommandExplanation,
  CommandReason,
  CommandRules,
  CommandVerdict,
  ExplainedCommand,
  ExplainOptions,
} from "./explanation.ts";
