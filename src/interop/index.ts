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
