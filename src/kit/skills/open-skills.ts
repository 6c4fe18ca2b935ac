import type {
  Host,
  SkillHubService,
  Skills,
  SlashCommands,
  Tool,
  Toolkit,
} from "../../core/index.ts";
import { loadSkillTools } from "../../tools/index.ts";
import type { ModelCommandsParts } from "../commands/model-commands.ts";
import type { Place } from "../workspace-context.ts";
import type { ActiveCeilings, CeilingParts } from "./active-ceilings.ts";
import type { KitSkillsParts } from "./kit-skills.ts";

/** Skills and commands of the workspace and the user, for models. */
export interface SkillsAndCommands {
  readonly skills: Skills | undefined;
  readonly commands: SlashCommands | undefined;
  readonly tools: readonly Tool[];
  readonly ceilings: ActiveCeilings;
}

/** Opens the skills and commands of the workspace and the user; where there are none, nothing of them is loaded. */
export async function openSkillsAndCommands(
  host: Host,
  place: Place,
  parts: CeilingParts & Pick<KitSkillsParts, "hooks"> & Pick<ModelCommandsParts, "prompts">,
): Promise<SkillsAndCommands | undefined> {
  const { workspace, skills: loaded } = place;
  // A server may have prompts, which are commands.
  const hasCommands = place.hasCommands || place.servers.length > 0;
  if (loaded === undefined && !hasCommands) return undefined;
  const { activeCeilings } = await import("./active-ceilings.ts");
  const ceilings = activeCeilings(parts);
  const skills =
    loaded && (await openSkills({ host, workspace, loaded, ceilings, hooks: parts.hooks }));
  const all = skills?.list() ?? [];
  return {
    skills,
    commands: hasCommands
      ? await openCommands({ host, place, ceilings, prompts: parts.prompts })
      : undefined,
    tools: all.length === 0 ? [] : await loadSkillTools(all),
    ceilings,
  };
}

async function openSkills(parts: KitSkillsParts): Promise<Skills> {
  const { kitSkills } = await import("./kit-skills.ts");
  return kitSkills(parts);
}

async function openCommands(parts: ModelCommandsParts): Promise<SlashCommands> {
  const { modelCommands } = await import("../commands/model-commands.ts");
  return modelCommands(parts);
}

/** Opens the hubs that the settings name; most name none, and then nothing of them is loaded. */
export async function openHubs(
  host: Host,
  place: Place,
  explain: Toolkit["explain"],
): Promise<SkillHubService | undefined> {
  if (place.settings.skillHubs.length === 0) return undefined;
  const { skillHubService } = await import("./skill-hubs.ts");
  return skillHubService(place, host, explain);
}
