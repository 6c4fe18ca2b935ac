import {
  argumentError,
  aFlag,
  aFunction,
  aListOf,
  anObject,
  aText,
  checkedArgument,
  checkedOptions,
  texts,
  type Form,
  type LazyTool,
  type Tool,
  type ToolTraits,
} from "../core/index.ts";
import { foldName } from "./names.ts";
import {
  knownEntries,
  isOffered,
  toolView,
  type ToolView,
  type ToolViewOptions,
} from "./tool-view.ts";
import { nameIndex, type Entry } from "./name-index.ts";
import { registeredTool, type InitContextSource, type RegisteredTool } from "./registered-tool.ts";

/** Options of a registry. */
export interface RegistryOptions extends ToolViewOptions {
  /** Context passed to lazy tools; without it they cannot be loaded. */
  readonly context?: InitContextSource;
  /** Whether a tool is on when it is registered; undefined leaves it to the tool. */
  readonly isEnabled?: ((tool: ToolTraits) => boolean | undefined) | undefined;
  /** Called after each change with the differences in the tools on offer. */
  readonly onChange?: ((change: RegistryChange) => void) | undefined;
}

/** Names of tools on offer before or after a change. A name in `changed` now denotes a different tool. */
export interface RegistryChange {
  /** Names of new tools. */
  readonly added: readonly string[];
  /** Names of removed tools. */
  readonly removed: readonly string[];
  /** Names of tools that were replaced, enabled or disabled. */
  readonly changed: readonly string[];
}

/** Options for registering a tool. */
export interface RegisterOptions {
  /**
   * Take over names of tools registered before. In the same scope the tool of this name is replaced, otherwise it is
   * shadowed.
   */
  readonly override?: boolean;
  /** Whether the tool is offered. Default: as `isEnabled` of the registry says, then as the tool itself says. */
  readonly enabled?: boolean;
  /** Scope of the registration. All registrations of a scope are removed together. */
  readonly scope?: string;
}

/** Registrations that are removed together. */
export interface RegistryScope {
  /** Id of the scope. */
  readonly id: string;
  /** Adds a tool to the scope. */
  register(tool: Tool | LazyTool, options?: Omit<RegisterOptions, "scope">): RegisteredTool;
  /** Adds all these tools to the scope, or none if one is invalid. */
  registerAll(
    tools: readonly (Tool | LazyTool)[],
    options?: Omit<RegisterOptions, "scope">,
  ): readonly RegisteredTool[];
  /** Removes every registration of this scope and reveals the tools they shadowed. */
  dispose(): void;
}

/** The tools at one moment. Later changes to the registry or to a tool's definition do not alter it. */
export type RegistrySnapshot = ToolView;

/**
 * Tools by name. A name or alias, in any casing, belongs to one tool: a collision is a TypeError unless `override` is
 * set.
 */
export interface Registry extends ToolView {
  /** Adds a tool. Throws a TypeError if the name is taken. */
  register(tool: Tool | LazyTool, options?: RegisterOptions): RegisteredTool;
  /** Registers all tools or, if one cannot be registered, none. */
  registerAll(
    tools: readonly (Tool | LazyTool)[],
    options?: RegisterOptions,
  ): readonly RegisteredTool[];
  /** Removes the tool of this name and reveals the tool it shadowed; false if there is no such tool. */
  unregister(name: string): boolean;
  /** Enables or disables a tool. A disabled tool keeps its names but is neither offered nor resolved. */
  setEnabled(name: string, enabled: boolean): void;
  /** Creates a scope; its tools are removed together. */
  scope(id: string): RegistryScope;
  /**
   * New registry with only these tools, given by name or alias. Later changes to either registry do not affect the
   * other.
   */
  createFiltered(names: readonly string[]): Registry;
  /** New registry with only the tools that change nothing. */
  readOnly(): Registry;
  /** New registry with only the tools that can change something. */
  write(): Registry;
  /** Tools as they are now; later changes have no effect on it. */
  snapshot(): RegistrySnapshot;
  /** Subscribes to every later change; the returned function unsubscribes. */
  subscribe(listener: (change: RegistryChange) => void): () => void;
}

/** Creates an empty registry of tools. */
export function createRegistry(options: RegistryOptions = {}): Registry {
  return registryOf([], options);
}

function registryOf(initial: readonly Entry[], options: RegistryOptions): Registry {
  let entries = initial;
  let index = nameIndex(entries);
  const listeners = new Set<(change: RegistryChange) => void>();
  if (options.onChange !== undefined) listeners.add(options.onChange);
  const view = toolView(() => index, options);

  function registerAll(
    given: readonly (Tool | LazyTool)[],
    registerOptions: RegisterOptions,
  ): readonly RegisteredTool[] {
    const {
      override = false,
      enabled,
      scope,
    } = checkedOptions("register", registerOptions, registerForms);
    const tools = checkedArgument("tools of registerAll", given, toolList);
    if (scope !== undefined) checkScope(scope);
    const added = tools.map((each): Entry => {
      const tool = registeredTool(each, options.context);
      const isEnabled = options.isEnabled?.(tool.traits) ?? tool.traits.enabled ?? true;
      return { tool, scope, enabled: enabled ?? isEnabled };
    });
    checkAmongThemselves(added);
    if (override) {
      const replaced = new Set(added.map(({ tool }) => foldName(tool.name)));
      const kept = entries.filter(
        (entry) => entry.scope !== scope || !replaced.has(foldName(entry.tool.name)),
      );
      change([...kept, ...added]);
    } else {
      for (const entry of added) checkFree(entry);
      append(added);
    }
    return added.map((entry) => entry.tool);
  }

  function checkFree(entry: Entry): void {
    for (const name of namesOf(entry.tool)) {
      const holder = index.holder(name);
      if (holder !== undefined) throw collision(name, entry.tool, holder.tool);
    }
  }

  /** Adds entries that shadow nothing, so the index only grows. */
  function append(added: readonly Entry[]): void {
    entries = [...entries, ...added];
    for (const entry of added) index.add(entry);
    const names = added.filter((entry) => isOffered(entry, options)).map(({ tool }) => tool.name);
    tell({ added: names, removed: [], changed: [] });
  }

  function change(next: readonly Entry[]): void {
    const before = new Map(view.getAll().map((tool) => [tool.name, tool]));
    entries = next;
    index = nameIndex(entries);
    const after = new Map(view.getAll().map((tool) => [tool.name, tool]));
    tell({
      added: [...after.keys()].filter((name) => !before.has(name)),
      removed: [...before.keys()].filter((name) => !after.has(name)),
      changed: [...after].flatMap(([name, tool]) => {
        const old = before.get(name);
        return old === undefined || old === tool ? [] : [name];
      }),
    });
  }

  function tell(what: RegistryChange): void {
    if (what.added.length + what.removed.length + what.changed.length === 0) return;
    // The change stays in effect and every listener is called, even if one of them throws.
    const errors: unknown[] = [];
    for (const listener of listeners) {
      try {
        listener(what);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  function only(tools: Iterable<RegisteredTool>): Registry {
    const kept = new Set(tools);
    const visible = new Set(index.visible());
    // In order of registration, because the later of two tools owns a name that both claim.
    const own = entries.filter((entry) => visible.has(entry) && kept.has(entry.tool));
    return registryOf(
      own.map(({ tool, enabled }) => ({ tool, enabled, scope: undefined })),
      { ...options, onChange: undefined },
    );
  }

  function withFlag(readOnly: boolean): Registry {
    const tools = index.visible().map((entry) => entry.tool);
    return only(tools.filter((tool) => tool.flags.readOnly === readOnly));
  }

  return {
    ...view,
    register(tool, registerOptions = {}) {
      const [registered] = registerAll([tool], registerOptions);
      if (registered === undefined) throw argumentError("There is no tool to register.");
      return registered;
    },
    registerAll: (tools, registerOptions = {}) => registerAll(tools, registerOptions),
    unregister(name) {
      const entry = index.find(checkedArgument("name of unregister", name, aText));
      if (entry?.tool.name !== name) return false;
      change(entries.filter((each) => each !== entry));
      return true;
    },
    setEnabled(name, enabled) {
      checkedArgument("name of setEnabled", name, aText);
      checkedArgument("enabled of setEnabled", enabled, aFlag);
      const chosen = knownEntries(index, [name]);
      if (chosen.every((entry) => entry.enabled === enabled)) return;
      change(entries.map((entry) => (chosen.includes(entry) ? { ...entry, enabled } : entry)));
    },
    scope(id) {
      checkScope(id);
      let disposed = false;
      const registerInScope: RegistryScope["registerAll"] = (tools, scopeOptions = {}) => {
        if (disposed) throw argumentError(`The scope ${id} is disposed.`);
        const own = checkedOptions("register", scopeOptions, ownForms);
        return registerAll(tools, { ...own, scope: id });
      };
      return {
        id,
        register(tool, scopeOptions) {
          const [registered] = registerInScope([tool], scopeOptions);
          if (registered === undefined) throw argumentError("There is no tool to register.");
          return registered;
        },
        registerAll: registerInScope,
        dispose() {
          if (disposed) return;
          disposed = true;
          change(entries.filter((entry) => entry.scope !== id));
        },
      };
    },
    createFiltered(names) {
      const wanted = checkedArgument("names of createFiltered", names, texts);
      return only(knownEntries(index, wanted).map((entry) => entry.tool));
    },
    readOnly: () => withFlag(true),
    write: () => withFlag(false),
    snapshot() {
      const taken = nameIndex(entries);
      return Object.freeze(toolView(() => taken, options));
    },
    subscribe(listener) {
      // Wrapped, so that one function subscribed twice is two subscriptions.
      checkedArgument("listener", listener, aFunction);
      const own = (what: RegistryChange): void => listener(what);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

const ownForms = {
  override: aFlag,
  enabled: aFlag,
} satisfies Record<keyof Omit<RegisterOptions, "scope">, Form>;

// The id of a scope has a check and a message of its own.
const registerForms = { ...ownForms, scope: { is: "a text", fits: () => true } } satisfies Record<
  keyof RegisterOptions,
  Form
>;

const toolList = aListOf(anObject, "a list of tools made by defineTool");

/** Without an id a scope would hold every tool that has none, and its end would remove them all. */
function checkScope(id: unknown): void {
  if (typeof id === "string" && id !== "") return;
  throw argumentError(
    'A scope needs an id, a text that names what brings the tools, as in scope("my-plugin").',
  );
}

function checkAmongThemselves(added: readonly Entry[]): void {
  const claimed = new Map<string, RegisteredTool>();
  for (const { tool } of added) {
    for (const name of namesOf(tool)) {
      const holder = claimed.get(foldName(name));
      if (holder !== undefined && holder !== tool) throw collision(name, tool, holder);
      claimed.set(foldName(name), tool);
    }
  }
}

function namesOf(tool: RegisteredTool): readonly string[] {
  return [tool.name, ...(tool.traits.aliases ?? [])];
}

function collision(name: string, wanted: RegisteredTool, holder: RegisteredTool): TypeError {
  return argumentError(
    `Tool name ${JSON.stringify(name)} of ${described(wanted)} is taken by ${described(holder)}.`,
    { hint: "Rename one of them, or register it with override." },
  );
}

function described({ name, source }: RegisteredTool): string {
  return `${name} (${source.kind} ${JSON.stringify(source.id)})`;
}
