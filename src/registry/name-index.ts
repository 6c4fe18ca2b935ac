import type { DefinitionFormat } from "../core/index.ts";
import { mapNames, type NameMap } from "../schema/index.ts";
import { foldName, spellings, squashName } from "./names.ts";
import type { RegisteredTool } from "./registered-tool.ts";

/** One registration. Immutable: disabling a tool replaces its entry. */
export interface Entry {
  readonly tool: RegisteredTool;
  readonly scope: string | undefined;
  readonly enabled: boolean;
}

/** Index from names to registrations. */
export interface NameIndex {
  /** All registrations that are not shadowed, sorted by name. */
  visible(): readonly Entry[];
  /** Looks up a name or alias exactly as registered, enabled or not. */
  find(name: string): Entry | undefined;
  /** Registration that owns a name or alias in any casing, enabled or not. */
  holder(name: string): Entry | undefined;
  /** The enabled tool that a model means, or undefined if that is ambiguous. An exact name costs one lookup. */
  resolve(name: string): RegisteredTool | undefined;
  /** Provider names of all tools that are not shadowed. They do not depend on which tools the provider is shown. */
  providerNames(format: DefinitionFormat): NameMap;
  /** Adds one registration; none of its names may be in use. */
  add(entry: Entry): void;
}

/** Compares by code units, which gives the same order on every machine and in every locale. */
export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return byCodeUnits(a.name, b.name);
}

/**
 * Builds the index. If two registrations claim a name, the later one gets it; a registration that lost its own name is
 * shadowed.
 */
export function nameIndex(entries: readonly Entry[]): NameIndex {
  const shown: Entry[] = [];
  let sorted: readonly Entry[] | undefined;
  const exact = new Map<string, Entry>();
  const folded = new Map<string, Entry>();
  const callable = new Map<string, RegisteredTool>();
  const loose = new Map<string, RegisteredTool | undefined>();
  const maps = new Map<DefinitionFormat, NameMap>();

  for (const entry of entries.toReversed()) {
    if (!folded.has(foldName(entry.tool.name))) take(entry);
  }

  function take(entry: Entry): void {
    const { tool } = entry;
    shown.push(entry);
    sorted = undefined;
    maps.clear();
    for (const name of [tool.name, ...(tool.traits.aliases ?? [])]) {
      const holder = folded.get(foldName(name));
      if (holder !== undefined && holder !== entry) continue;
      folded.set(foldName(name), entry);
      exact.set(name, entry);
      if (!entry.enabled) continue;
      callable.set(name, tool);
      for (const spelling of looseSpellings(tool, name)) {
        // Two tools whose names differ only in style can be called by their exact names only.
        loose.set(spelling, loose.has(spelling) && loose.get(spelling) !== tool ? undefined : tool);
      }
    }
  }

  function providerNames(format: DefinitionFormat): NameMap {
    let map = maps.get(format);
    if (map === undefined) {
      map = mapNames(
        shown.map((entry) => entry.tool.name),
        format,
      );
      maps.set(format, map);
    }
    return map;
  }

  function holderOf(spelling: string): Entry | undefined {
    const holder = exact.get(spelling) ?? folded.get(foldName(spelling));
    if (holder !== undefined) return holder;
    // OpenAI has the strictest naming rules; the other providers accept our names unchanged or share its form.
    const ours = providerNames("openai").ours.get(spelling);
    return ours === undefined ? undefined : exact.get(ours);
  }

  function resolveLoosely(name: string): RegisteredTool | undefined {
    for (const spelling of spellings(name)) {
      const entry = holderOf(spelling);
      if (entry !== undefined) return entry.enabled ? entry.tool : undefined;
      const tool = loose.get(squashName(spelling));
      if (tool !== undefined) return tool;
    }
    return undefined;
  }

  return {
    visible: () => (sorted ??= shown.toSorted((a, b) => byName(a.tool, b.tool))),
    find: (name) => exact.get(name),
    holder: (name) => folded.get(foldName(name)),
    providerNames,
    resolve: (name) => callable.get(name) ?? resolveLoosely(name),
    add: take,
  };
}

/**
 * Spellings of a name without regard to style. A tool of an MCP server also answers without the `mcp` prefix:
 * `demo_add` for `mcp__demo__add`.
 */
function looseSpellings(tool: RegisteredTool, name: string): readonly string[] {
  const whole = squashName(name);
  return tool.source.kind === "mcp" && name.startsWith("mcp__") ? [whole, whole.slice(3)] : [whole];
}
