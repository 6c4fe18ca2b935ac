import type { acceptChange, recordTrust, reviewTrust } from "../trust/change-trust.ts";
import type { SavedRule, SaveRuleOptions } from "./rule-file.ts";

/** Adds a rule, with the editor loaded on first use. */
export async function saveRule(options: SaveRuleOptions): Promise<readonly SavedRule[]> {
  return await (await editor()).saveRule(options);
}

/** Removes a rule in the same way. */
export async function removeRule(options: SaveRuleOptions): Promise<boolean> {
  return await (await editor()).removeRule(options);
}

/** Loads the functions that review and record trust. */
export async function trusting(): Promise<Trusting> {
  return await editor();
}

interface Trusting {
  readonly acceptChange: typeof acceptChange;
  readonly recordTrust: typeof recordTrust;
  readonly reviewTrust: typeof reviewTrust;
}

/** Loads the settings editor on first use, because most sessions save no rule. */
const editor = async () => await import("./save-rule.ts");
