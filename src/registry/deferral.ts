import {
  toolSearchName,
  type ModelDefinitionOptions,
  type FoundTools,
  type Mode,
  type ToolkitDeferral,
  type ToolListing,
  type ToolSearch,
  type ToolSearchMeans,
} from "../core/index.ts";
import { RecentMap } from "../text/index.ts";
import type { RegisteredTool } from "./registered-tool.ts";
import type { ToolSources } from "./find-in-sources.ts";
import type { FindOptions } from "./search/find-tools.ts";
import type { ToolRanker } from "./search/rerank.ts";
import type { ToolView } from "./tool-view.ts";

/** Tool that calls those found where they do not join the list of the model. */
export const envelopeName = "tool_call";

/** Tools without use where a model sees every other. */
const finders: ReadonlySet<string> = new Set([toolSearchName, envelopeName]);

/** Tools that a model sees in any case, because nearly every task needs them. */
const core: ReadonlySet<string> = new Set([
  "Agent",
  "Bash",
  "Edit",
  "Glob",
  "Grep",
  "Read",
  toolSearchName,
  "Write",
  envelopeName,
]);

/** Maximum number of sessions remembered; a forgotten session begins with the core tools again. */
const maxSessions = 1000;

/** How found tools are called. */
export type FoundToolCalls = Awaited<ReturnType<ToolkitDeferral["chooseCalls"]>>;

/** Facts about a provider that decide it. */
type AskedModel = Parameters<ToolkitDeferral["chooseCalls"]>[0];

export interface DeferralOptions {
  readonly registry: Pick<
    ToolView,
    "count" | "get" | "getAll" | "getOffered" | "search" | "resolve"
  >;
  /** Number of tools above which most are deferred; undefined: never. */
  readonly threshold: number | undefined;
  /** Tokens of all definitions above which most are deferred; replaces the threshold. */
  readonly maxTokens?: number | undefined;
  /** How found tools are called; `auto`: as it is best for the model of the session. */
  readonly calls: FoundToolCalls | "auto";
  readonly mode: () => Mode;
  /** Puts the best matches of a search in order after their words; undefined: their words decide. */
  readonly ranker?: ToolRanker | undefined;
  /** Sources whose tools may not be there yet. */
  readonly sources: ToolSources;
  /** Called when the tools that a session sees have changed. */
  readonly onChange: (activated: readonly string[], sessionId: string | undefined) => void;
}

/** Limits of a list of tools, and how found ones are called. */
export interface DeferralChoice {
  readonly toolThreshold: DeferralOptions["threshold"];
  readonly maxToolTokens: DeferralOptions["maxTokens"];
  readonly foundToolCalls: DeferralOptions["calls"];
}

/** Number of tools among which a model chooses well without a search. */
const defaultThreshold = 15;

/** Resolves `auto:N%` to a number of tokens if the context window of the model is known, else to the default number. */
export function deferralChoice(
  {
    threshold = defaultThreshold,
    calls = "auto",
  }: {
    readonly threshold?: number | false | `auto:${number}%` | undefined;
    readonly calls?: DeferralOptions["calls"] | undefined;
  },
  contextTokens: number | undefined,
): DeferralChoice {
  const part = typeof threshold === "string" ? threshold : undefined;
  const isKnown = part !== undefined && contextTokens !== undefined;
  return {
    toolThreshold:
      threshold === false
        ? undefined
        : typeof threshold === "number"
          ? threshold
          : defaultThreshold,
    maxToolTokens: isKnown
      ? (contextTokens * Number.parseFloat(part.slice("auto:".length))) / 100
      : undefined,
    foundToolCalls: calls,
  };
}

/** Model that sees tools: that of a session, and whether it sees deferred ones too. */
interface SeenBy {
  readonly sessionId?: string | undefined;
  readonly all?: boolean | undefined;
}

/**
 * Decides which tools a model sees. Where many are offered, a session begins with the core tools and ToolSearch; the
 * others join when they are found or called.
 */
export class Deferral implements ToolSearch {
  readonly #options: DeferralOptions;
  readonly #activated = new RecentMap<string | undefined, Set<string>>(maxSessions);
  /** Sessions whose model calls found tools through an envelope, where no setting says how they are called. */
  readonly #enveloped = new RecentMap<string | undefined, boolean>(maxSessions);
  /** Whether the list of some session must stay the same. */
  #keepsLists: boolean;
  #counted: readonly RegisteredTool[] | undefined;
  #deferrable: ReadonlySet<RegisteredTool> = new Set();

  constructor(options: DeferralOptions) {
    this.#options = options;
    this.#keepsLists = options.calls === "envelope" || options.calls === "native";
  }

  /** Decides how a model calls the tools that it finds, and remembers it for the session. */
  chooseCalls(model: AskedModel, sessionId: string | undefined): FoundToolCalls {
    const { calls } = this.#options;
    if (calls === "native") return model.defersTools === true ? "native" : "growing";
    if (calls !== "auto") return calls;
    const isEnveloped = model.cachesPrompts === true;
    this.#enveloped.set(sessionId, isEnveloped);
    if (!isEnveloped) return "growing";
    this.#keepsLists = true;
    return "envelope";
  }

  /** Whether some tools are deferred until a session needs them. */
  get isOn(): boolean {
    return this.#tools().size > 0;
  }

  /** Whether envelopes are opened now: some session may call through them, and no rule denies it. */
  get opensEnvelopes(): boolean {
    const { registry, mode } = this.#options;
    return registry.getOffered({ mode: mode() }).some(isEnvelope);
  }

  /** Whether a session calls found tools through an envelope now. */
  #hasEnvelope(sessionId: string | undefined): boolean {
    const { calls } = this.#options;
    const isChosen = calls === "auto" ? this.#enveloped.get(sessionId) : calls === "envelope";
    return isChosen === true && this.opensEnvelopes;
  }

  /** Tools without those that only serve to find and call others. */
  withoutFinders<T extends { readonly name: string }>(tools: readonly T[]): readonly T[] {
    return tools.filter(({ name }) => !finders.has(name));
  }

  /** The tools among those offered that the model of a session sees, or all of them. */
  shown(
    offered: readonly RegisteredTool[],
    { sessionId, all = false }: SeenBy,
  ): readonly RegisteredTool[] {
    const isSearchable = offered.some(({ name }) => name === toolSearchName);
    const hasDeferrable = offered.some((tool) => this.#tools().has(tool));
    // Without tools to find, a search tool would only cost tokens.
    if (all || !hasDeferrable || !isSearchable) return this.withoutFinders(offered);
    const hasEnvelope = this.#hasEnvelope(sessionId);
    return offered.filter(
      (tool) => !this.#isDeferred(tool, sessionId) && (hasEnvelope || !isEnvelope(tool)),
    );
  }

  /** Names of the tools among those offered that a request has, and of those that its provider defers itself. */
  request(
    offered: readonly RegisteredTool[],
    { native, ...seen }: SeenBy & Pick<ModelDefinitionOptions, "native">,
  ): { readonly names: readonly string[]; readonly deferred?: ReadonlySet<string> } {
    const { shown, ...deferred } =
      native === undefined ? { shown: this.shown(offered, seen) } : this.#native(offered, native);
    return { names: shown.map(({ name }) => name), ...deferred };
  }

  #native(
    offered: readonly RegisteredTool[],
    native: ModelDefinitionOptions["native"],
  ): { readonly shown: readonly RegisteredTool[]; readonly deferred: ReadonlySet<string> } {
    const deferrable = offered.filter((tool) => this.#tools().has(tool));
    const isSearched = native === "client" && deferrable.length > 0;
    return {
      shown: offered.filter(
        ({ name }) => !finders.has(name) || (isSearched && name === toolSearchName),
      ),
      deferred: new Set(deferrable.map(({ name }) => name)),
    };
  }

  /** Whether the model of a session does not see the tool of this name. */
  isDeferred(name: string, sessionId: string | undefined): boolean {
    return this.#deferred(name, sessionId) !== undefined;
  }

  /** Shows a tool to a session from now on; false if the session sees it already or there is none of this name. */
  activate(name: string, sessionId: string | undefined): boolean {
    const tool = this.#deferred(name, sessionId);
    if (tool === undefined) return false;
    this.#add([tool.name], sessionId);
    return true;
  }

  /** Shows a tool that was called or created, unless an envelope keeps the list as it is. */
  join(name: string, sessionId: string | undefined): void {
    if (!this.isDeferred(name, sessionId) || this.#hasEnvelope(sessionId)) return;
    this.activate(name, sessionId);
  }

  /** Forgets the activated tools of a session. */
  reset(sessionId: string | undefined): void {
    if (this.#activated.delete(sessionId)) this.#options.onChange([], sessionId);
  }

  /** Estimate of the tokens that each request of a session is shorter by, because it lacks deferred tools. */
  saved(sessionId: string | undefined): number {
    if (!this.isOn) return 0;
    const offered = this.#options.registry.getOffered({ mode: this.#options.mode() });
    return tokensOf(offered.filter((tool) => this.#isDeferred(tool, sessionId)));
  }

  /** Finds tools without activating them. */
  async search(
    query: string,
    sessionId: string | undefined,
    means?: ToolSearchMeans,
  ): Promise<FoundTools> {
    const { registry, mode, ranker, calls, sources } = this.#options;
    const { findInSources } = await import("./find-in-sources.ts");
    const options = (): FindOptions => ({
      registry,
      tools: this.withoutFinders(registry.getOffered({ mode: mode(), variants: true })),
      // A provider shows a tool where it was found, and that part of the conversation may be gone.
      isDeferred: (tool) =>
        calls === "native" ? this.#tools().has(tool) : this.#isDeferred(tool, sessionId),
      ranker,
      means,
    });
    const found = await findInSources(query, options, sources);
    return { ...found, tokensSaved: this.saved(sessionId) };
  }

  async find(
    query: string,
    sessionId: string | undefined,
    means?: ToolSearchMeans,
  ): Promise<FoundTools> {
    const result = await this.search(query, sessionId, means);
    if (this.#hasEnvelope(sessionId)) {
      const { withInputs } = await import("./search/find-tools.ts");
      return { ...(await withInputs(result, this.#options.registry)), callThrough: envelopeName };
    }
    if (result.found.length > 0) {
      this.#add(
        result.found.map(({ name }) => name),
        sessionId,
      );
    }
    return { ...result, tokensSaved: this.saved(sessionId) };
  }

  #add(names: readonly string[], sessionId: string | undefined): void {
    const activated = this.#activated.get(sessionId) ?? new Set();
    for (const name of names) activated.add(name);
    this.#activated.set(sessionId, activated);
    this.#options.onChange(names, sessionId);
  }

  /** The offered tool of this name that the session does not see. */
  #deferred(name: string, sessionId: string | undefined): RegisteredTool | undefined {
    if (!this.isOn) return undefined;
    const { registry, mode } = this.#options;
    const tool = registry.resolve(name);
    if (tool === undefined || !this.#isDeferred(tool, sessionId)) return undefined;
    return registry.getOffered({ names: [tool.name], mode: mode() })[0];
  }

  #isDeferred(tool: RegisteredTool, sessionId: string | undefined): boolean {
    return this.#tools().has(tool) && this.#activated.get(sessionId)?.has(tool.name) !== true;
  }

  /** Tools that are deferred until a session needs them. Counted again when the tools on offer have changed. */
  #tools(): ReadonlySet<RegisteredTool> {
    const { registry, threshold, maxTokens } = this.#options;
    if (threshold === undefined) return this.#deferrable;
    const all = registry.getAll();
    if (this.#counted !== all) {
      this.#counted = all;
      // A list that stays the same must not grow because a server disconnected.
      const isKept = this.#keepsLists && this.#deferrable.size > 0;
      this.#deferrable = deferrableAmong(all, (forms) => {
        if (isKept) return true;
        // The built-in tools alone have a small, fixed size, and searching for them would cost more than it saves.
        if (forms.every(({ source }) => source.kind === "built-in")) return false;
        return maxTokens === undefined ? forms.length > threshold : tokensOf(forms) > maxTokens;
      });
    }
    return this.#deferrable;
  }
}

/** Whether a tool is the one that calls others, and not one of that name. */
function isEnvelope({ name, source }: RegisteredTool): boolean {
  return name === envelopeName && source.kind === "built-in";
}

function deferrableAmong(
  all: readonly RegisteredTool[],
  isMany: (forms: readonly RegisteredTool[]) => boolean,
): ReadonlySet<RegisteredTool> {
  const names = new Set(all.map(({ name }) => name));
  const forms = all.filter(
    ({ name, traits: { variantOf } }) =>
      !finders.has(name) && (variantOf === undefined || !names.has(variantOf)),
  );
  // Where nothing is found, a model could not find what it needs.
  if (!names.has(toolSearchName) || !isMany(forms)) return new Set();
  return new Set(all.filter(({ name, traits }) => !core.has(name) && traits.alwaysLoad !== true));
}

/** Estimate of the tokens that the definitions cost in every request. */
function tokensOf(tools: readonly RegisteredTool[]): number {
  return Math.round(tools.reduce((sum, tool) => sum + charsOf(tool), 0) / charsPerToken);
}

/** Characters of a definition, which do not change once they are known. */
function charsOf(tool: RegisteredTool): number {
  const listing = tool.known ?? listedAtOnce(tool);
  if (listing === undefined) return 0;
  const { description, inputSchema } = listing;
  const chars =
    charsByListing.get(listing) ?? JSON.stringify([tool.name, description, inputSchema]).length;
  charsByListing.set(listing, chars);
  return chars;
}

/** A tool that was registered a moment ago may not be listed yet. Where that takes time or fails, its size is unknown. */
function listedAtOnce(tool: RegisteredTool): ToolListing | undefined {
  if (tool.loaded === undefined) return undefined;
  const listing = tool.listing();
  if (!(listing instanceof Promise)) return listing;
  listing.catch(() => undefined);
  return undefined;
}

const charsByListing = new WeakMap<object, number>();

const charsPerToken = 4;
