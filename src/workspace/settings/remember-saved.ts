import { changeRecords } from "./change-file.ts";
import {
  isAmong,
  savedIn,
  savedRecords,
  type SavedByPerson,
  type SavedRulesOptions,
} from "./saved-rules.ts";

/** Records that the user saved these rules for the workspace. */
export async function rememberSaved(
  options: SavedRulesOptions,
  rules: readonly SavedByPerson[],
): Promise<void> {
  const { host, workspace } = options;
  await changeRecords(
    savedRecords(options),
    (text) => {
      const records = new Map(text === undefined ? [] : savedIn(text));
      const known = records.get(workspace) ?? [];
      const fresh = rules.filter((rule) => !isAmong(rule, known));
      return fresh.length === 0 ? undefined : records.set(workspace, [...known, ...fresh]);
    },
    host,
  );
}
