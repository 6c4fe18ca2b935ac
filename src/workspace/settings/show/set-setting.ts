import { applyEdits, modify } from "jsonc-parser";
import { ToolError } from "../../../core/index.ts";
import { nearestName } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import { readSettings } from "../read-settings.ts";
import { editSettings, formattingOf, type EditOptions } from "../save-rule.ts";
import { maxNameChars, named } from "../schema/setting.ts";
import { removeProperty } from "./remove-property.ts";
import { settingRows, type SettingRow } from "../schema/settings-schema.ts";
import { readSettingsText } from "../settings-text.ts";

export interface SetSettingOptions extends EditOptions {
  /** Path of the setting, as in `["limits", "bash", "timeoutMs"]`. */
  readonly path: readonly string[];
  /** New value; undefined removes the setting. */
  readonly value: unknown;
}

/** A setting that was written, and where. */
export interface SavedSetting {
  /** Key of the setting, as in `limits.bash.timeoutMs`. */
  readonly key: string;
  /** New value; undefined if the setting was removed. */
  readonly value: unknown;
  /** File that stores it. */
  readonly file: string;
  /** Undefined if the setting was removed. */
  readonly line: number | undefined;
  /** Whether the file changed. */
  readonly changed: boolean;
}

const rows: Readonly<Record<string, SettingRow>> = settingRows;

/** Splits a key such as `tools.mcp__a__b.enabled` at its dots. A part with a dot is written in brackets: `env["a.b"]`. */
export function settingPath(key: string): readonly string[] {
  const parts = [...key.matchAll(/\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/gu)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/\\(.)/gu, "$1") ?? plain ?? "",
  );
  const [name = ""] = parts;
  if (Object.hasOwn(rows, name)) return parts;
  const nearest = nearestName(name.slice(0, maxNameChars), Object.keys(rows));
  throw new ToolError("INVALID_INPUT", `There is no setting \`${named([name])}\`.`, {
    hint:
      nearest === undefined
        ? "`haft config show --all` lists the settings."
        : `Did you mean ${JSON.stringify(nearest)}?`,
  });
}

/**
 * Writes a setting to the file of its scope, or removes it there; comments and formatting stay. A value that the schema
 * does not take is refused and nothing is written.
 */
export async function setSetting(options: SetSettingOptions): Promise<SavedSetting> {
  const { path, value } = options;
  refuseWrong(path, value);
  return await editSettings(options, (text) => {
    const formattingOptions = formattingOf(text);
    const next =
      value === undefined
        ? removeProperty(text, path)
        : applyEdits(text, modify(text, [...path], value, { formattingOptions }));
    return {
      text: next,
      results: (file, final) => ({
        key: named(path),
        value,
        file,
        line: value === undefined ? undefined : readSettingsText(final).lineOf(path),
        changed: next !== text,
      }),
    };
  });
}

function refuseWrong(path: readonly string[], value: unknown): void {
  if (value === undefined) return;
  const settings = path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), value);
  const problem = readSettings(settings).problems.find(({ message }) => !isAboutMissing(message));
  if (problem === undefined && isRecord(settings)) return;
  throw new ToolError("INVALID_INPUT", problem?.message ?? "Settings must be an object.", {
    hint: `Nothing was saved. ${adviceOf(problem?.hint)}`,
  });
}

/** The hint without its first sentence, which says how a value in a file is handled. */
function adviceOf(hint = ""): string {
  const advice = hint.replace(/^It is (?:ignored|taken as [^.]*)\.\s*/u, "");
  return advice === "" ? "docs/settings.md lists the settings and their values." : advice;
}

/** A part of an object may be set before the others that it needs. */
function isAboutMissing(message: string): boolean {
  return message.includes("` needs `");
}
