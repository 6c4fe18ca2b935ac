import {
  defineTool,
  ToolError,
  type Effect,
  type EffectContext,
  type InputSchema,
  type LayeredDescription,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolTraits,
} from "../../core/index.ts";
import { isRecord, messageOf } from "../../text/index.ts";

/**
 * Facts about a tool of another framework that it does not state itself. Whatever is not declared here is unknown, so
 * calls ask until a rule names the tool.
 */
export interface ImportOptions extends Partial<Omit<ToolTraits, "name">> {
  /** Name in the kit. Default: the tool's own, with `_` for characters that names cannot have. */
  readonly name?: string;
  /**
   * Every effect kind that a call may have.
   *
   * @default ["unknown"]
   */
  readonly touches?: ToolTraits["touches"];
  /** Lists the effects of a call. Default: unknown, or none where `touches` is empty. */
  readonly effects?: (
    input: unknown,
    context: EffectContext,
  ) => readonly Effect[] | Promise<readonly Effect[]>;
  /** Describes the call in one line, for users. */
  readonly signature?: (input: unknown) => string;
  /** Returns the narrowest rule that would allow this input and similar ones. */
  readonly suggestRule?: (input: unknown) => string | undefined;
}

/** A tool of another framework, as its adapter reads it. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string | LayeredDescription;
  readonly displayName?: string | undefined;
  readonly input: InputSchema;
  /** Whether the tool itself demands approval of a call. */
  readonly asks?:
    | ((input: unknown, context: EffectContext) => boolean | Promise<boolean>)
    | undefined;
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolResult>;
}

/** Makes a tool of the kit from one of another framework. A TypeError names what is wrong with it. */
export function importedTool(foreign: ForeignTool, options: ImportOptions = {}): Tool {
  const { asks, input, displayName } = foreign;
  const name = options.name ?? toolNameFrom(foreign.name);
  const { touches = ["unknown"], effects, ...traits } = options;
  const base = { ...(displayName === undefined ? {} : { displayName }), ...traits };
  const tool = {
    ...base,
    name,
    description: foreign.description === "" ? name : foreign.description,
    input,
    run: async (given: unknown, context: ToolContext) => await runOf(foreign, given, context),
  } as const;
  if (asks === undefined) {
    return defineTool({ ...tool, touches, ...(effects === undefined ? {} : { effects }) });
  }
  return defineTool({
    ...tool,
    touches: touches.includes("unknown") ? touches : [...touches, "unknown"],
    effects: async (given: unknown, context: EffectContext) => {
      const declared = await effects?.(given, context);
      const listed = declared ?? (touches.length === 0 ? [] : [undeclared(name)]);
      return (await asks(given, context)) ? [...listed, demanded(name)] : listed;
    },
  });
}

/** Runs a tool that reports a failure by throwing: that is the tool's answer, not a fault of it. */
async function runOf(
  { name, run }: ForeignTool,
  input: unknown,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    return await run(input, context);
  } catch (cause) {
    if (ToolError.is(cause) || context.signal.aborted) throw cause;
    throw new ToolError("TOOL_FAILED", `${name} failed: ${messageOf(cause)}`, { cause });
  }
}

function undeclared(name: string): Effect {
  return {
    kind: "unknown",
    because: `${name} does not say what a call of it touches`,
    origin: name,
  };
}

function demanded(name: string): Effect {
  return {
    kind: "unknown",
    because: `${name} itself asks for approval of this call`,
    origin: name,
    alwaysAsks: true,
  };
}

/** Name that a tool of the kit can have. */
export function toolNameFrom(name: string): string {
  const clean = name.replaceAll(/[^A-Za-z0-9_.-]/gu, "_").replace(/^(?=[^A-Za-z])/u, "t");
  return clean.slice(0, 64);
}

/** Result of a function that knows nothing of haft: a text as it is, anything else as JSON. */
export function resultOf(value: unknown): ToolResult {
  if (typeof value === "string") return { content: value };
  if (value === undefined) return { content: "(no result)" };
  const text = jsonOf(value) ?? "(a result that JSON cannot represent)";
  const structured = isRecord(value) && text.startsWith("{");
  return { content: text, ...(structured ? { structuredContent: value } : {}) };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle or a bigint.
    return undefined;
  }
}
