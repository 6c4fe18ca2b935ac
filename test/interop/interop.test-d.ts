import { tool as langChainTool, type ClientTool } from "@langchain/core/tools";
import type { Transport as OldTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Transport } from "@modelcontextprotocol/server";
import { tool as tool7, type ToolSet } from "ai";
import { tool as tool6 } from "ai-6";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import {
  fromAISDKTools,
  fromFunction,
  fromLangChainTools,
  toLangChainTools,
  toMcpServer,
} from "../../src/entries/interop.ts";
import type { Kit, Tool } from "../../src/index.ts";

declare const kit: Kit;
declare const transport: Transport;
declare const oldTransport: OldTransport;

const input = z.object({ city: z.string() });
const found = langChainTool(async ({ city }) => city, {
  name: "find",
  description: "Find.",
  schema: input,
});
const new7 = tool7({ description: "d", inputSchema: input, execute: async ({ city }) => city });
const new6 = tool6({ description: "d", inputSchema: input, execute: async ({ city }) => city });
declare const set: ToolSet;

export const clientTools: ClientTool[] = await toLangChainTools(kit, langChainTool);
expectTypeOf(await fromLangChainTools([found])).toEqualTypeOf<Tool[]>();
expectTypeOf(await fromAISDKTools({ new7, new6 })).toEqualTypeOf<Tool[]>();
expectTypeOf(await fromAISDKTools(set)).toEqualTypeOf<Tool[]>();
expectTypeOf(
  fromFunction("Upper", ({ city }) => city.toUpperCase(), { description: "d", input }),
).toEqualTypeOf<Tool>();

await toMcpServer(kit, { name: "haft", version: "1" }).connect(transport);
await toMcpServer(kit, { name: "haft", version: "1" }).connect(oldTransport);
