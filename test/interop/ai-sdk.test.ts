import * as ai6 from "ai-6";
import { MockLanguageModelV3 } from "ai-6/test";
import * as ai7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { toAISDKTools } from "../../src/entries/ai-sdk.ts";
import { defineTool, type Kit, type Outcome } from "../../src/index.ts";
import { testKit } from "../support/kit.ts";

interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** Stream-free answers of a model: one call, then a text. */
function answers(call: Call, version: 6 | 7): unknown {
  let turn = 0;
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  return async () => {
    turn += 1;
    const reason = turn === 1 ? "tool-calls" : "stop";
    return {
      content:
        turn === 1
          ? [
              {
                type: "tool-call",
                toolCallId: "call-1",
                toolName: call.name,
                input: JSON.stringify(call.input),
              },
            ]
          : [{ type: "text", text: "done" }],
      finishReason: { unified: reason, raw: reason },
      usage,
      warnings: [],
      version,
    };
  };
}

interface Generated {
  readonly text: string;
  readonly content: readonly { readonly type: string }[];
  readonly response: { readonly messages: readonly unknown[] };
  readonly steps: readonly { readonly toolResults: readonly { readonly output: unknown }[] }[];
}

type Generate = (
  tools: unknown,
  call: Call,
  messages: readonly unknown[],
) => Promise<{
  readonly result: Generated;
  /** Last prompt of the model. */ readonly seen: string;
}>;

const generate6: Generate = async (tools, call, messages) => {
  const model = new MockLanguageModelV3({ doGenerate: answers(call, 6) as never });
  const result = await ai6.generateText({
    model,
    tools: tools as ai6.ToolSet,
    messages: messages as ai6.ModelMessage[],
    stopWhen: ai6.stepCountIs(3),
  });
  return { result: result as never, seen: JSON.stringify(model.doGenerateCalls.at(-1)?.prompt) };
};

const generate7: Generate = async (tools, call, messages) => {
  const model = new MockLanguageModelV4({ doGenerate: answers(call, 7) as never });
  const result = await ai7.generateText({
    model,
    tools: tools as ai7.ToolSet,
    messages: messages as ai7.ModelMessage[],
    stopWhen: ai7.isStepCount(3),
  });
  return { result: result as never, seen: JSON.stringify(model.doGenerateCalls.at(-1)?.prompt) };
};

const user = { role: "user", content: "go" };

async function filesKit(): Promise<{ kit: Kit; texts: () => unknown }> {
  const { kit, host } = await testKit({}, { files: { "/project/a.txt": "one\n" } });
  return { kit, texts: () => host.control.texts() };
}

function outcomeOf({ steps }: Generated): Outcome {
  return steps.flatMap(({ toolResults }) => toolResults)[0]?.output as Outcome;
}

function approvalIn(messages: readonly unknown[]): string {
  const found = /"approvalId":"(?<id>[^"]+)"/u.exec(JSON.stringify(messages));
  return found?.groups?.["id"] ?? "";
}

describe.each([
  { version: 6, generate: generate6 },
  { version: 7, generate: generate7 },
])("AI SDK $version", ({ generate }) => {
  const write = { name: "Write", input: { file_path: "b.txt", content: "two\n" } };

  test("runs an allowed call through the kit and shows the model its text", async () => {
    const { kit } = await filesKit();
    const tools = await toAISDKTools(kit);

    const { result, seen } = await generate(tools, { name: "Read", input: { path: "a.txt" } }, [
      user,
    ]);

    expect(result.text).toBe("done");
    expect(outcomeOf(result)).toMatchObject({
      id: "call-1",
      tool: "Read",
      status: "ok",
      decision: { kind: "allow" },
      repairs: [{ kind: expect.any(String) }],
    });
    expect(seen).toContain('"type":"text","value":');
    expect(seen).toContain("1\\tone");
  });

  test("asks with an approval request, and runs the call once it is approved", async () => {
    const { kit, texts } = await filesKit();
    const tools = await toAISDKTools(kit);

    const { result: asked } = await generate(tools, write, [user]);
    const messages = [user, ...asked.response.messages];
    const approval = {
      role: "tool",
      content: [
        { type: "tool-approval-response", approvalId: approvalIn(messages), approved: true },
      ],
    };

    expect(asked.content.map(({ type }) => type)).toContain("tool-approval-request");
    expect(texts()).not.toHaveProperty(["/project/b.txt"]);
    // Another process has the tools made again, and only the messages.
    const again = await toAISDKTools(kit);
    await generate(again, { name: "Read", input: { file_path: "a.txt" } }, [...messages, approval]);
    expect(texts()).toHaveProperty(["/project/b.txt"], "two\n");
  });

  test("does not run a call that the user refused", async () => {
    const { kit, texts } = await filesKit();
    const tools = await toAISDKTools(kit);
    const { result: asked } = await generate(tools, write, [user]);
    const messages = [user, ...asked.response.messages];
    const approvalId = approvalIn(messages);
    const refusal = {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId, approved: false }],
    };

    await generate(tools, { name: "Read", input: { file_path: "a.txt" } }, [...messages, refusal]);

    expect(texts()).not.toHaveProperty(["/project/b.txt"]);
  });

  test("gives the model the error of a call that a rule denies", async () => {
    const { kit } = await testKit({ rules: { deny: ["Edit(./b.txt)"] } });
    const tools = await toAISDKTools(kit, { names: ["Write", "Read"] });

    const { result, seen } = await generate(tools, write, [user]);

    expect(outcomeOf(result)).toMatchObject({ status: "denied", isError: true });
    expect(seen).toContain('"type":"error-text"');
  });
});

const options = { toolCallId: "c", messages: [] };

test("a call that the AI SDK runs without an approval message is refused", async () => {
  const { kit, texts } = await filesKit();
  const { Write } = await toAISDKTools(kit);

  const outcome = await Write?.execute({ file_path: "b.txt", content: "two" }, options);

  expect(outcome).toMatchObject({ status: "denied" });
  expect(outcome?.text).toContain("did not ask");
  expect(texts()).not.toHaveProperty(["/project/b.txt"]);
});

test("an approval of other effects than the call has now does not count", async () => {
  let path = "/project/a.txt";
  const tool = defineTool({
    name: "Touch",
    description: "Touch.",
    touches: ["write"],
    input: { type: "object", properties: {} },
    effects: () => [{ kind: "write", path, scope: "file", change: "create" }],
    run: () => ({ content: "touched" }),
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });
  const { Touch } = await toAISDKTools(kit);
  const messages = [
    {
      role: "assistant",
      content: [{ type: "tool-approval-request", approvalId: "a1", toolCallId: "c" }],
    },
    {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }],
    },
  ];

  expect(await Touch?.needsApproval({}, options)).toBe(true);
  path = "/project/other.txt";
  const changed = await Touch?.execute({}, { ...options, messages });
  path = "/project/a.txt";
  const same = await Touch?.execute({}, { ...options, messages });

  expect(changed?.text).toContain("changed after it was approved");
  expect(same?.status).toBe("ok");
});

test("with approval by the kit, its own onAsk answers", async () => {
  const asked: string[] = [];
  const { kit } = await testKit({
    onAsk: async ({ tool }) => {
      asked.push(tool);
      return { kind: "once" };
    },
  });
  const { Write } = await toAISDKTools(kit, { approval: "kit" });
  const input = { file_path: "b.txt", content: "two" };

  expect(await Write?.needsApproval(input, options)).toBe(false);
  expect((await Write?.execute(input, options))?.status).toBe("ok");
  expect(asked).toEqual(["Write"]);
});

test("images and files are given to the model as such", async () => {
  const tool = defineTool({
    name: "Show",
    description: "Show.",
    touches: [],
    input: { type: "object", properties: {} },
    run: () => ({
      content: [
        { type: "text", text: "look" },
        { type: "image", data: "aW1n", mimeType: "image/png" },
        { type: "resource", resource: { uri: "a", mimeType: "application/pdf", blob: "cGRm" } },
      ],
    }),
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });
  const { Show } = await toAISDKTools(kit);

  const output = await Show?.execute({}, options);

  expect(output && Show?.toModelOutput({ output })).toEqual({
    type: "content",
    value: [
      { type: "text", text: "look" },
      { type: "image-data", data: "aW1n", mediaType: "image/png" },
      { type: "file-data", data: "cGRm", mediaType: "application/pdf" },
    ],
  });
});
