export {
  toResult,
  type AnthropicResult,
  type GeminiResult,
  type McpResult,
  type OpenAIChatResult,
  type OpenAIResponsesResult,
  type ResultByFormat,
} from "./outgoing/to-result.ts";
export {
  toAISDKTools,
  type AISDKCallOptions,
  type AISDKContentPart,
  type AISDKModelOutput,
  type AISDKTool,
  type AISDKToolsOptions,
  type InteropToolkit,
} from "./outgoing/ai-sdk.ts";
export {
  toLangChainTools,
  type LangChainCallConfig,
  type LangChainContentBlock,
  type LangChainToolFactory,
  type LangChainToolFields,
} from "./outgoing/langchain.ts";
export { toClaudeAgentTools, type ClaudeAgentTool } from "./outgoing/claude-agent.ts";
export {
  fromAISDKTools,
  type AISDKToolLike,
  type AISDKToolMethods,
} from "./incoming/ai-sdk-tools.ts";
export { fromLangChainTools, type LangChainToolLike } from "./incoming/langchain-tools.ts";
export { type ImportOptions } from "./incoming/imported-tool.ts";
export {
  fromCreateTool,
  fromFunction,
  fromToolDefine,
  type CreatedTool,
  type CreatedToolResult,
  type DefinedTool,
  type DefinedToolContext,
  type DefinedToolResult,
  type FunctionToolOptions,
} from "./incoming/plain-tools.ts";
export {
  fromOpenAPI,
  type OpenAPIOptions,
  type OpenAPITools,
  type SkippedOperation,
} from "./openapi/from-openapi.ts";
