import type { Host } from "../../core/index.ts";
import { optionRules, ownRules, type RuleSource } from "../../policy/index.ts";
import type { Registry } from "../../registry/index.ts";
import type { ToolkitOptions } from "../options/options.ts";
import type { Place } from "../workspace-context.ts";
import { commandEffects, hasExamples } from "./command-effects.ts";
import { Permissions } from "./permissions.ts";
import { ruleBook, type RuleBook } from "./rule-book.ts";

export interface OpenedRules {
  readonly rules: RuleBook;
  /** The rules that come from the kit itself and from its options. */
  readonly kitRules: readonly RuleSource[];
  readonly permissions: Permissions;
}

/** Opens the rules of a kit: its own, those of its options, and those of the settings. */
export async function openRules(
  options: ToolkitOptions,
  {
    host,
    place,
    registry,
  }: { readonly host: Host; readonly place: Place; readonly registry: Registry },
): Promise<OpenedRules> {
  const kitRules = [...ownRules(place), ...optionRules(options, place)];
  const sources = [...kitRules, ...place.sources];
  const { store, anchors } = place;
  const { roots } = place.boundary;
  const understand = { workspace: place.workspace, home: anchors.home };
  const now = (): number => host.clock.now();
  const rules = ruleBook({
    sources,
    effectsOf: hasExamples(sources) ? await commandEffects(understand) : undefined,
    roots,
    anchors,
    links: { canonical: async (path) => await host.fs.canonical(path), now },
    tools: () => registry.getAll().map(({ traits }) => traits),
    store:
      store === undefined
        ? undefined
        : async (rule, scope) => void (await store.save({ rule, list: "allow", scope })),
  });
  const permissions = new Permissions({
    rules,
    store,
    anchors,
    roots,
    trusted: place.trusted,
    now,
    commandEffects: async () => await commandEffects(understand),
  });
  return { rules, kitRules, permissions };
}
