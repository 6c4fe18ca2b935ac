import { type Host, type PathTurns, type SaveScope } from "../../core/index.ts";
import { isNotFound, isRecord } from "../../text/index.ts";

/** A rule that the user saved on this system, with the scope whose file contains it. */
export interface UserSavedRules {
  readonly scope: Exclude<SaveScope, "session">;
  readonly rule: string;
}

export interface SavedRulesOptions {
  readonly host: Pick<Host, "fs">;
  /** Canonical path. */
  readonly workspace: string;
  /** Directory of this system's own records, outside every workspace. */
  readonly dataDirectory: string;
  /** Turns among the processes that change the records. */
  readonly turns?: PathTurns | undefined;
}

/**
 * Rules that the user saved for this workspace. They apply as long as they are in its files, even while the workspace
 * is not trusted: the user need not approve them again, and rules of other origin do not apply with them.
 */
export async function savedByUser(options: SavedRulesOptions): Promise<readonly UserSavedRules[]> {
  return (await readSaved(options)).get(options.workspace) ?? [];
}

/** Whether exactly this rule was saved in exactly this scope. */
export function isAmong(
  { scope, rule }: { readonly scope: string; readonly rule: unknown },
  saved: readonly UserSavedRules[],
): boolean {
  return saved.some((each) => each.scope === scope && each.rule === rule);
}

/** Path of the records. */
export function savedRecords({ dataDirectory }: SavedRulesOptions): string {
  return `${dataDirectory}/saved-rules.json`;
}

/** Reads the records, by workspace. */
async function readSaved(
  options: SavedRulesOptions,
): Promise<ReadonlyMap<string, readonly UserSavedRules[]>> {
  let text: string;
  try {
    text = new TextDecoder().decode((await options.host.fs.readFile(savedRecords(options))).bytes);
  } catch (error) {
    const isAbsent = isNotFound(error);
    if (isAbsent) return new Map();
    throw error;
  }
  return savedIn(text);
}

/** Records in the content of their file, by workspace. An invalid record counts as nothing saved. */
export function savedIn(text: string): ReadonlyMap<string, readonly UserSavedRules[]> {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || value["version"] !== 1 || !isRecord(value["workspaces"])) {
      return new Map();
    }
    return new Map(
      Object.entries(value["workspaces"]).map(([workspace, rules]) => [
        workspace,
        Array.isArray(rules) ? rules.filter(isSavedByPerson) : [],
      ]),
    );
  } catch {
    return new Map();
  }
}

function isSavedByPerson(value: unknown): value is UserSavedRules {
  if (!isRecord(value) || typeof value["rule"] !== "string") return false;
  return value["scope"] === "local" || value["scope"] === "project" || value["scope"] === "user";
}
