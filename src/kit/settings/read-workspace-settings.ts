import type { Host } from "../../core/index.ts";
import {
  areTrustedSettings,
  filesOfRecord,
  loadSettings,
  savedByUser,
  trustRecord,
  trustState,
  type LoadedSettings,
  type TrustedFiles,
  type TrustedGuards,
} from "../../workspace/index.ts";
import { openStorage, type OpenStorage } from "../hosts/open-storage.ts";
import type { ToolkitOptions } from "../options/options.ts";

/** Settings of a workspace, and the trust with which they were read. */
export interface WorkspaceSettings {
  readonly settings: LoadedSettings;
  readonly storage: OpenStorage;
  readonly trusted: boolean;
  /** Content with which the workspace was trusted; absent where it is not, or a program trusts it for once. */
  readonly recorded?: TrustedFiles;
  /** Hooks before calls of a workspace that was trusted and has changed since. */
  readonly guards?: readonly TrustedGuards[] | undefined;
  /** Paths that changed since the workspace was trusted, which ended its trust. */
  readonly changed?: readonly string[] | undefined;
  /** Loads the settings as they would be now without trust. */
  readonly asUntrusted: () => Promise<LoadedSettings>;
  /** Loads the settings as they are now, with the trust that the workspace has now; undefined if no files are read. */
  readonly reload: (() => Promise<LoadedSettings>) | undefined;
}

/** Reads the settings that apply in a workspace: those of its own files count as far as it is trusted. */
export async function readWorkspaceSettings(
  given: Host,
  workspace: string,
  options: ToolkitOptions,
): Promise<WorkspaceSettings> {
  const { home } = given.info;
  const storage = await openStorage(given, workspace, options);
  const { dataDirectory } = storage;
  const host = storage.on(given);
  const isLoading = options.settings === "load";
  const isRecorded = isLoading && options.trust === undefined;
  const where = { host, workspace, dataDirectory };
  const load = async (trusted: boolean): Promise<LoadedSettings> =>
    await loadSettings({
      host,
      workspace,
      home,
      trusted,
      files: isLoading,
      saved: isLoading ? await savedByUser(where) : [],
      ...(typeof options.settings === "object" ? { settings: options.settings } : {}),
    });
  const loadNow = async (): Promise<
    Pick<WorkspaceSettings, "settings" | "trusted" | "recorded" | "guards" | "changed">
  > => {
    const isGiven = !isRecorded && options.trust === true;
    if (isGiven) return { settings: await load(true), trusted: true };
    const record = isRecorded ? await trustRecord(where) : undefined;
    const untrusted = async (changed: readonly string[] = []) => {
      const guards = record && (record.guards ?? []);
      return { settings: await load(false), trusted: false, guards, changed };
    };
    if (!isRecorded) return await untrusted();
    const found = await trustState(record, where);
    if (!found.trusted) return await untrusted(found.changed);
    const recorded = filesOfRecord(record, where);
    const settings = await load(true);
    return (await areTrustedSettings(settings, { workspace, home, recorded }))
      ? { settings, trusted: true, recorded }
      : await untrusted();
  };
  const now = await loadNow();
  return {
    ...now,
    storage,
    asUntrusted: () => load(false),
    // A kit that is opened without trust gets none later.
    reload: isLoading
      ? async () => (now.trusted ? (await loadNow()).settings : await load(false))
      : undefined,
  };
}
