import type { EffectKind } from "../../src/index.ts";
import { builtInTools } from "../../src/tools/index.ts";

/** Services that a toolkit provides without a model, a session, settings or a user to ask. */
const plainServices = ["fileState", "jobs", "taskList", "web"];

interface Wanted {
  /** Services besides those of a plain toolkit. */
  readonly services?: readonly string[];
  /** Whether other forms of a tool are in the list. Default true. */
  readonly variants?: boolean;
  /** Keeps tools by the kinds of effects that they may have. Default: all. */
  readonly touches?: (kinds: readonly EffectKind[]) => boolean;
}

/** Names of the built-in tools that a toolkit with these services offers in the default mode, sorted. */
export function offeredNames({ services = [], variants = true, touches }: Wanted = {}): string[] {
  const provided = new Set([...plainServices, ...services]);
  return builtInTools
    .filter(({ modes }) => modes?.includes("default") !== false)
    .filter(({ needs = [] }) => needs.every(({ id }) => provided.has(id)))
    .filter(({ variantOf }) => variants || variantOf === undefined)
    .filter((tool) => touches === undefined || touches(tool.touches))
    .map(({ name }) => name)
    .toSorted();
}
