/** Entry `haft/ai-sdk`: the tools of a kit for AI SDK 6 and 7. */
export {
  toAISDKTools,
  type AISDKCallOptions,
  type AISDKContentPart,
  type AISDKModelOutput,
  type AISDKTool,
  type AISDKToolsOptions,
  type InteropToolkit,
} from "../interop/index.ts";
