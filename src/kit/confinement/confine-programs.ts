import { openConfined, type OpenConfinement } from "../../changes/index.ts";
import type { Host } from "../../core/index.ts";
import { judging, type JudgingParts } from "../rules/agent-rules.ts";
import type { Place } from "../workspace-context.ts";
import type { KitSandboxes } from "./kit-sandboxes.ts";

/** Parts of a kit that decide what programs may change. */
export interface ConfiningParts extends JudgingParts {
  readonly host: Host;
  readonly place: Place;
  readonly sandboxes: KitSandboxes;
}

/** Confines programs that no call starts, such as those of hooks and MCP servers, like the commands of tools. */
export function confinePrograms(
  parts: ConfiningParts,
): (argv: readonly string[], agentId?: string) => Promise<OpenConfinement> {
  const { host, sandboxes } = parts;
  const open = openConfined({
    host,
    judge: judging(parts),
    ...sandboxes,
  });
  const span = { start: 0, end: 0 };
  return async (argv, agentId) =>
    await open(
      {
        effects: [{ kind: "execute", argv, assigns: [], via: [], consequences: "open", span }],
      },
      agentId,
    );
}
