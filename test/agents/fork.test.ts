import { describe, expect, test } from "vitest";
import type { ModelRequest, ScriptTurn } from "../../src/agent/index.ts";
import { createToolkit, type ToolkitOptions } from "../../src/kit/index.ts";
import { memoryHost } from "../../src/host/index.ts";
import { idIn, lastResult, scenes, starts, type Turn } from "../support/agent-world.ts";

const usdPerMTok = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/** Whether a conversation is that of a fork. */
function isFork({ messages }: ModelRequest): boolean {
  return JSON.stringify(messages).includes("You are a fork of this conversation");
}

/** A run whose second turn starts a fork, which takes these turns. */
async function forking(
  fork: readonly Turn[],
  { more = {}, options = {} }: { more?: object; options?: ToolkitOptions } = {},
) {
  let count = 0;
  const turn = async (request: ModelRequest, own: Turn): Promise<ScriptTurn> => {
    const next = isFork(request) ? (fork[count++] ?? { text: "(no more turns)" }) : own;
    return typeof next === "function" ? await next(request) : next;
  };
  const model = {
    ...scenes({
      go: [
        { text: "I look.", calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
        (request) => turn(request, starts("check it", { fork: true, ...more })),
        (request) => turn(request, { text: "ok" }),
        (request) => turn(request, { text: "ok" }),
        (request) => turn(request, { text: "ok" }),
        (request) => turn(request, { text: "ok" }),
      ],
    }),
    info: { contextTokens: 200_000, maxOutputTokens: 1000, usdPerMTok },
  };
  const host = memoryHost({ files: { "a.txt": "one\n" } });
  const kit = await createToolkit({ host, model, mode: "acceptEdits", ...options });
  const result = await kit.run({ task: "go" }).result;
  const forked = model.requests.filter(isFork);
  const original = model.requests.filter((request) => !isFork(request));
  return { kit, model, result, forked, original };
}

describe("a fork", () => {
  test("shares the history, the system prompt and the definitions, byte for byte", async () => {
    const { forked, original } = await forking([{ text: "It is fine." }]);
    const [first] = forked;
    const before = original[1];
    const shared = before?.messages.length ?? 0;

    expect(first?.system).toBe(before?.system);
    expect(JSON.stringify(first?.tools)).toBe(JSON.stringify(before?.tools));
    expect(JSON.stringify(first?.messages.slice(0, shared))).toBe(JSON.stringify(before?.messages));
    expect(JSON.stringify(first?.messages.at(-1))).toContain("check it");
  });

  test("has a legal conversation: the call that forked it has a result", async () => {
    const { forked } = await forking([{ text: "It is fine." }]);
    const roles = forked[0]?.messages.map(({ role }) => role);

    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "tool", "user"]);
    expect(lastResult(forked[0] ?? { messages: [] })).toContain("The conversation was forked");
  });

  test("answers the original, which sees only the last message", async () => {
    const { result, original } = await forking([{ text: "It is fine." }]);

    expect(result.text).toBe("ok");
    expect(lastResult(original[2] ?? { messages: [] })).toContain("It is fine.");
    expect(JSON.stringify(result.messages)).not.toContain("You are a fork");
  });

  test.each([
    { what: "to start agents", call: starts("more"), more: {} },
    {
      what: "that the call left out",
      call: { calls: [{ name: "Write", input: { file_path: "b.txt", content: "x" } }] },
      more: { tools: ["Read"] },
    },
  ])("is refused a tool $what, although it sees it", async ({ call, more }) => {
    const { kit, forked } = await forking([call, { text: "I could not." }], { more });
    const name = call.calls?.[0]?.name ?? "";

    expect(forked[0]?.tools.map((tool) => tool.name)).toContain(name);
    expect(lastResult(forked[1] ?? { messages: [] })).toContain("UNKNOWN_TOOL");
    expect(await kit.agents.list()).toHaveLength(1);
    expect(await kit.history()).toEqual([]);
  });

  test("stays within the mode that the call names", async () => {
    const write = { calls: [{ name: "Write", input: { file_path: "b.txt", content: "x" } }] };
    const more = { permission_mode: "plan" };
    const { kit, result } = await forking([write, { text: "I could not." }], { more });

    expect(await kit.history()).toEqual([]);
    expect(result.denials).toMatchObject([{ tool: "Write" }]);
  });

  test("reports tokens read from the cache and the money that they saved", async () => {
    const usage = { input: 100_000, output: 10, cacheRead: 90_000 };
    const { kit, original } = await forking([{ text: "It is fine.", usage }]);
    const [agent] = await kit.agents.list();

    expect(agent?.usage.cacheRead).toBe(90_000);
    expect(agent?.savedUsd).toBeCloseTo((90_000 * 2.7) / 1e6, 9);
    expect(lastResult(original[2] ?? { messages: [] })).toContain(
      "90000 of them read from the cache, $0.2430 saved",
    );
  });

  test.each(["none", "memory"] as const)(
    "that is resumed continues its own conversation, with sessions: %s",
    async (sessions) => {
      const { kit, model, original } = await forking([{ text: "It is fine." }], {
        options: { sessions },
      });
      const resume = idIn(lastResult(original[2] ?? { messages: [] }));

      await kit.agents.start({ prompt: "and again", resume });
      const last = model.requests.at(-1);

      expect(JSON.stringify(last?.messages)).toContain("It is fine.");
      expect(JSON.stringify(last?.messages.at(-1))).toContain("and again");
      expect(JSON.stringify(last?.tools)).toBe(JSON.stringify(original[1]?.tools));
      expect(JSON.stringify(last?.messages).split("You are a fork")).toHaveLength(2);
    },
  );

  test.each([{ agent: "general" }, { model: "a:b" }, { mode: "worktree" }])(
    "takes no other conversation or model: %j",
    async (more) => {
      const { original, forked } = await forking([], { more });

      expect(forked).toEqual([]);
      expect(lastResult(original[2] ?? { messages: [] })).toMatch(/^INVALID_INPUT: A fork/u);
    },
  );

  test("outside a run is refused", async () => {
    const kit = await createToolkit({ host: memoryHost(), model: scenes({}) });

    const { error } = await kit.call({ name: "Agent", input: { prompt: "x", fork: true } });

    expect(error).toMatchObject({ code: "INVALID_INPUT", message: "Only a run can be forked." });
  });
});
