import {
  fromMinimalTool,
  ToolError,
  type Host,
  type LazyTool,
  type MinimalTool,
  type Tool,
} from "../core/index.ts";
import { escapeGlob, isHidden, type RuleSource } from "../policy/index.ts";
import { AskQueue, FailureStreaks } from "../pipeline/index.ts";
import { createRegistry, type Registry } from "../registry/index.ts";
import { builtInTools } from "../tools/index.ts";
import { EventBus } from "./event-bus.ts";
import { keptEvents } from "./kept-events.ts";
import { keptOn } from "./kept-on.ts";
import { Kit } from "./kit.ts";
import { checkOptions, type ToolkitOptions } from "./options.ts";
import { openPlace, type Place } from "./place.ts";
import { ruleBook } from "./rule-book.ts";
import { kitServices } from "./services.ts";

/**
 * Opens a toolkit: tools, rules and a host, ready to take calls. Wrong options are a TypeError, what cannot be had
 * (a workspace that is not there, a sandbox that is required) a ToolError. Dispose it when done.
 */
export async function createToolkit(options: ToolkitOptions = {}): Promise<Kit> {
  checkOptions(options);
  const host = options.host ?? (await localMachine());
  try {
    return await wire(host, options);
  } catch (error) {
    if (options.host === undefined) await host[Symbol.asyncDispose]();
    throw error;
  }
}

async function localMachine(): Promise<Host> {
  const { localHost } = await import("../host/index.ts");
  return await localHost();
}

async function wire(host: Host, options: ToolkitOptions): Promise<Kit> {
  const place = await openPlace(host, options);
  const services = kitServices(options.services);
  const log = keptEvents(options.eventLog ?? "memory", place.dataDirectory);
  const bus = new EventBus(log, () => host.clock.now());
  if (options.onEvent !== undefined) bus.subscribe(options.onEvent);
  let mode = place.mode;
  const registry: Registry = createRegistry({
    context: () => ({
      host,
      workspace: place.workspace,
      service: (token) => {
        const service = services.of(undefined).get(token);
        if (service === undefined)
          throw new ToolError("UNAVAILABLE", `Nothing here provides ${token.id}.`);
        return service;
      },
    }),
    isHidden: (tool, asked) => isHidden(tool.traits, rules.current(), asked ?? mode),
    provides: (token) => services.provides(token),
    onChange: ({ added, removed, changed }) => {
      const both = { added: [...added, ...changed], removed: [...removed, ...changed] };
      bus.emit({ type: "tools-change", ...both });
    },
  });
  const rules = ruleBook({
    sources: [...ownRules(place), ...optionRules(options, place), ...place.sources],
    roots: place.boundary.roots,
    anchors: place.anchors,
    tools: () => registry.getAll().map(({ traits }) => traits),
    store: place.storeRule,
  });
  registry.registerAll(selectTools(options));
  await registry.prepare();
  rules.refresh();
  const { journal, keepArtefact } = keptOn(host, place.dataDirectory);
  return new Kit({
    host,
    ownsHost: options.host === undefined,
    parent: undefined,
    place,
    registry,
    rules,
    services,
    bus,
    log,
    journal,
    getMode: () => mode,
    setMode: (next) => {
      mode = next;
      bus.emit({ type: "mode-change", mode: next });
    },
    ceilings: [],
    shared: {
      hooks: options.hooks ?? {},
      onAsk: options.onAsk,
      tracer: options.tracer,
      maxChars: options.maxChars ?? 50_000,
      redactSecrets: options.redactSecrets ?? true,
      askQueue: new AskQueue(),
      streaks: new FailureStreaks(),
      refusals: new Map(),
      keepArtefact,
      taints: new Map(),
    },
    signal: options.signal,
    sandbox: options.sandbox,
  });
}

/** What this system keeps for itself is out of reach of tools, in every mode; artefacts may be read. */
function ownRules({ dataDirectory, anchors }: Place): readonly RuleSource[] {
  const folder = `/${dataDirectory.split("/").map(escapeGlob).join("/")}`;
  const own = ["journal/**", "events.db*", "trust.json"].map((name) => `Read(${folder}/${name})`);
  const rules = [`Edit(${folder}/**)`, ...own].map((rule) => ({
    rule,
    denyMessage: `${dataDirectory} is where undo, logs and trust are kept; no tool reaches it.`,
  }));
  return [{ scope: "built-in", list: "deny", rules, ...anchors }];
}

function optionRules(
  { rules }: ToolkitOptions,
  { anchors }: { readonly anchors: Pick<RuleSource, "base" | "cwd" | "home"> },
): RuleSource[] {
  const lists = ["deny", "ask", "allow"] as const;
  return lists.flatMap((list) => {
    const given = rules?.[list];
    return given === undefined ? [] : [{ scope: "option", list, rules: given, ...anchors }];
  });
}

function selectTools({ tools = {} }: ToolkitOptions): (Tool | LazyTool)[] {
  const { include, exclude = [], extra = [] } = tools;
  const all = [...builtInTools, ...extra.map(asTool)];
  const known = new Set(all.map(({ name }) => name));
  for (const name of [...(include ?? []), ...exclude]) {
    if (!known.has(name)) {
      throw new TypeError(
        `tools names ${JSON.stringify(name)}, but there are only ${[...known].join(", ")}.`,
      );
    }
  }
  return all.filter(
    ({ name }) => (include === undefined || include.includes(name)) && !exclude.includes(name),
  );
}

function asTool(tool: Tool | LazyTool | MinimalTool): Tool | LazyTool {
  return "kind" in tool ? tool : fromMinimalTool(tool);
}
