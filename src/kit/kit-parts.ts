import type { Host, Mode } from "../core/index.ts";
import type { EngineFamily } from "./call-engine.ts";
import type { EnvironmentParts } from "./kit-environment.ts";
import type { KeptEvents } from "./event-sink.ts";
import type { Permissions } from "./rules/permissions.ts";
import type { KitTasks } from "./tasks.ts";
import type { SessionFile } from "./sessions/session-file.ts";
import type { ToolProblems } from "./options/tool-problems.ts";

/** Dependencies of a kit, some of them shared with the kits derived from it. */
export interface KitParts extends EnvironmentParts {
  readonly permissions: Permissions;
  readonly toolProblems: ToolProblems;
  readonly ownsHost: boolean;
  readonly log: KeptEvents;
  readonly sessionFile: SessionFile;
  /** Time of the oldest event that a collection keeps, in milliseconds since the epoch. */
  readonly eventsFrom: () => number;
  readonly isDerived: boolean;
  readonly setMode: (mode: Mode) => void;
  /** Creates the dependencies for another host than this kit's; they last until it is released. */
  readonly onHost: (
    host: Host,
  ) => Pick<KitParts, "host" | "artefacts" | "services"> & Pick<KitParts, "releaseHost">;
  /** Ends the tasks of this kit's own host and forgets that host; does nothing if it uses its parent's. */
  readonly releaseHost: () => Promise<void>;
  readonly tasks: KitTasks;
  /** Ends every task and closes the files that journals keep open, on every host. */
  readonly releaseHosts: () => Promise<void>;
  /** Loads the call engine; the same for every kit derived from this one. */
  readonly engines: () => Promise<EngineFamily>;
  readonly signal: AbortSignal | undefined;
}
