import type { FoundTools, Mode, ToolSearch } from "../core/index.ts";
import { RecentMap } from "../text/index.ts";
import type { RegisteredTool } from "./registered-tool.ts";
import type { ToolView } from "./tool-view.ts";

/** Tool that finds the others. Where it is not offered, nothing is deferred: a model could not find what it needs. */
export const searchName = "ToolSearch";

/** Tool that calls those found where they do not join the list of the model. */
export const envelopeName = "tool_call";

/** Tools without use where a model sees every other. */
const finders: ReadonlySet<string> = new Set([searchName, envelopeName]);

/** Tools that a model sees in any case, because nearly every task needs them. */
const core: ReadonlySet<string> = new Set([
  "Agent",
  "Bash",
  "Edit",
  "Glob",
  "Grep",
  "Read",
  searchName,
  "Write",
  envelopeName,
]);

/** Maximum number of sessions remembered; a forgotten session begins with the core tools again. */
const maxSessions = 1000;

export interface DeferralOptions {
  readonly registry: Pick<ToolView, "getAll" | "getOffered" | "search" | "resolve">;
  /** Number of tools above which most are deferred; undefined: never. */
  readonly threshold: number | undefined;
  /** Tokens of all definitions above which most are deferred; replaces the threshold. */
  readonly maxTokens?: number | undefined;
  /** Whether found tools are called through an envelope where it is offered, so that the list stays the same. */
  readonly hasEnvelope: boolean;
  readonly mode: () => Mode;
  /** Returns sentences about sources of tools that cannot be searched now. */
  readonly notes?: (query: string, isFound: boolean) => readonly string[];
  /** Called when the tools that a session sees have changed. */
  readonly onChange: (activated: readonly string[], sessionId: string | undefined) => void;
}

/**
 * Decides which tools a model sees. Where many are offered, a session begins with the core tools and ToolSearch; the
 * others join when they are found or called.
 */
export class Deferral implements ToolSearch {
  readonly #options: DeferralOptions;
  readonly #activated = new RecentMap<string | undefined, Set<string>>(maxSessions);
  #counted: readonly RegisteredTool[] | undefined;
  #deferrable: ReadonlySet<RegisteredTool> = new Set();

  constructor(options: DeferralOptions) {
    this.#options = options;
  }

  /** Whether some tools are deferred until a session needs them. */
  get isOn(): boolean {
    return this.#tools().size > 0;
  }

  /** Whether found tools are called through an envelope now. */
  get hasEnvelope(): boolean {
    const { registry, mode, hasEnvelope } = this.#options;
    return (
      hasEnvelope && registry.getOffered({ mode: mode() }).some(({ name }) => name === envelopeName)
    );
  }

  /** Tools without those that only serve to find and call others. */
  withoutFinders<T extends { readonly name: string }>(tools: readonly T[]): readonly T[] {
    return tools.filter(({ name }) => !finders.has(name));
  }

  /** The tools among those offered that the model of a session sees, or all of them. */
  shown(
    offered: readonly RegisteredTool[],
    {
      sessionId,
      all = false,
    }: { readonly sessionId?: string | undefined; readonly all?: boolean | undefined },
  ): readonly RegisteredTool[] {
    const isSearchable = offered.some(({ name }) => name === searchName);
    const hasDeferrable = offered.some((tool) => this.#tools().has(tool));
    // Without tools to find, a search tool would only cost tokens.
    if (all || !hasDeferrable || !isSearchable) return this.withoutFinders(offered);
    return offered.filter((tool) => !this.#isDeferred(tool, sessionId));
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
    if (!this.isDeferred(name, sessionId) || this.hasEnvelope) return;
    this.activate(name, sessionId);
  }

  /** Forgets the activated tools of a session. */
  reset(sessionId: string | undefined): void {
    if (this.#activated.delete(sessionId)) this.#options.onChange([], sessionId);
  }

  /** Finds tools without activating them. */
  async search(query: string, sessionId: string | undefined): Promise<FoundTools> {
    const { registry, mode } = this.#options;
    const { findTools } = await import("./search/find-tools.ts");
    const tools = registry.getOffered({ mode: mode(), variants: true });
    const result = await findTools(query, {
      registry,
      tools: this.withoutFinders(tools),
      isDeferred: (tool) => this.#isDeferred(tool, sessionId),
    });
    const notes =
      this.#options.notes?.(query, result.found.length + result.active.length > 0) ?? [];
    return notes.length === 0 ? result : { ...result, notes };
  }

  async find(query: string, sessionId: string | undefined): Promise<FoundTools> {
    const result = await this.search(query, sessionId);
    if (this.hasEnvelope) {
      const { withInputs } = await import("./search/find-tools.ts");
      return { ...(await withInputs(result, this.#options.registry)), callThrough: envelopeName };
    }
    if (result.found.length > 0) {
      this.#add(
        result.found.map(({ name }) => name),
        sessionId,
      );
    }
    return result;
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
    const { registry, threshold, maxTokens, hasEnvelope } = this.#options;
    if (threshold === undefined) return this.#deferrable;
    const all = registry.getAll();
    if (this.#counted !== all) {
      this.#counted = all;
      // A list that stays the same must not grow because a server disconnected.
      const isKept = hasEnvelope && this.#deferrable.size > 0;
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

function deferrableAmong(
  all: readonly RegisteredTool[],
  isMany: (forms: readonly RegisteredTool[]) => boolean,
): ReadonlySet<RegisteredTool> {
  const names = new Set(all.map(({ name }) => name));
  const forms = all.filter(
    ({ name, traits: { variantOf } }) =>
      !finders.has(name) && (variantOf === undefined || !names.has(variantOf)),
  );
  if (!names.has(searchName) || !isMany(forms)) return new Set();
  return new Set(all.filter(({ name, traits }) => !core.has(name) && traits.alwaysLoad !== true));
}

/** Estimate of the tokens that the definitions cost in every request. */
function tokensOf(tools: readonly RegisteredTool[]): number {
  const texts = tools.map(({ known }) => JSON.stringify([known?.description, known?.inputSchema]));
  return texts.join("").length / charsPerToken;
}

const charsPerToken = 4;
