import type Anthropic from "@anthropic-ai/sdk";
import type { Content, Part, Tool as GeminiTools } from "@google/genai";
import type {
  CallToolResult as OldResult,
  Tool as OldTool,
} from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type OpenAI from "openai";
import { expectTypeOf } from "vitest";
import { toResult, type Kit, type Outcome } from "../../src/index.ts";

declare const kit: Kit;
declare const outcome: Outcome;

expectTypeOf((await kit.definitions("anthropic")).tools).toExtend<
  NonNullable<Anthropic.Messages.MessageCreateParams["tools"]>
>();
expectTypeOf((await kit.definitions("openai-chat")).tools).toExtend<
  NonNullable<OpenAI.Chat.ChatCompletionCreateParams["tools"]>
>();
expectTypeOf((await kit.definitions("openai")).tools).toExtend<
  NonNullable<OpenAI.Chat.ChatCompletionCreateParams["tools"]>
>();
expectTypeOf((await kit.definitions("openai-responses")).tools).toExtend<
  NonNullable<OpenAI.Responses.ResponseCreateParams["tools"]>
>();
expectTypeOf((await kit.definitions("gemini")).tools).toExtend<
  NonNullable<GeminiTools["functionDeclarations"]>
>();
expectTypeOf((await kit.definitions("mcp")).tools).toExtend<Tool[]>();
expectTypeOf((await kit.definitions("mcp")).tools).toExtend<OldTool[]>();

expectTypeOf(toResult(outcome, "anthropic")).toExtend<Anthropic.Messages.ToolResultBlockParam>();
expectTypeOf(
  toResult(outcome, "openai-chat"),
).toExtend<OpenAI.Chat.ChatCompletionToolMessageParam>();
expectTypeOf(
  toResult(outcome, "openai-responses"),
).toExtend<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>();
expectTypeOf(toResult(outcome, "gemini")).toExtend<Part>();
expectTypeOf({ role: "user", parts: [toResult(outcome, "gemini")] }).toExtend<Content>();
expectTypeOf(toResult(outcome, "mcp")).toExtend<CallToolResult>();
expectTypeOf(toResult(outcome, "mcp")).toExtend<OldResult>();

// @ts-expect-error An unknown format is a mistake.
await kit.definitions("xml");
