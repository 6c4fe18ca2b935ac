import { createdTools, ToolError, toolSearch, type Host, type NewEvent } from "../core/index.ts";
import { actingHost } from "../host/index.ts";
import { isHidden, type ModeState } from "../policy/index.ts";
import { createRegistry, type Registry } from "../registry/index.ts";
import type { RuleBook } from "./rules/rule-book.ts";
import { enabledBy, unnamedBy } from "./rules/settings-rules.ts";
import type { KitServices } from "./services.ts";
import type { Place } from "./workspace-context.ts";

export interface RegistryParts {
  readonly host: Host;
  readonly place: Place;
  readonly mode: ModeState["get"];
  readonly rules: () => RuleBook;
  readonly services: () => KitServices;
  /** Whether tools may be deferred, so that ToolSearch is of use. */
  readonly isSearched: boolean;
  readonly emit: (event: NewEvent) => void;
}

/** Opens the registry of a kit: rules, settings and modes decide which of its tools a model sees. */
export function openRegistry({
  host,
  place,
  mode,
  rules,
  services,
  isSearched,
  emit,
}: RegistryParts): Registry {
  const isUnnamed = unnamedBy(place.settings);
  return createRegistry({
    context: () => ({
      host: actingHost(host, place.artifactDirectory),
      workspace: place.workspace,
      service: (token) => {
        const service = services().of(undefined).get(token);
        if (service === undefined)
          throw new ToolError("UNAVAILABLE", `Nothing here provides ${token.id}.`);
        return service;
      },
    }),
    isHidden: ({ traits }, asked = mode()) =>
      traits.modes?.includes(asked) === false ||
      isUnnamed(traits) ||
      isHidden(traits, rules().current(), asked),
    isEnabled: enabledBy(place.settings),
    provides: (token) =>
      token.id === toolSearch.id
        ? isSearched
        : token.id === createdTools.id || services().provides(token),
    onChange: ({ added, removed, changed }) => {
      const both = { added: [...added, ...changed], removed: [...removed, ...changed] };
      rules().refresh();
      emit({ type: "tools-change", ...both });
    },
  });
}
