import type {
  InferInput,
  InputSchema,
  LayeredDescription,
  Tool,
  ToolContext,
  ToolResult,
} from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { importedTool, resultOf, type ImportOptions } from "./imported-tool.ts";

/** Facts about a function that becomes a tool. */
export interface FunctionToolOptions<S extends InputSchema> extends ImportOptions {
  /** Text for the model. */
  readonly description: string;
  /** Schema of the object that the function takes. */
  readonly input: S;
}

/**
 * Makes a tool of a plain function. It takes the validated input, and a context with the signal of the call. A text is
 * returned to the model as it is, anything else as JSON.
 *
 * @example
 * const add = fromFunction("Add", ({ a, b }) => a + b, {
 *   description: "Add two numbers.",
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   touches: [],
 * });
 */
export function fromFunction<const S extends InputSchema>(
  name: string,
  run: (input: InferInput<S>, context: Pick<ToolContext, "signal" | "callId">) => unknown,
  options: FunctionToolOptions<S>,
): Tool {
  const { description, input, ...given } = options;
  const call: (input: never, context: ToolContext) => unknown = run;
  return importedTool(
    {
      name,
      description,
      input,
      run: async (value, context) => resultOf(await invoke(call, value, context)),
    },
    given,
  );
}

/** Calls a function with an input that was validated against its own schema. */
function invoke(
  run: (input: never, context: ToolContext) => unknown,
  input: unknown,
  context: ToolContext,
): unknown {
  return Reflect.apply(run, undefined, [input, context]);
}

/** Result of a tool made by `Tool.define`. */
export interface DefinedToolResult {
  /** The action in a few words, for users. */
  readonly title?: string | undefined;
  /** Text for the model. */
  readonly output: string;
  /** Facts for interfaces. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Context that a tool made by `Tool.define` gets. */
export interface DefinedToolContext {
  /** Session of the call; "" outside one. */
  readonly sessionID: string;
  /** Message of the call; always "", because the kit does not know it. */
  readonly messageID: string;
  /** Agent of the call; "" outside a run. */
  readonly agent: string;
  /** Id of the call. */
  readonly callID: string;
  /** Ends the call. */
  readonly abort: AbortSignal;
  /** Reports a title and facts while the tool runs. */
  metadata(report: {
    readonly title?: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
  }): void;
  /** Resolves at once: the rules of the kit have allowed the call, or the user has, before it runs. */
  ask(request: unknown): Promise<void>;
}

/** Definition as `Tool.define(id, definition)` takes it. */
export interface DefinedTool {
  /** Text for the model. */
  readonly description: string;
  /** Schema of the input. */
  readonly parameters: InputSchema;
  /** Runs the tool. */
  execute(input: unknown, context: DefinedToolContext): Promise<DefinedToolResult | string>;
}

/**
 * Makes a tool of a definition for `Tool.define(id, { description, parameters, execute })`, whose result is
 * `{ title, output, metadata }`.
 *
 * @example
 * const count = fromToolDefine("count", { description, parameters, execute });
 */
export function fromToolDefine(id: string, definition: DefinedTool, options?: ImportOptions): Tool {
  return importedTool(
    {
      name: id,
      description: definition.description,
      input: definition.parameters,
      run: async (input, context) => {
        const result = await definition.execute(input, definedContext(context));
        if (typeof result === "string") return { content: result };
        const { title, output, metadata } = result;
        return {
          content: output,
          ...(title === undefined ? {} : { title }),
          ...(metadata === undefined ? {} : { metadata }),
        };
      },
    },
    options,
  );
}

function definedContext(context: ToolContext): DefinedToolContext {
  const { sessionId = "", agentId = "", callId, signal } = context;
  return {
    sessionID: sessionId,
    messageID: "",
    agent: agentId,
    callID: callId,
    abort: signal,
    metadata: ({ title, metadata }) =>
      context.metadata({ ...metadata, ...(title === undefined ? {} : { title }) }),
    ask: async () => undefined,
  };
}

/** Result of a tool made by `createTool`. */
export interface CreatedToolResult {
  /** Whether the tool did what was asked. Default: true unless there is an `error`. */
  readonly success?: boolean | undefined;
  /** Content for the model, a text or JSON. */
  readonly llmContent?: unknown;
  /** Text for the user. */
  readonly displayContent?: string | undefined;
  /** Failure. */
  readonly error?: { readonly type?: string; readonly message: string } | undefined;
  /** Facts for interfaces. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Definition as `createTool(definition)` takes it. */
export interface CreatedTool {
  /** Name of the tool. */
  readonly name: string;
  /** Name for users. */
  readonly displayName?: string;
  /** Claim of the tool about itself; the kit relies on `touches` and effects instead. */
  readonly kind?: string;
  /** Schema of the input. */
  readonly schema: InputSchema;
  /** Text for the model. */
  readonly description: string | LayeredDescription;
  /** Runs the tool. */
  execute(
    input: unknown,
    context: {
      readonly signal: AbortSignal;
      readonly sessionId: string | undefined;
      readonly workspaceRoot: string;
      readonly updateOutput: (text: string) => void;
    },
  ): Promise<CreatedToolResult> | CreatedToolResult;
}

/**
 * Makes a tool of a definition for `createTool({ name, kind, schema, description, execute })`, whose result has
 * `llmContent` for the model and `displayContent` for the user.
 */
export function fromCreateTool(definition: CreatedTool, options?: ImportOptions): Tool {
  const { name, displayName, schema, description } = definition;
  return importedTool(
    {
      name,
      displayName,
      description,
      input: schema,
      run: async (input, context) =>
        createdResult(
          await definition.execute(input, {
            signal: context.signal,
            sessionId: context.sessionId,
            workspaceRoot: context.workspace,
            updateOutput: (text) => context.output.write(text),
          }),
        ),
    },
    options,
  );
}

function createdResult(result: CreatedToolResult): ToolResult {
  const { llmContent, displayContent, error, metadata } = result;
  const isError = result.success === false || error !== undefined;
  const shown = llmContent ?? error?.message ?? displayContent;
  const facts = {
    ...(isRecord(metadata) ? metadata : {}),
    ...(displayContent === undefined ? {} : { displayContent }),
    ...(error?.type === undefined ? {} : { errorType: error.type }),
  };
  return {
    ...resultOf(shown),
    ...(displayContent === undefined ? {} : { summary: firstLine(displayContent) }),
    metadata: facts,
    ...(isError ? { isError } : {}),
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
