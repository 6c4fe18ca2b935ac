import type { recordTrust, reviewTrust } from "./record-trust.ts";
import type { SavedRule, SaveRuleOptions } from "./rule-file.ts";

/**
 * Adds a rule to this system's settings file of the scope, keeping comments and formatting; a reader sees
 * the old file or the new one. A rule that cannot be read, or a file that is no JSON, is refused.
 */
export async function saveRule(options: SaveRuleOptions): Promise<readonly SavedRule[]> {
  return await (await editor()).saveRule(options);
}

/** Takes every rule of exactly this text out of the scope's file; false where there was none. */
export async function removeRule(options: SaveRuleOptions): Promise<boolean> {
  return await (await editor()).removeRule(options);
}

/** What looks at trust and records it. */
export async function trusting(): Promise<Trusting> {
  return await editor();
}

interface Trusting {
  readonly recordTrust: typeof recordTrust;
  readonly reviewTrust: typeof reviewTrust;
}

/** Most sessions save no rule, so what edits settings text is loaded with the first. */
const editor = async () => await import("./save-rule.ts");
