import type { HookChange, LazyTool, SeenFiles, SkillInfo, Tool } from "../core/index.ts";
import { catalogued } from "./catalog.ts";
import { toolLoaders } from "./tool-loaders.ts";
import type { Envelope } from "./tool-search/tool-call.ts";

export { builtInListings } from "./catalog.ts";

export type { Envelope } from "./tool-search/tool-call.ts";

/** Loads the tool that calls others under their own names. */
export async function loadEnvelope(): Promise<Envelope> {
  return await import("./tool-search/tool-call.ts");
}

/** All built-in tools, by name. Importing this loads no tool and no schema library. */
export const builtInTools: readonly LazyTool[] = Object.entries(toolLoaders).map(([name, load]) =>
  catalogued(name, load),
);

/** Decodes the sides of one file in legacy encodings as Read shows them; undefined for each side that is not text. */
export async function decodeLegacyTexts(
  sides: readonly Uint8Array[],
): Promise<readonly ({ readonly text: string; readonly encoding: string } | undefined)[]> {
  const { olderTexts } = await import("./files/encodings/older-texts.ts");
  return olderTexts(sides);
}

/** Describes changes that hooks made to files of a call, for its model, and updates what the session has seen of them. */
export async function noteHookChanges(
  changes: readonly HookChange[],
  session: {
    readonly seen: SeenFiles | undefined;
    readonly cwd: string;
    readonly maxChars: number;
  },
): Promise<string> {
  const { describeHookChanges } = await import("./files/seen/describe-hook-changes.ts");
  return describeHookChanges(changes, session);
}

/** Names of the tools for skills; they exist only where a skill can be used. */
export const skillToolNames: readonly string[] = ["ListSkills", "ReadSkill", "Skill"];

/** Tools for skills; the description of one lists them. */
export async function loadSkillTools(all: readonly SkillInfo[]): Promise<readonly Tool[]> {
  const { skillTools } = await import("./skill/skill-tools.ts");
  return skillTools(all);
}
