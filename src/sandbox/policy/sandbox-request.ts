import type { DeclaredAccess } from "../declared-access.ts";
import type { AllowedWrite } from "./grants.ts";
import { needsOf, type KnownCommand } from "./program-requirements.ts";

/** Additional permissions of one call, all by paths that the user or a rule allowed or denied. */
export interface SandboxRequest {
  readonly commands: readonly KnownCommand[];
  /** Commands among them that may do more than they declare. */
  readonly openCommands: readonly KnownCommand[];
  readonly writes: readonly AllowedWrite[];
  /** Trees and files that rules make writable in every call. */
  readonly open: readonly string[];
  readonly reads: readonly string[];
  readonly hide: readonly string[];
  readonly keep: readonly string[];
  /** Whether they are commands of tools, which write status files. Default false. */
  readonly writesStatus?: boolean;
  /** Everything that the programs may reach; undefined for commands, which also get the workspace. */
  readonly declared?: DeclaredAccess;
}

/** Request of a program that needs nothing beyond its workspace. */
export const emptyRequest: SandboxRequest = {
  commands: [],
  openCommands: [],
  writes: [],
  open: [],
  reads: [],
  hide: [],
  keep: [],
};

/**
 * Returns why a call's programs run unconfined. A command that works in no sandbox, or needs much of the system opened,
 * never makes a program that may do anything run unconfined with it: the call is then confined, and the command fails
 * at what it cannot do there.
 */
export function straightBecause(
  { commands, openCommands }: SandboxRequest,
  tooWide: string | undefined,
): string | undefined {
  const { outside } = needsOf(commands);
  if (
    outside !== undefined &&
    openCommands.every((each) => needsOf([each]).outside !== undefined)
  ) {
    return outside;
  }
  return openCommands.length === 0 ? tooWide : undefined;
}
