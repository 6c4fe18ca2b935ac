import type { PipelineEnvironment } from "../../pipeline/index.ts";
import type { ConfineParts } from "./confine-call.ts";

/** Confines the program that the searches of a kit's calls need. */
export function confineSearches({
  host,
  require,
  sandboxes,
}: Pick<ConfineParts, "host" | "require" | "sandboxes">): NonNullable<
  PipelineEnvironment["confineSearch"]
> {
  return async (root) => {
    if (require === "off") return undefined;
    if (host.info.capabilities.confinement === true) {
      return await (await sandboxes()).forSearch(root);
    }
    return require === "enforced" ? {} : undefined;
  };
}
