import type { JsonSchema } from "./json.ts";

/** JSON Schema of an object, as providers demand it for the input of a tool. */
export type ObjectSchema = JsonSchema & { readonly type: "object" };

/** Tool of Anthropic's Messages API. */
export type AnthropicTool = {
  /** Name for the provider. */
  name: string;
  /** Text for the model. */
  description: string;
  /** Schema of the input. */
  input_schema: ObjectSchema;
  /** Whether the provider holds the model to the schema. */
  strict?: boolean;
  /** Whether the provider keeps the tool from the model until it is found. */
  defer_loading?: boolean;
};

/** Tool of OpenAI's Chat Completions API, and of the servers that copy it. */
export type OpenAIChatTool = {
  type: "function";
  /** The function that the model may call. */
  function: {
    name: string;
    description: string;
    parameters: ObjectSchema;
    strict?: boolean;
  };
};

/** Tool of OpenAI's Responses API. */
export type OpenAIResponsesTool = {
  type: "function";
  /** Name for the provider. */
  name: string;
  /** Text for the model. */
  description: string;
  /** Schema of the input. */
  parameters: ObjectSchema;
  /** Always given, because the API takes a missing one for true. */
  strict: boolean;
  /** Whether the provider keeps the tool from the model until it is found. */
  defer_loading?: boolean;
};

/** Function declaration of the Gemini API. */
export type GeminiTool = {
  /** Name for the provider. */
  name: string;
  /** Text for the model. */
  description: string;
  /** Schema of the input. */
  parametersJsonSchema: ObjectSchema;
};

/** Tool of the Model Context Protocol, as `tools/list` returns it. */
export type McpTool = {
  /** Name for clients. */
  name: string;
  /** Name for users. */
  title: string;
  /** Text for the model. */
  description: string;
  /** Schema of the input. */
  inputSchema: ObjectSchema;
  /** Schema of the structured result. */
  outputSchema?: ObjectSchema;
  /** Behavior, derived from the effects that the tool may have. */
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** Icon for interfaces. */
  icons?: { src: string }[];
};

/** Definition of a tool, by format. Each is assignable to the type of the provider's own SDK. */
export interface DefinitionByFormat {
  /** Anthropic's Messages API. */
  readonly anthropic: AnthropicTool;
  /** OpenAI's Chat Completions API. */
  readonly "openai-chat": OpenAIChatTool;
  /** OpenAI's Responses API. */
  readonly "openai-responses": OpenAIResponsesTool;
  /** Gemini API. */
  readonly gemini: GeminiTool;
  /** Model Context Protocol. */
  readonly mcp: McpTool;
  /** Alias of `openai-chat`. */
  readonly openai: OpenAIChatTool;
}

/** Format of definitions and results. `openai` is an alias of `openai-chat`. */
export type DefinitionFormat = keyof DefinitionByFormat;
