import type { Host, Toolkit } from "../../core/index.ts";
import type { CommandCalls, KitCommands, KitCommandsParts } from "../commands/kit-commands.ts";
import type { KitHookList } from "../hooks/hook-list.ts";
import type { KitHooks } from "../hooks/kit-hooks.ts";
import type { KitPlugins } from "./kit-plugins.ts";
import type { KitSkillHubs } from "../skills/skill-hubs.ts";
import type { KitSkillList } from "../skills/skill-list.ts";
import { kitInstructions, type KitInstructions } from "../instructions/kit-instructions.ts";
import type { KitSettings } from "../settings/kit-settings.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";

/** Parts of a kit that its lists read. */
export interface ListedParts {
  readonly place: Place;
  readonly host: Host;
  readonly hooks: KitHooks | undefined;
  readonly rules: RuleBook;
}

/** Skills of a kit for users; what lists them is loaded with the first use. */
export function lazySkillList(
  { place, host }: ListedParts,
  explain: Toolkit["explain"],
): KitSkillList & KitSkillHubs {
  const hubs = async (): Promise<KitSkillHubs> =>
    (await import("../skills/skill-hubs.ts")).kitSkillHubs({ place, host, explain });
  const load = async (): Promise<KitSkillList> => {
    const { kitSkillList } = await import("../skills/skill-list.ts");
    return kitSkillList(await place.findSkills(), { host, workspace: place.workspace });
  };
  return {
    list: async () => await (await load()).list(),
    show: async (file) => await (await load()).show(file),
    export: async (file) => await (await load()).export(file),
    validate: async (directory) => await (await load()).validate(directory),
    search: async (query) => await (await hubs()).search(query),
    review: async (options) => await (await hubs()).review(options),
    installed: async (options) => await (await hubs()).installed(options),
    remove: async (name, options) => await (await hubs()).remove(name, options),
  };
}

/** Instructions of a kit; undefined where no files are read. */
export function instructionsOf(parts: ListedParts): KitInstructions | undefined {
  return parts.place.store === undefined ? undefined : kitInstructions(parts);
}

/** Settings of a kit for users; what reads and writes them is loaded with the first use. */
export function lazySettings(parts: ListedParts): KitSettings {
  const load = async (): Promise<KitSettings> =>
    (await import("../settings/kit-settings.ts")).kitSettings(parts);
  return {
    list: async (options) => await (await load()).list(options),
    set: async (change) => await (await load()).set(change),
    check: async () => await (await load()).check(),
  };
}

/** Slash commands of a kit; what reads them is loaded with the first use. */
export function lazyCommands(parts: KitCommandsParts, calls: CommandCalls): KitCommands {
  const load = async (): Promise<KitCommands> =>
    (await import("../commands/kit-commands.ts")).kitCommands(parts, calls);
  return {
    list: async () => await (await load()).list(),
    expand: async (name, options) => await (await load()).expand(name, options),
  };
}

/** Hooks of a kit for users; what lists and tries them is loaded with the first use. */
export function lazyHookList({ place, hooks }: ListedParts): KitHookList {
  const load = async (): Promise<KitHookList> => {
    const { kitHookList } = await import("../hooks/hook-list.ts");
    return kitHookList(place.hooks, hooks);
  };
  return {
    list: async () => await (await load()).list(),
    test: async (event, sample) => await (await load()).test(event, sample),
  };
}

/** Plugins of a kit for users; what reads and installs them is loaded with the first use. */
export function lazyPlugins({ place, host }: ListedParts, explain: Toolkit["explain"]): KitPlugins {
  const load = async (): Promise<KitPlugins> =>
    (await import("./kit-plugins.ts")).kitPlugins(place, host, explain);
  return {
    list: async () => await (await load()).list(),
    review: async (options) => await (await load()).review(options),
    servers: () => (place.plugins?.all ?? []).flatMap(({ servers }) => servers),
    check: async (directory) => await (await load()).check(directory),
    remove: async (name, options) => await (await load()).remove(name, options),
  };
}
