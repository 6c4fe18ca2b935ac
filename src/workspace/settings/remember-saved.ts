import {
  isAmong,
  readSaved,
  savedRecords,
  type SavedByPerson,
  type SavedRulesOptions,
} from "./saved-rules.ts";

/** Records that the user saved these rules for the workspace. */
export async function rememberSaved(
  options: SavedRulesOptions,
  rules: readonly SavedByPerson[],
): Promise<void> {
  const records = new Map(await readSaved(options));
  const known = records.get(options.workspace) ?? [];
  const fresh = rules.filter((rule) => !isAmong(rule, known));
  if (fresh.length === 0) return;
  records.set(options.workspace, [...known, ...fresh]);
  const { host, dataDirectory } = options;
  const text = JSON.stringify(
    { version: 1, workspaces: Object.fromEntries(records) },
    undefined,
    2,
  );
  await host.fs.mkdir(dataDirectory, { mode: 0o700 });
  await host.fs.writeAtomic(savedRecords(options), new TextEncoder().encode(`${text}\n`), {
    mode: 0o600,
  });
}
