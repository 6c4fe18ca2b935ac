import {
  isEffect,
  maxEffectPaths,
  requireService,
  ToolError,
  type Effect,
  type EffectContext,
  type HostFs,
  type ReadEffect,
  type Tool,
  type WriteEffect,
} from "../../core/index.ts";
import {
  gitDirectoriesAround,
  isGitHead,
  joinPath,
  messageOf,
  parentPath,
  pathExists,
  protectedMatch,
} from "../../text/index.ts";
import { narrowHost } from "../../grant/index.ts";
import { noEffects } from "../call-state.ts";
import type { CallPlace, PipelineEnvironment } from "../environment/environment.ts";
import { lookingMs, lookWithin } from "../preview/with-deadline.ts";
import { abortedBefore, orAborted } from "../run/abortable.ts";
import type { Next, StateOf, Step } from "../step.ts";

type Sets = "effects" | "requested" | "gitParts" | "resolved";
type State = StateOf<Sets, "tool" | "valid" | "hooked">;

/**
 * Gets the effects of this input from the tool, and makes every path canonical.
 *
 * Runs after hooks, because they may change the input, and right before decide, so that the call runs on the state
 * that was judged. A tool that cannot list its effects has an unknown one. Ends by itself when the call is aborted.
 */
export const listEffects: Step<Sets, "tool" | "valid" | "hooked", "effects"> = (
  state,
  environment,
) => {
  const { tool } = state;
  state.requested = undefined;
  state.resolved = undefined;
  state.gitParts = undefined;
  if (tool.effects === undefined) {
    state.effects = undeclaredEffects(tool, environment);
    return undefined;
  }
  let listed: readonly Effect[] | Promise<readonly Effect[]>;
  const looking = new LookingContext(environment, state.options);
  try {
    listed = tool.effects(state.input, looking);
  } catch (cause) {
    if (isHopeless(tool, cause)) throw cause;
    listed = [failedEffects(tool, cause)];
  }
  if (listed instanceof Promise) {
    return lookWithin(listed, { state, environment, ms: lookingMs, late: tooLate }).then(
      (effects) => accept(state, { environment, looking }, effects),
      (cause: unknown) => {
        if (state.stops.isAborted) throw abortedBefore();
        if (isHopeless(tool, cause)) throw cause;
        return accept(state, { environment, looking }, [failedEffects(tool, cause)]);
      },
    );
  }
  return accept(state, { environment, looking }, listed);
};

function tooLate(): ToolError {
  return new ToolError("TIMEOUT", `it took longer than ${lookingMs / 1000} s.`);
}

const interacts: readonly Effect[] = Object.freeze([Object.freeze({ kind: "interact" } as const)]);

/**
 * Returns the effects of a tool that does not list them. A read-only tool reads the workspace: read rules decide, and
 * its host is narrowed to the workspace. The claims of a server about its own tools are not trusted.
 */
function undeclaredEffects(tool: Tool, { workspace }: CallPlace): readonly Effect[] {
  const { touches } = tool;
  if (touches.length === 0) return noEffects;
  if (touches.every((kind) => kind === "interact")) return interacts;
  if (
    tool.source?.kind !== "mcp" &&
    touches.every((kind) => kind === "read" || kind === "interact")
  ) {
    const reads: Effect = { kind: "read", path: workspace, scope: "tree" };
    return touches.includes("interact") ? [reads, ...interacts] : [reads];
  }
  return [
    {
      kind: "unknown",
      because: `${tool.name} does not say what a call of it touches`,
      origin: originOf(tool),
    },
  ];
}

/**
 * Whether the failure to list effects also prevents the call, even with approval: a service is missing, or the file
 * system denies access to the path. The latter counts only for a tool that starts no programs, because programs may
 * have access to more than haft does.
 */
function isHopeless({ touches }: Tool, cause: unknown): boolean {
  if (!ToolError.is(cause)) return false;
  const { errno, service } = cause.data ?? {};
  if (typeof service === "string") return true;
  const isOfPath = cause.code === "LINK_LOOP" || typeof errno === "string";
  return isOfPath && touches.every((kind) => kind === "read" || kind === "write");
}

function failedEffects(tool: Tool, cause: unknown): Effect {
  const why = messageOf(cause);
  return {
    kind: "unknown",
    because: `${tool.name} could not tell what this call touches: ${why}`,
    origin: originOf(tool),
  };
}

function originOf(tool: Tool): string {
  return tool.source?.kind === "mcp" ? `mcp__${tool.source.id}` : tool.name;
}

/** Context of `effects`, without closures; the narrowed host is created only on first use. */
class LookingContext implements EffectContext {
  readonly #environment: PipelineEnvironment;
  readonly #options: State["options"];
  #resolved: Map<string, string> | undefined;
  #host: EffectContext["host"] | undefined;

  constructor(environment: PipelineEnvironment, options: State["options"]) {
    this.#environment = environment;
    this.#options = options;
  }

  /** Paths that were resolved, with their canonical paths. */
  get resolved(): ReadonlyMap<string, string> {
    return this.#resolved ?? noPaths;
  }

  get host(): EffectContext["host"] {
    this.#host ??= narrowHost(this.#environment.host, {
      grant: "read-only",
      cwd: this.#environment.cwd,
      onResolved: (named, canonical) => (this.#resolved ??= new Map()).set(named, canonical),
    }).host;
    return this.#host;
  }

  get workspace(): string {
    return this.#environment.workspace;
  }

  get cwd(): string {
    return this.#environment.cwd;
  }

  get signal(): AbortSignal {
    return this.#options.signal ?? neverAborted;
  }

  get sessionId(): string | undefined {
    return this.#options.sessionId;
  }

  get agentId(): string | undefined {
    return this.#options.agentId;
  }

  get service(): EffectContext["service"] {
    return (token) =>
      this.#options.services?.get(token) ??
      requireService(this.#environment.services(this.sessionId), token);
  }
}

const noPaths: ReadonlyMap<string, string> = new Map();
const neverAborted = new AbortController().signal;

interface Looked {
  readonly environment: PipelineEnvironment;
  readonly looking: LookingContext;
}

function accept(state: State, looked: Looked, listed: readonly Effect[]): Next | Promise<Next> {
  const { tool } = state;
  if (!Array.isArray(listed)) throw noEffect(tool, listed);
  if (listed.length === 0) {
    state.effects = noEffects;
    return undefined;
  }
  // Copied, so that the judged effects are the granted ones even if the tool changes its list later.
  const effects = listed.map((effect: unknown) => taken(tool, effect));
  if (!effects.some((effect) => pathsOf(effect).length > 0)) {
    state.effects = effects;
    return undefined;
  }
  return canonicalize(state, looked, effects);
}

function taken(tool: Tool, listed: unknown): Effect {
  const effect: unknown = typeof listed === "object" ? { ...listed } : listed;
  if (!isEffect(effect)) throw noEffect(tool, listed);
  // An unknown effect is stricter than any declared one, so it is always accepted.
  if (effect.kind === "unknown" || tool.touches.includes(effect.kind)) return effect;
  throw new ToolError(
    "UNDECLARED_EFFECT",
    `${tool.name} says it touches ${tool.touches.join(", ") || "nothing"}, but this call would ${effect.kind}.`,
    {
      hint: `The author of ${tool.name} must add "${effect.kind}" to touches; the call was not run.`,
    },
  );
}

function noEffect(tool: Tool, listed: unknown): ToolError {
  return new ToolError("UNDECLARED_EFFECT", `${tool.name} declared an invalid effect.`, {
    hint: `Fix the effects of ${tool.name}; the call did not run.`,
    data: { listed: typeof listed },
  });
}

function canonicalize(
  state: State,
  { environment, looking }: Looked,
  effects: readonly Effect[],
): Next | Promise<Next> {
  const { host, cwd } = environment;
  const [only] = effects;
  // Most calls are about one path.
  if (effects.length === 1 && only !== undefined && isPathEffect(only)) {
    const known = looking.resolved.get(only.path);
    if (known !== undefined) return takePaths(state, { effects, pathOf: () => known, environment });
    const resolving = host.fs.canonical(only.path, { base: cwd });
    const accepted = resolving.then((path) =>
      takePaths(state, { effects, pathOf: () => path, environment }),
    );
    return orAborted(accepted, state.stops);
  }
  // Where it led a moment ago will do: what is judged is what may be opened, and that without a link.
  const paths = new Map(looking.resolved);
  const unknown = new Set<string>();
  for (const effect of effects) {
    for (const path of pathsOf(effect)) if (!paths.has(path)) unknown.add(path);
  }
  const pathOf = (named: string): string | undefined => paths.get(named);
  if (unknown.size === 0) return takePaths(state, { effects, pathOf, environment });
  const resolving = Array.from(unknown, async (path) =>
    paths.set(path, await host.fs.canonical(path, { base: cwd })),
  );
  const resolved = Promise.all(resolving).then(() =>
    takePaths(state, { effects, pathOf, environment }),
  );
  return orAborted(resolved, state.stops);
}

function pathsOf(effect: Effect): readonly string[] {
  if (isPathEffect(effect)) return [effect.path];
  return effect.kind === "execute" && Array.isArray(effect.worksIn) ? effect.worksIn : [];
}

function isPathEffect(effect: Effect): effect is PathEffect {
  return effect.kind === "read" || effect.kind === "write";
}

type PathEffect = Extract<Effect, { readonly path: string }>;

interface Resolved {
  readonly effects: readonly Effect[];
  /** Where a path that is named leads. */
  readonly pathOf: (named: string) => string | undefined;
  readonly environment: PipelineEnvironment;
}

function takePaths(
  state: State,
  { effects, pathOf, environment: { cwd, host } }: Resolved,
): Next | Promise<Next> {
  let requested: Map<string, string[]> | undefined;
  const resolved = new Map<string, string>();
  const canonical = effects.map((effect) => {
    if (!isPathEffect(effect)) return atWork(effect, pathOf);
    const path = pathOf(effect.path);
    if (path === undefined) throw new TypeError(`${effect.path} was not resolved.`);
    resolved.set(effect.path, path).set(path, path);
    if (path === effect.path) return effect;
    const named = joinPath(cwd, effect.path);
    if (named !== path) {
      const names = (requested ??= new Map()).get(path);
      if (names === undefined) requested.set(path, [named]);
      else names.push(named);
    }
    return { ...effect, path };
  });
  state.requested = requested;
  state.resolved = resolved;
  state.effects = collapse(canonical);
  return writtenGitParts(canonical, host.fs)?.then((parts) => {
    state.gitParts = parts.length === 0 ? undefined : parts;
    return undefined;
  });
}

/** Resolves the directories a program works in, as the paths it touches are. */
function atWork(effect: Effect, pathOf: Resolved["pathOf"]): Effect {
  const named = pathsOf(effect);
  if (effect.kind !== "execute" || named.length === 0) return effect;
  return { ...effect, worksIn: named.map((path) => pathOf(path) ?? path) };
}

/** Beyond the limit, paths are replaced by the trees that contain them: wider, never narrower. */
function collapse(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length <= maxEffectPaths) return effects;
  const paths = effects.filter((effect) => effect.kind === "read" || effect.kind === "write");
  if (paths.length <= maxEffectPaths) return effects;
  const others = effects.filter((effect) => effect.kind !== "read" && effect.kind !== "write");
  const trees = new Map<string, readonly (ReadEffect | WriteEffect)[]>();
  for (const effect of paths) {
    // A deletion stays one: some trees must not be deleted, but may be written in.
    const deletes =
      effect.kind === "write" && (effect.change === "delete" || effect.part?.change === "delete");
    const kind = deletes ? "delete" : effect.kind;
    trees.set(kind, [...(trees.get(kind) ?? []), effect]);
  }
  return [...others, ...Array.from(trees.values(), collapsed)];
}

/** One effect on the tree that contains all of these, which are all reads, all deletions, or all other writes. */
function collapsed(effects: readonly (ReadEffect | WriteEffect)[]): Effect {
  const path = commonTree(effects.map((effect) => effect.path));
  const [first] = effects;
  if (first?.kind !== "write") return { kind: "read", path, scope: "tree" };
  const deletes = first.change === "delete" || first.part?.change === "delete";
  const change = deletes ? "delete" : "any";
  return { kind: "write", path, scope: "tree", change };
}

function commonTree(paths: readonly string[]): string {
  let tree = parentPath(paths[0] ?? "/");
  for (const path of paths) {
    while (tree !== "/" && path !== tree && !path.startsWith(`${tree}/`)) tree = parentPath(tree);
  }
  return tree;
}

/** Written paths that may be a part of a git directory, by the directories that it would be. */
type Parts = ReadonlyMap<string, readonly string[]>;

/**
 * Paths that these effects write and that make or configure a git directory without the name `.git`, which git runs
 * hooks and settings of: a `HEAD`, and the other parts where a `HEAD` is on disk. Asking about each `HEAD` also holds for
 * calls that run at the same time and write a part each. Undefined if no path has such a name.
 */
function writtenGitParts(
  effects: readonly Effect[],
  fs: Pick<HostFs, "stat">,
): Promise<readonly string[]> | undefined {
  const parts = new Map<string, readonly string[]>();
  for (const effect of effects) {
    if (effect.kind !== "write" || effect.change === "delete") continue;
    const around = gitDirectoriesAround(effect.path);
    const isNamed = around.length > 0 || isGitHead(effect.path);
    if (isNamed && protectedMatch(effect.path) === undefined) parts.set(effect.path, around);
  }
  return parts.size === 0 ? undefined : withHead(parts, fs);
}

async function withHead(parts: Parts, fs: Pick<HostFs, "stat">): Promise<readonly string[]> {
  const directories = [...new Set([...parts.values()].flat())];
  const found = await Promise.all(
    directories.map(async (directory) =>
      (await pathExists(fs, `${directory}/HEAD`)) ? [directory] : [],
    ),
  );
  const heads = new Set(found.flat());
  return [...parts].flatMap(([path, around]) =>
    isGitHead(path) || around.some((each) => heads.has(each)) ? [path] : [],
  );
}
