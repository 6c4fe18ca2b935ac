import type { StoreFs, ToolkitEvents } from "../../core/index.ts";
import type { RuleProblem } from "../../policy/index.ts";
import type { SettingsProblem } from "../../workspace/index.ts";
import { allProblems, collectParts, type CollectionReport } from "../kit-parts.ts";
import { checkEvent, checkGarbageOptions, checkListener } from "../options/check-arguments.ts";
import type { WorkspaceTrust } from "../rules/workspace-trust.ts";
import type { KitCore } from "./kit-core.ts";

/** Directory that the tools of a kit work in. */
export interface KitWorkspace {
  /** Canonical path of the directory. */
  readonly path: string;
  /** Problems in the settings, rules and tools of the kit, and of its event log while it cannot store events. */
  readonly problems: readonly (SettingsProblem | RuleProblem)[];
  /**
   * Reports whether the workspace is recorded as trusted, what there is to trust, and what trust permits; the result
   * can record it.
   *
   * @example
   * const trust = await kit.workspace.trust();
   * if (!trust.trusted) await trust.accept();
   */
  trust(): Promise<WorkspaceTrust>;
}

export function kitWorkspace({ parts, lifetime }: KitCore): KitWorkspace {
  return {
    path: parts.place.workspace,
    get problems() {
      return allProblems(parts);
    },
    async trust() {
      lifetime.open(undefined);
      const { workspaceTrust } = await import("../rules/workspace-trust.ts");
      return await lifetime.track(workspaceTrust(parts));
    },
  };
}

/** Events of a kit: calls, questions, answers, runs and changes of its tools. */
export interface KitEvents extends ToolkitEvents {
  /** File that events are written to; undefined when they are only stored in memory or the file cannot be opened. */
  readonly file: string | undefined;
}

export function kitEvents({ parts: { bus, log } }: KitCore): KitEvents {
  return {
    subscribe: (listener) => bus.subscribe(checkListener(listener)),
    emit: (event) => bus.emit(checkEvent(event)),
    get file() {
      return log.file;
    },
  };
}

/** Data that a kit stores on the machine of the user. */
export interface KitStorage {
  /** Directory of artifacts, journal and logs; a name only, where a `store` has them on no disk. */
  readonly directory: string;
  /** Directory of the artifacts of this workspace: another workspace may use the same data directory. */
  readonly artifactDirectory: string;
  /** Operations on the files of this directory, wherever they are. */
  readonly fs: StoreFs;
  /**
   * Deletes old artifacts and events, and what the journal stores beyond its quota. With `dryRun`, reports what would be
   * deleted and deletes nothing; default: false.
   */
  collect(options?: { readonly dryRun?: boolean }): Promise<CollectionReport>;
}

export function kitStorage({ parts, lifetime, load }: KitCore): KitStorage {
  return {
    directory: parts.place.dataDirectory,
    artifactDirectory: parts.place.artifactDirectory,
    fs: parts.host.fs,
    async collect(given = {}) {
      lifetime.open(undefined);
      const options = checkGarbageOptions(given);
      return await lifetime.track(collectParts(parts, await load(), options));
    },
  };
}
