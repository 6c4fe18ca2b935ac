import { ToolError, type SaveScope } from "../../core/index.ts";
import type { CheckedFile, SavedSetting, SettingEntry } from "../../workspace/index.ts";
import { instructionOptions } from "../instructions/instruction-options.ts";
import type { InstructionParts } from "../instructions/kit-instructions.ts";
import type { Place } from "../workspace-context.ts";

/** Selection of settings. */
export interface ListSettingsOptions {
  /**
   * Only settings with this key, or below it, as in "limits.bash". Default: all.
   */
  readonly key?: string;
  /**
   * Also list the defaults of settings that no source sets.
   *
   * @default false
   */
  readonly defaults?: boolean;
}

/** A setting to change or remove. */
export interface SettingChange {
  /** As in "limits.bash.timeoutMs". */
  readonly key: string;
  /** New value; undefined removes the setting. */
  readonly value: unknown;
  /**
   * File to change: local (this workspace, for you), project (for everyone) or user (all of yours).
   *
   * @default "local"
   */
  readonly scope?: Exclude<SaveScope, "session">;
}

/** Settings of a kit with their origins, as they were when the kit was opened. */
export interface KitSettings {
  /** Lists values with file and line, those that do not count included. Throws INVALID_INPUT for an unknown key. */
  list(options?: ListSettingsOptions): Promise<readonly SettingEntry[]>;
  /**
   * Writes a setting to a file; comments stay. It counts for kits opened from now on. Throws INVALID_INPUT for a value
   * that the setting does not take, UNAVAILABLE if no settings files are read.
   */
  set(change: SettingChange): Promise<SavedSetting>;
  /** Reads every file that the workspace and the user bring, and returns each with its problems. Runs nothing. */
  check(): Promise<readonly CheckedFile[]>;
}

/** Parts of a kit that its settings need. */
export interface KitSettingsParts extends InstructionParts {
  readonly place: Pick<
    Place,
    | "settings"
    | "workspace"
    | "dataDirectory"
    | "turns"
    | "anchors"
    | "store"
    | "trusted"
    | "recorded"
    | "boundary"
    | "hooks"
    | "plugins"
  >;
}

/** Creates the settings of a kit; what reads and writes them is loaded on first use. */
export function kitSettings(parts: KitSettingsParts): KitSettings {
  const { place, host } = parts;
  const { settings, workspace, dataDirectory, turns } = place;
  return {
    async list({ key, defaults = false } = {}) {
      const { defaultEntries, settingEntries, settingPath } = await showing();
      const given = settingEntries(settings);
      const isSet = new Set(given.filter(({ state }) => state === "in effect").map(keyOf));
      const all = [
        ...given,
        ...(defaults ? defaultEntries().filter((entry) => !isSet.has(entry.key)) : []),
      ];
      if (key === undefined) return all;
      settingPath(key);
      return all.filter((entry) => entry.key === key || /^[.[]/u.test(rest(entry.key, key)));
    },
    async set({ key, value, scope = "local" }) {
      if (place.store === undefined) {
        throw new ToolError("UNAVAILABLE", "There is no settings file to save settings in.", {
          hint: 'Open the toolkit with settings: "load".',
        });
      }
      const { setSetting, settingPath } = await showing();
      const { home } = place.anchors;
      const path = settingPath(key);
      return await setSetting({ host, workspace, home, dataDirectory, turns, scope, path, value });
    },
    async check() {
      const { checkProject } = await showing();
      return await checkProject({
        ...(await instructionOptions(parts)),
        settings,
        recorded: place.recorded,
        hooks: place.hooks,
        plugins: place.plugins,
      });
    },
  };
}

const showing = async () => await (await import("../../workspace/index.ts")).configuration();

/** Key of an entry without the positions in lists. */
function keyOf({ key }: SettingEntry): string {
  return key.replaceAll(/\[\d+\]/gu, "");
}

function rest(key: string, start: string): string {
  return key.startsWith(start) ? key.slice(start.length) : "";
}
