import type { SettingsProblem } from "../settings/loaded-settings.ts";
import type { HookOrigin } from "./hook.ts";
import type { HookEvent } from "./hook-events.ts";

/** The value of `hooks` in a settings file or in the fields of a skill or agent. */
export interface HookSource {
  readonly value: unknown;
  readonly origin: HookOrigin;
  /** Line of a value in the file, by its path below `hooks`. */
  readonly lineOf?: (path: readonly (string | number)[]) => number | undefined;
}

/** Reports a fault at a path below `hooks`. */
export type ReportHook = (
  path: readonly (string | number)[],
  what: {
    readonly severity?: SettingsProblem["severity"];
    readonly message: string;
    readonly hint?: string;
  },
) => void;

/** Context that the readers of one event need. */
export interface HookReading {
  readonly event: HookEvent;
  readonly source: HookSource;
  readonly report: ReportHook;
}
