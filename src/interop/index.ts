export {
  toResult,
  type AnthropicResult,
  type GeminiResult,
  type McpResult,
  type OpenAIChatResult,
  type OpenAIResponsesResult,
  type ResultByFormat,
} from "./outgoing/to-result.ts";
