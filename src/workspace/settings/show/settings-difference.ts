import { deepEqual } from "../../../text/index.ts";
import type { LoadedSettings } from "../loaded-settings.ts";
import { settingEntries, type SettingEntry } from "./setting-entries.ts";

/** A value of a settings file that was added, removed or replaced. */
export interface SettingDifference {
  /** As in `limits.bash.timeoutMs`, without the positions in lists. */
  readonly key: string;
  /** Undefined if the value is new. */
  readonly before?: unknown;
  /** Undefined if the value is gone. */
  readonly after?: unknown;
  readonly scope: string;
  readonly file: string;
  /** Line of the new value, from 1. */
  readonly line?: number;
  /** Whether the new value counts only once the workspace is trusted again. */
  readonly needsTrust: boolean;
}

/** Values of settings files, by file and key, to compare with later ones. */
export type SettingsValues = ReadonlyMap<
  string,
  { readonly at: Place; readonly values: readonly unknown[] }
>;

/** Values that settings files have. An error in a file is a value too, because every call is then asked about. */
export function settingsValues(
  loaded: LoadedSettings,
  without: readonly SettingDifference[] = [],
): SettingsValues {
  const found = new Map<string, { readonly at: Place; readonly values: unknown[] }>();
  for (const { place, at, value } of placed(loaded)) {
    if (without.some((each) => isAt(each, at) && deepEqual(each.after, value))) continue;
    const known = found.get(place);
    if (known === undefined) found.set(place, { at, values: [value] });
    else known.values.push(value);
  }
  return found;
}

function isAt(one: Place, other: Place): boolean {
  return one.scope === other.scope && one.file === other.file && one.key === other.key;
}

/** Lists how the values of settings files differ from former ones, file by file. */
export function settingsDifference(
  before: SettingsValues,
  after: LoadedSettings,
): readonly SettingDifference[] {
  const left = new Map(
    Array.from(before, ([place, { at, values }]) => [place, { at, values: [...values] }]),
  );
  const added = placed(after).filter(({ place, value }) => {
    const known = left.get(place)?.values ?? [];
    const index = known.findIndex((each) => deepEqual(each, value));
    if (index !== -1) known.splice(index, 1);
    return index === -1;
  });
  const changed = added.map(({ place, at, value, line, needsTrust }): SettingDifference => {
    // A single value replaces the former one; values of lists come and go.
    const known = left.get(place)?.values ?? [];
    const isReplaced =
      known.length === 1 && added.filter((one) => one.place === place).length === 1;
    const replaced = isReplaced ? known.splice(0, 1) : [];
    return {
      ...at,
      ...(replaced.length === 0 ? {} : { before: replaced[0] }),
      after: value,
      ...(line === undefined ? {} : { line }),
      needsTrust,
    };
  });
  const removed = Array.from(left.values()).flatMap(({ at, values }) =>
    values.map((value): SettingDifference => ({ ...at, before: value, needsTrust: false })),
  );
  return [...changed, ...removed];
}

interface Placed {
  /** Scope, file and key, as JSON. */
  readonly place: string;
  readonly at: Place;
  readonly value: unknown;
  readonly line: number | undefined;
  readonly needsTrust: boolean;
}

function placed(loaded: LoadedSettings): readonly Placed[] {
  const entries = settingEntries(loaded).flatMap((entry): Placed[] => {
    const { file, scope, value, line, state } = entry;
    if (file === undefined) return [];
    return [
      placedAt(
        { scope, file, key: keyOf(entry) },
        { value, line, needsTrust: state === "needs trust" },
      ),
    ];
  });
  const errors = loaded.layers.flatMap(({ scope, file, read: { problems } }): Placed[] =>
    problems.flatMap(({ severity, message, line }) =>
      severity === "error" && file !== undefined
        ? [placedAt({ scope, file, key: errorKey }, { value: message, line, needsTrust: false })]
        : [],
    ),
  );
  return [...errors, ...entries];
}

function placedAt(at: Place, rest: Omit<Placed, "place" | "at">): Placed {
  return { place: JSON.stringify([at.scope, at.file, at.key]), at, ...rest };
}

/** Key of the errors of a file. */
const errorKey = "(error)";

interface Place {
  readonly scope: string;
  readonly file: string;
  readonly key: string;
}

/** Key without the positions in lists. */
function keyOf({ key }: SettingEntry): string {
  return key.replaceAll(/\[\d+\]/gu, "");
}
