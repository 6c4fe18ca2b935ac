import { loadModule, type Loose } from "./load-module.ts";

/** One answer of a model: text, a call, or both. */
interface Reply {
  readonly content: string;
  readonly call?: { readonly id: string; readonly name: string; readonly args: object };
}

interface Langgraph {
  readonly createReactAgent: (options: object) => Loose;
  readonly tool: (run: unknown, options: object) => unknown;
  /** A chat model that answers each request with `next`. */
  readonly chat: (next: () => Reply) => object;
}

/** Loads LangGraph with the parts of LangChain that its agents need. */
export async function openLanggraph(): Promise<Langgraph> {
  const of = "@langchain/langgraph";
  const { createReactAgent } = await loadModule(`${of}/prebuilt`);
  const { BaseChatModel } = await loadModule("@langchain/core/language_models/chat_models", of);
  const { AIMessage } = await loadModule("@langchain/core/messages", of);
  const { tool } = await loadModule("@langchain/core/tools", of);
  if (!createReactAgent || !BaseChatModel || !AIMessage || !tool) {
    throw new Error("exports have moved");
  }
  const Message = AIMessage;
  class FakeChat extends (BaseChatModel as unknown as new (fields: object) => object) {
    readonly next: () => Reply;
    constructor(next: () => Reply) {
      super({});
      this.next = next;
    }
    _llmType(): string {
      return "fake";
    }
    bindTools(): this {
      return this;
    }
    async _generate(): Promise<unknown> {
      const { content, call } = this.next();
      const message = new Message({ content, tool_calls: call === undefined ? [] : [call] });
      return { generations: [{ text: "", message }] };
    }
  }
  return {
    createReactAgent: (options) => createReactAgent(options) as Loose,
    tool: (run, options) => tool(run, options),
    chat: (next) => new FakeChat(next),
  };
}
