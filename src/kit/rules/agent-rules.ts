import type { Host, Mode } from "../../core/index.ts";
import type { Ceiling, WrittenBy } from "../../policy/index.ts";
import type { Place } from "../workspace-context.ts";
import type { RuleBook } from "./rule-book.ts";

export interface JudgingParts {
  readonly host: Pick<Host, "clock">;
  readonly place: Pick<Place, "trusted" | "boundary">;
  readonly rules: Pick<RuleBook, "current">;
  readonly ceilings: readonly Ceiling[];
  readonly getMode: () => Mode;
}

/** Returns the rules that apply to writes of an agent's programs, as they are when it is called. */
export function judging({
  host,
  place,
  rules,
  ceilings,
  getMode,
}: JudgingParts): (agentId: string | undefined) => WrittenBy {
  return (agent) => ({
    rules: rules.current(),
    mode: getMode(),
    trusted: place.trusted,
    boundary: place.boundary,
    now: host.clock.now(),
    agent,
    ceilings,
  });
}
