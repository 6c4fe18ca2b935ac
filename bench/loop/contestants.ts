import { z } from "zod";
import type * as HaftAgent from "../../src/agent/index.ts";
import type * as Haft from "../../src/index.ts";
import { fakeModel, inputOf, resultText } from "./fake-model.ts";
import { check } from "./check.ts";
import { openLanggraph } from "./langgraph.ts";
import { loadModule, type Loose } from "./load-module.ts";

/** A way to run an agent for a number of turns, each with one call of a tool that does nothing. */
export interface Contestant {
  readonly name: string;
  /** Runs the turns; the result is kept by the caller while memory is measured. */
  run(turns: number): Promise<unknown>;
}

/** Makers of the contestants, by the name that `--only` takes. */
export const makers: Readonly<Record<string, () => Promise<Contestant>>> = {
  floor,
  haft,
  "ai-sdk": aiSdk,
  mastra,
  "openai-agents": openaiAgents,
  langgraph,
};

const schema = z.object({ index: z.number() });
const instructions = "Look at every number.";

/** The model and the tool alone: what every loop has to wait for. */
async function floor(): Promise<Contestant> {
  return {
    name: "the model and the tool alone",
    async run(turns) {
      const model = fakeModel(turns, "v4");
      const results: string[] = [];
      for (let turn = 0; turn <= turns; turn += 1) {
        const { stream } = await model.doStream({ prompt: [] });
        for await (const _ of stream);
        results.push(resultText);
      }
      return results;
    },
  };
}

function built(name: string): string {
  return new URL(`../../dist/${name}`, import.meta.url).href;
}

async function haft(): Promise<Contestant> {
  const { createToolkit, defineTool } = (await import(built("index.js"))) as typeof Haft;
  const { aiSdkModel } = (await import(built("entries/agent.js"))) as typeof HaftAgent;
  const noop = defineTool({
    name: "noop",
    description: "Does nothing.",
    input: schema,
    touches: [],
    run: async () => ({ content: resultText }),
  });
  const kit = await createToolkit({ tools: { include: ["noop"], extra: [noop] } });
  return {
    name: "haft",
    async run(turns) {
      const limits = { maxTurns: turns + 1, maxCalls: turns + 1 };
      const model = aiSdkModel(fakeModel(turns, "v4"));
      const result = await kit.run({ task: instructions, model, limits }).result;
      check(result.status === "done" && result.calls === turns, result.error ?? result.status);
      return result;
    },
  };
}

async function aiSdk(): Promise<Contestant> {
  const { ToolLoopAgent, tool, isStepCount, stepCountIs } = await loadModule("ai");
  let calls = 0;
  const noop = tool?.({
    description: "Does nothing.",
    inputSchema: schema,
    execute: async () => {
      calls += 1;
      return resultText;
    },
  });
  return {
    name: "AI SDK ToolLoopAgent",
    async run(turns) {
      if (ToolLoopAgent === undefined) throw new Error("ai has no ToolLoopAgent");
      calls = 0;
      const agent = new ToolLoopAgent({
        model: fakeModel(turns, "v4"),
        instructions,
        tools: { noop },
        stopWhen: (isStepCount ?? stepCountIs)?.(turns + 2),
      });
      const result = (await agent["stream"]?.({ prompt: "go" })) as Loose;
      await result["consumeStream"]?.();
      check(calls === turns, `${calls} calls`);
      return result;
    },
  };
}

async function mastra(): Promise<Contestant> {
  const { Agent } = await loadModule("@mastra/core/agent");
  const { createTool } = await loadModule("@mastra/core/tools");
  let calls = 0;
  const noop = createTool?.({
    id: "noop",
    description: "Does nothing.",
    inputSchema: schema,
    execute: async () => {
      calls += 1;
      return resultText;
    },
  });
  return {
    name: "Mastra Agent",
    async run(turns) {
      if (Agent === undefined) throw new Error("@mastra/core has no Agent");
      calls = 0;
      const model = fakeModel(turns, "v3");
      const agent = new Agent({ id: "a", name: "a", instructions, model, tools: { noop } });
      const result = (await agent["stream"]?.("go", { maxSteps: turns + 2 })) as Loose;
      await result["consumeStream"]?.();
      check(calls === turns, `${calls} calls`);
      return result;
    },
  };
}

async function openaiAgents(): Promise<Contestant> {
  const module = await loadModule("@openai/agents");
  const { Agent, Runner, tool } = module;
  let calls = 0;
  const noop = tool?.({
    name: "noop",
    description: "Does nothing.",
    parameters: schema,
    execute: async () => {
      calls += 1;
      return resultText;
    },
  });
  return {
    name: "OpenAI Agents Runner",
    async run(turns) {
      if (Agent === undefined || Runner === undefined) throw new Error("exports have moved");
      calls = 0;
      let turn = 0;
      const output = (): unknown[] => {
        turn += 1;
        return turn > turns ? [says("Done.")] : [says(`I look at number ${turn}.`), calling(turn)];
      };
      const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, requests: 1 };
      const model = {
        getResponse: async () => ({ usage, output: output() }),
        async *getStreamedResponse() {
          yield { type: "response_done", response: { id: `r${turn}`, usage, output: output() } };
        },
      };
      const agent = new Agent({ name: "a", instructions, model, tools: [noop] });
      const runner = new Runner({ tracingDisabled: true });
      const options = { stream: true, maxTurns: turns + 2 };
      const result = (await runner["run"]?.(agent, "go", options)) as { completed: Promise<void> };
      await result.completed;
      check(calls === turns, `${calls} calls`);
      return result;
    },
  };
}

function says(text: string): unknown {
  const content = [{ type: "output_text", text }];
  return { type: "message", role: "assistant", status: "completed", content };
}

function calling(turn: number): unknown {
  const callId = `call_${turn}`;
  return {
    type: "function_call",
    callId,
    name: "noop",
    status: "completed",
    arguments: inputOf(turn),
  };
}

async function langgraph(): Promise<Contestant> {
  const { createReactAgent, tool, chat } = await openLanggraph();
  let calls = 0;
  const noop = tool(
    async () => {
      calls += 1;
      return resultText;
    },
    { name: "noop", description: "Does nothing.", schema },
  );
  return {
    name: "LangGraph createReactAgent",
    async run(turns) {
      calls = 0;
      let turn = 0;
      const llm = chat(() => {
        turn += 1;
        if (turn > turns) return { content: "Done." };
        const call = { id: `call_${turn}`, name: "noop", args: { index: turn } };
        return { content: `I look at number ${turn}.`, call };
      });
      const agent = createReactAgent({ llm, tools: [noop] });
      const messages = [{ role: "user", content: "go" }];
      const result = await agent["invoke"]?.({ messages }, { recursionLimit: 2 * turns + 10 });
      check(calls === turns, `${calls} calls`);
      return result;
    },
  };
}
