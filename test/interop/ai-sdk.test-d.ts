import type { ToolSet as ToolSet7 } from "ai";
import type { ToolSet as ToolSet6 } from "ai-6";
import { expectTypeOf } from "vitest";
import { toAISDKTools } from "../../src/entries/ai-sdk.ts";
import type { Kit } from "../../src/index.ts";

declare const kit: Kit;

expectTypeOf(await toAISDKTools(kit)).toExtend<ToolSet7>();
expectTypeOf(await toAISDKTools(kit)).toExtend<ToolSet6>();
