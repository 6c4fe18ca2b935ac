import type { recordTrust, reviewTrust } from "../trust/record.ts";
import type { SavedRule, SaveRuleOptions } from "./rule-file.ts";

/**
 * Adds a rule to the settings file of the scope on this system, preserving comments and formatting; a concurrent reader
 * sees the old file or the new one. Refuses a rule that cannot be parsed and a file that is not valid JSON.
 */
export async function saveRule(options: SaveRuleOptions): Promise<readonly SavedRule[]> {
  return await (await editor()).saveRule(options);
}

/** Removes every rule with exactly this text from the file of the scope; false if there was none. */
export async function removeRule(options: SaveRuleOptions): Promise<boolean> {
  return await (await editor()).removeRule(options);
}

/** Loads the functions that review and record trust. */
export async function trusting(): Promise<Trusting> {
  return await editor();
}

interface Trusting {
  readonly recordTrust: typeof recordTrust;
  readonly reviewTrust: typeof reviewTrust;
}

/** Loads the settings editor on first use, because most sessions save no rule. */
const editor = async () => await import("./save-rule.ts");
