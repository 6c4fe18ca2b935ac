import type { Host, Mode, RunWork } from "../core/index.ts";
import { ceilingsBelow, type Ceiling } from "../policy/index.ts";
import type { SharedAgents } from "../agent/index.ts";
import type { AgentKit } from "./agents/bound-agents.ts";
import type { EngineFamily } from "./call-engine.ts";
import type { EnvironmentParts } from "./kit-environment.ts";
import type { KeptEvents } from "./event-sink.ts";
import type { KitHooks } from "./hooks/kit-hooks.ts";
import type { Permissions } from "./rules/permissions.ts";
import type { KitTasks } from "./tasks.ts";
import type { ActiveRuns } from "./runs/active-runs.ts";
import type { KitModels } from "./runs/models.ts";
import type { SessionFile } from "./sessions/session-file.ts";
import { checkMode, refuseDisabledBypass, type DeriveOptions } from "./options/options.ts";
import type { ToolProblems } from "./options/tool-problems.ts";

/** Dependencies of a kit, some of them shared with the kits derived from it. */
export interface KitParts extends EnvironmentParts {
  readonly permissions: Permissions;
  readonly toolProblems: ToolProblems;
  /** Number of tools above which most are deferred; undefined: never. */
  readonly toolThreshold: number | undefined;
  readonly ownsHost: boolean;
  readonly log: KeptEvents;
  readonly sessionFile: SessionFile;
  readonly models: KitModels;
  /** Active runs, and the work that they leave in the background. */
  readonly runs: ActiveRuns;
  readonly work: RunWork;
  /** Loads the agents; the same for every kit derived from this one. */
  readonly agents: () => Promise<SharedAgents<AgentKit>>;
  /** Time of the oldest event that a collection keeps, in milliseconds since the epoch. */
  readonly eventsFrom: () => number;
  readonly isDerived: boolean;
  readonly setMode: (mode: Mode) => void;
  /** Creates the dependencies for another host than this kit's; they last until it is released. */
  readonly onHost: (
    host: Host,
  ) => Pick<KitParts, "host" | "artifacts" | "services"> & Pick<KitParts, "releaseHost">;
  /** Ends the tasks of this kit's own host and forgets that host; does nothing if it uses its parent's. */
  readonly releaseHost: () => Promise<void>;
  readonly tasks: KitTasks;
  /** Ends every task and closes the files that journals keep open, on every host. */
  readonly releaseHosts: () => Promise<void>;
  /** Loads the call engine; the same for every kit derived from this one. */
  readonly engines: () => Promise<EngineFamily>;
  readonly signal: AbortSignal | undefined;
  /** Hooks of the settings; undefined if there are none. Derived kits have the same. */
  readonly hooks: KitHooks | undefined;
}

/** Dependencies of a kit that can do no more than the one with these, and less where the options say so. */
export function derivedParts(
  parts: KitParts,
  options: DeriveOptions,
  signal: AbortSignal,
): KitParts {
  const { place, rules, registry, getMode } = parts;
  let mode = checkMode(options.mode ?? getMode());
  refuseDisabledBypass(mode, place.isBypassDisabled);
  const parent = {
    get rules() {
      return rules.current();
    },
    get mode() {
      return getMode();
    },
    boundary: place.boundary,
    trusted: place.trusted,
    ceilings: parts.ceilings,
  };
  const above: readonly Ceiling[] = ceilingsBelow(parent, "the parent");
  return {
    ...parts,
    ...(options.host === undefined ? sharedHost : parts.onHost(options.host)),
    ownsHost: false,
    isDerived: true,
    // A registry of its own, so that the parent does not offer what a child registers.
    registry: registry.createFiltered(options.tools ?? registry.getNames()),
    getMode: () => mode,
    setMode: (next) => {
      mode = next;
    },
    ceilings: options.ceiling === undefined ? above : [...above, rules.ceiling(options.ceiling)],
    signal,
  };
}

/** For a derived kit on the host of its parent: there is nothing to release. */
const sharedHost = { releaseHost: async (): Promise<void> => undefined };

/** Releases what a kit has opened; a derived kit releases only its own host, because it shares the rest. */
export async function releaseParts(parts: KitParts): Promise<void> {
  if (parts.isDerived) {
    await parts.releaseHost();
    return;
  }
  await parts.releaseHosts();
  if (parts.ownsHost) await parts.host[Symbol.asyncDispose]();
  await parts.sandboxes.dispose();
  await parts.log.close();
  await parts.sessionFile.close();
}
