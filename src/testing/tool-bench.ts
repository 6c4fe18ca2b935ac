import ignore from "ignore";
import {
  artifactStore,
  type ContentPart,
  contentText,
  defaultLimits,
  type Effect,
  type Grant,
  type Host,
  type LazyTool,
  limits,
  type ProgressUpdate,
  type Repair,
  requireService,
  seenFiles,
  type SeenFiles,
  type Services,
  type ServiceToken,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolResult,
} from "../core/index.ts";
import { narrowHost } from "../grant/index.ts";
import { pathBelow } from "../text/index.ts";
import { memoryHost, type MemoryHost, type MemoryHostOptions } from "../host/index.ts";
import { compileInput, validateInput } from "../schema/index.ts";
import { memoryArtifacts, memoryFileState, servicesOf } from "./bench-services.ts";

/** Contents and services of a bench. */
export interface ToolBenchOptions extends MemoryHostOptions {
  /** Host that the calls act on, instead of a memory host built from the other options. */
  readonly host?: Host;
  /** Workspace path. Default: the memory host's root, "/project". */
  readonly workspace?: string;
  /** Directory against which relative paths are resolved. Default: the workspace. */
  readonly cwd?: string;
  /** Parts of the workspace that rules deny, in gitignore syntax. */
  readonly deny?: readonly string[];
  /** Services by token id, in addition to the file state that every bench has. */
  readonly services?: Readonly<Record<string, unknown>>;
}

/** Options of one call on a bench. */
export interface BenchCallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** Result of a call, with what it reported while it ran. */
export interface ToolCallResult {
  /** Result for the model. */
  readonly content: readonly ContentPart[];
  /** `content` as text. */
  readonly text: string;
  /** Result for programs. */
  readonly structuredContent: unknown;
  /** Title for users. */
  readonly title: string | undefined;
  /** Result for users, in a few words. */
  readonly summary: string | undefined;
  /** Metadata reported while the call ran, overridden by that of its result. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Whether the tool reports a failure. */
  readonly isError: boolean;
  /** Repairs made to the input so that it fits the schema. */
  readonly repairs: readonly Repair[];
  /** Canonical effects. */
  readonly effects: readonly Effect[];
  /** Progress reports, in order. */
  readonly progress: readonly ProgressUpdate[];
  /** Text that the tool wrote to its output. */
  readonly stdout: string;
  /** Text that the tool wrote to its error output. */
  readonly stderr: string;
}

/** Environment in which several calls can run, one after the other. */
export interface ToolBench {
  /** Host on which the tool acts. */
  readonly host: Host;
  /** Files that the tool has read. */
  readonly seenFiles: SeenFiles;
  /**
   * Runs a call. Rejects with the ToolError of the call, and with UNDECLARED_EFFECT even if the tool caught that error.
   */
  call(tool: Tool | LazyTool, input: unknown, options?: BenchCallOptions): Promise<ToolCallResult>;
  /** Effects that a call would declare; nothing runs. */
  effects(tool: Tool | LazyTool, input: unknown): Promise<readonly Effect[]>;
  /** Text of every file, by path relative to the workspace; memory hosts only. */
  files(): Readonly<Record<string, string>>;
  /** Text of every output that calls stored in full, by path; empty if the bench was given its own store. */
  artifacts(): Readonly<Record<string, string>>;
}

/**
 * Creates an environment for calls: a memory host, a grant of exactly the effects that each call declares, and a file
 * state.
 */
export function toolBench(options: ToolBenchOptions = {}): ToolBench {
  const memory = options.host === undefined ? memoryHost(hostOptions(options)) : undefined;
  const bench = new Bench(options, memory);
  return {
    host: bench.host,
    seenFiles: bench.seenFiles,
    call: async (tool, input, callOptions) => bench.call(tool, input, callOptions),
    effects: async (tool, input) => bench.effects(tool, input),
    files: () => bench.files(),
    artifacts: () => bench.artifacts.texts(),
  };
}

/** Every option of the host. */
const hostNames: Readonly<Record<keyof MemoryHostOptions, true>> = {
  root: true,
  files: true,
  home: true,
  id: true,
  os: true,
  now: true,
  programs: true,
  env: true,
  responses: true,
};

/** The options of the host alone: a case of a contract has more. */
function hostOptions(options: ToolBenchOptions): MemoryHostOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(hostNames, name)),
  );
}

interface DeclaredCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly effects: readonly Effect[];
}

async function runTool({ tool, input }: DeclaredCall, context: ToolContext): Promise<ToolResult> {
  return tool.run(input, context);
}

/** State shared by the calls of one bench. */
class Bench {
  readonly host: Host;
  readonly seenFiles = memoryFileState();
  readonly artifacts = memoryArtifacts();
  readonly #memory: MemoryHost | undefined;
  readonly #workspace: string;
  readonly #cwd: string;
  readonly #deny: readonly string[];
  readonly #services: Services;
  readonly #loaded = new Map<LazyTool, Promise<Tool>>();
  #calls = 0;

  constructor(options: ToolBenchOptions, memory: MemoryHost | undefined) {
    this.host = options.host ?? memory ?? memoryHost(hostOptions(options));
    this.#memory = memory;
    this.#workspace = options.workspace ?? memory?.control.root ?? "/project";
    this.#cwd = options.cwd ?? this.#workspace;
    this.#deny = options.deny ?? [];
    this.#services = servicesOf({
      [seenFiles.id]: this.seenFiles,
      [limits.id]: defaultLimits,
      [artifactStore.id]: this.artifacts,
      ...options.services,
    });
  }

  async call(
    tool: Tool | LazyTool,
    input: unknown,
    { signal = new AbortController().signal }: BenchCallOptions = {},
  ): Promise<ToolCallResult> {
    const call = await this.#declared(tool, input);
    const undeclared: ToolError[] = [];
    const narrowed = narrowHost(this.host, {
      grant: this.#grant(call.effects),
      cwd: this.#cwd,
      onUndeclared: (error) => undeclared.push(error),
    });
    const record = new CallRecord();
    const context = this.#context(call.tool, { host: narrowed.host, signal }, record);
    const [settled] = await Promise.allSettled([runTool(call, context)]);
    narrowed.revoke();
    // A tool must not hide an undeclared effect by catching the refusal.
    const [first] = undeclared;
    if (first !== undefined) throw first;
    if (settled.status === "rejected") throw settled.reason;
    return record.finish(settled.value, call);
  }

  async effects(tool: Tool | LazyTool, input: unknown): Promise<readonly Effect[]> {
    return (await this.#declared(tool, input)).effects;
  }

  files(): Readonly<Record<string, string>> {
    if (this.#memory === undefined) {
      throw new TypeError("Only a bench with its own memory host can list its files.");
    }
    const entries = Object.entries(this.#memory.control.texts());
    return Object.fromEntries(
      entries.map(([path, text]) => [pathBelow(this.#workspace, path) ?? path, text]),
    );
  }

  async #declared(given: Tool | LazyTool, raw: unknown): Promise<DeclaredCall> {
    const tool = given.kind === "tool" ? given : await this.#load(given);
    const { value: input, repairs } = await validated(tool, raw);
    const looking = narrowHost(this.host, { grant: "read-only", cwd: this.#cwd });
    const context = {
      host: looking.host,
      workspace: this.#workspace,
      cwd: this.#cwd,
      signal: new AbortController().signal,
      sessionId: undefined,
      agentId: undefined,
      service: <T>(token: ServiceToken<T>) => requireService(this.#services, token),
    };
    const effects =
      (await tool.effects?.(input, context)) ?? silentEffects(tool, context.workspace);
    looking.revoke();
    for (const { kind } of effects) {
      if (kind === "unknown" || tool.touches.includes(kind)) continue;
      throw new ToolError(
        "UNDECLARED_EFFECT",
        `${tool.name} says it touches ${tool.touches.join(", ") || "nothing"}, but this call would ${kind}.`,
        { hint: `Add "${kind}" to touches.` },
      );
    }
    return { tool, input, repairs, effects: await this.#canonical(effects) };
  }

  async #load(tool: LazyTool): Promise<Tool> {
    const known = this.#loaded.get(tool);
    if (known !== undefined) return known;
    const loading = Promise.resolve(
      tool.init({
        host: this.host,
        workspace: this.#workspace,
        service: (token) => requireService(this.#services, token),
      }),
    );
    this.#loaded.set(tool, loading);
    return loading;
  }

  async #canonical(effects: readonly Effect[]): Promise<readonly Effect[]> {
    return Promise.all(
      effects.map(async (effect) => {
        if (effect.kind !== "read" && effect.kind !== "write") return effect;
        const path = await this.host.fs.canonical(effect.path, { base: this.#cwd });
        return { ...effect, path };
      }),
    );
  }

  #grant(effects: readonly Effect[]): Grant {
    const root = this.#workspace;
    const matcher = ignore().add([...this.#deny]);
    return {
      effects,
      exclusions: this.#deny.map((pattern) => ({ root, pattern, rule: `Read(${pattern})` })),
      excludes: (path) => {
        const below = pathBelow(root, path);
        if (below === undefined || below === "") return undefined;
        return matcher.ignores(below) ? `Read(${this.#deny.join(", ")})` : undefined;
      },
    };
  }

  #context(
    tool: Tool,
    { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
    record: CallRecord,
  ): ToolContext {
    const grant = this.#grant([]);
    this.#calls += 1;
    return {
      host,
      signal,
      workspace: this.#workspace,
      cwd: this.#cwd,
      callId: `call-${this.#calls}`,
      toolName: tool.name,
      sessionId: undefined,
      agentId: undefined,
      excludes: (path) => grant.excludes(path, "read"),
      progress: (update) => record.progress.push(update),
      output: { write: (text, stream = "stdout") => record.write(text, stream) },
      metadata: (patch) => record.patch(patch),
      ask: async () => {
        throw new ToolError("APPROVAL_REQUIRED", "No user can be asked here.", {
          hint: "Call the tool through a toolkit with onAsk.",
        });
      },
      service: (token) => requireService(this.#services, token),
    };
  }
}

/** Records what one call reports while it runs. */
class CallRecord {
  readonly progress: ProgressUpdate[] = [];
  #metadata: Readonly<Record<string, unknown>> = {};
  #stdout = "";
  #stderr = "";

  write(text: string, stream: "stdout" | "stderr"): void {
    if (stream === "stdout") this.#stdout += text;
    else this.#stderr += text;
  }

  patch(patch: Readonly<Record<string, unknown>>): void {
    this.#metadata = { ...this.#metadata, ...patch };
  }

  finish(result: ToolResult, { effects, repairs }: DeclaredCall): ToolCallResult {
    const { content } = result;
    const parts =
      typeof content === "string" ? [{ type: "text", text: content } as const] : content;
    return {
      content: parts,
      text: contentText(parts),
      structuredContent: result.structuredContent,
      title: result.title,
      summary: result.summary,
      metadata: { ...this.#metadata, ...result.metadata },
      isError: result.isError === true,
      repairs,
      effects,
      progress: this.progress,
      stdout: this.#stdout,
      stderr: this.#stderr,
    };
  }
}

/** Effects of a tool that does not declare any: harmless only if everything it may touch is harmless. */
function silentEffects(tool: Tool, workspace: string): readonly Effect[] {
  if (tool.touches.every((kind) => kind === "interact")) return [];
  if (tool.touches.every((kind) => kind === "read" || kind === "interact")) {
    return [{ kind: "read", path: workspace, scope: "tree" }];
  }
  const because = `${tool.name} does not say what a call of it touches`;
  return [{ kind: "unknown", because, origin: tool.name }];
}

interface ValidatedInput {
  /** Input as the tool receives it: defaults filled in, aliases of its keys replaced. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** Validates the input as a kit does before it runs the tool; INVALID_INPUT if it does not fit. */
async function validated(tool: Tool, input: unknown): Promise<ValidatedInput> {
  const result = await validateInput(compileInput(tool), input);
  if (result.ok) return { value: result.value, repairs: result.repairs };
  const { message, hint, issues } = result;
  throw new ToolError("INVALID_INPUT", message, { hint, data: { issues } });
}
