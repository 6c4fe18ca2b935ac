import { z } from "zod";
import type { Model } from "../../src/agent/index.ts";
import type * as Haft from "../../src/index.ts";
import type { Contestant } from "./contestants.ts";
import { check } from "./check.ts";
import { openLanggraph } from "./langgraph.ts";
import { loadModule, type Loose } from "./load-module.ts";

/** Makers of parents that start `turns` children one after the other, each of which answers at once. */
export const parents: Readonly<Record<string, () => Promise<Contestant>>> = {
  haft,
  mastra,
  "openai-agents": openaiAgents,
  langgraph,
};

const answer = "A short answer of the child.";

async function haft(): Promise<Contestant> {
  const url = new URL("../../dist/index.js", import.meta.url).href;
  const { createToolkit } = (await import(url)) as typeof Haft;
  return {
    name: "haft, tool Agent",
    async run(turns) {
      let turn = 0;
      let ran = 0;
      const model: Model = {
        id: "fake:parent",
        async *stream({ messages }) {
          const isChild = JSON.stringify(messages[0]).includes("child task");
          if (isChild) ran += 1;
          else turn += 1;
          if (isChild || turn > turns) {
            yield { type: "text", text: answer };
            yield { type: "finish", reason: "stop" };
            return;
          }
          const input = JSON.stringify({ prompt: `child task ${turn}` });
          yield { type: "tool-call", id: `call_${turn}`, name: "Agent", input };
          yield { type: "finish", reason: "tool-calls" };
        },
      };
      const kit = await createToolkit({ model, sessions: "none", mode: "bypassPermissions" });
      const limits = { maxTurns: 10 * turns, maxCalls: 10 * turns };
      const result = await kit.run({ task: "go", limits }).result;
      await kit.dispose();
      check(result.status === "done" && ran === turns, `${ran} children, ${result.status}`);
      return result;
    },
  };
}

/** Model of the AI SDK's specification: `next` says which tool is called, or nothing. */
function sdkModel(next: () => { readonly name: string; readonly input: object } | undefined) {
  let count = 0;
  const parts = (): unknown[] => {
    const call = next();
    count += 1;
    const usage = {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    };
    const reason = call === undefined ? "stop" : "tool-calls";
    const said =
      call === undefined
        ? [
            { type: "text-start", id: "0" },
            { type: "text-delta", id: "0", delta: answer },
            { type: "text-end", id: "0" },
          ]
        : [
            {
              type: "tool-call",
              toolCallId: `call_${count}`,
              toolName: call.name,
              input: JSON.stringify(call.input),
            },
          ];
    const end = { type: "finish", finishReason: { unified: reason, raw: reason }, usage };
    return [{ type: "stream-start", warnings: [] }, ...said, end];
  };
  return {
    specificationVersion: "v3",
    provider: "fake",
    modelId: "fake",
    supportedUrls: {},
    doStream: async () => ({
      stream: new ReadableStream({
        start(to) {
          for (const part of parts()) to.enqueue(part);
          to.close();
        },
      }),
    }),
  };
}

async function mastra(): Promise<Contestant> {
  const { Agent } = await loadModule("@mastra/core/agent");
  return {
    name: "Mastra, sub-agents",
    async run(turns) {
      if (Agent === undefined) throw new Error("@mastra/core has no Agent");
      let turn = 0;
      let ran = 0;
      const childModel = sdkModel(() => {
        ran += 1;
        return undefined;
      });
      const child = new Agent({
        id: "child",
        name: "child",
        description: "Does a task.",
        instructions: "Answer.",
        model: childModel,
      });
      const model = sdkModel(() => {
        turn += 1;
        const input = { prompt: `child task ${turn}` };
        return turn > turns ? undefined : { name: "agent-child", input };
      });
      const agent = new Agent({
        id: "a",
        name: "a",
        instructions: "Go.",
        model,
        agents: { child },
      });
      const result = (await agent["stream"]?.("go", { maxSteps: turns + 2 })) as Loose;
      await result["consumeStream"]?.();
      check(ran >= turns, `${ran} children`);
      return result;
    },
  };
}

async function openaiAgents(): Promise<Contestant> {
  const { Agent, Runner } = await loadModule("@openai/agents");
  return {
    name: "OpenAI Agents, asTool",
    async run(turns) {
      if (Agent === undefined || Runner === undefined) throw new Error("exports have moved");
      let turn = 0;
      let ran = 0;
      const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, requests: 1 };
      const message = {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: answer }],
      };
      const modelOf = (output: () => unknown[]) => ({
        getResponse: async () => ({ usage, output: output() }),
        async *getStreamedResponse() {
          yield { type: "response_done", response: { id: "r", usage, output: output() } };
        },
      });
      const child = new Agent({
        name: "child",
        instructions: "Answer.",
        model: modelOf(() => {
          ran += 1;
          return [message];
        }),
      });
      const tool = child["asTool"]?.({ toolName: "child", toolDescription: "Does a task." });
      const model = modelOf(() => {
        turn += 1;
        if (turn > turns) return [message];
        const input = JSON.stringify({ input: `child task ${turn}` });
        const call = { type: "function_call", callId: `call_${turn}`, name: "child" };
        return [{ ...call, status: "completed", arguments: input }];
      });
      const agent = new Agent({ name: "a", instructions: "Go.", model, tools: [tool] });
      const runner = new Runner({ tracingDisabled: true });
      const options = { stream: true, maxTurns: turns + 2 };
      const result = (await runner["run"]?.(agent, "go", options)) as { completed: Promise<void> };
      await result.completed;
      check(ran === turns, `${ran} children`);
      return result;
    },
  };
}

async function langgraph(): Promise<Contestant> {
  const { createReactAgent, tool, chat } = await openLanggraph();
  return {
    name: "LangGraph, agent in a tool",
    async run(turns) {
      let turn = 0;
      let ran = 0;
      const llm = chat(() => {
        ran += 1;
        return { content: answer };
      });
      const child = createReactAgent({ llm, tools: [] });
      const ask = tool(
        async ({ task }: { task: string }) => {
          await child["invoke"]?.({ messages: [{ role: "user", content: task }] });
          return answer;
        },
        { name: "child", description: "Does a task.", schema: z.object({ task: z.string() }) },
      );
      const parent = chat(() => {
        turn += 1;
        if (turn > turns) return { content: answer };
        const args = { task: `child task ${turn}` };
        return { content: "", call: { id: `call_${turn}`, name: "child", args } };
      });
      const agent = createReactAgent({ llm: parent, tools: [ask] });
      const messages = [{ role: "user", content: "go" }];
      const result = await agent["invoke"]?.({ messages }, { recursionLimit: 2 * turns + 10 });
      check(ran === turns, `${ran} children`);
      return result;
    },
  };
}
