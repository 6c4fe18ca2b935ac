import { expect, test } from "vitest";
import { ToolError, type HaftEvent } from "../../core/index.ts";
import { simpleTool, testKit } from "../../../test/support/kit.ts";

const secret = `ghp_${"a1".repeat(18)}`;
const hidden = "[redacted: GitHub token]";

const telling = simpleTool(
  "Tell",
  (_input, { metadata }) => {
    metadata({ live: secret });
    return {
      content: [
        { type: "text", text: secret },
        { type: "resource", resource: { uri: "file:///a", text: secret } },
      ],
      structuredContent: { list: [{ secret }] },
      title: `PublicRecord ${secret}`,
      summary: secret,
      metadata: { secret },
    };
  },
  { signature: () => secret },
);
const failing = simpleTool("Fail", () => {
  throw new ToolError("TOOL_FAILED", `No ${secret}.`, { hint: secret, data: { deep: [secret] } });
});

test.each(["Tell", "Fail"])("no part of an outcome of %s holds a secret", async (name) => {
  const ends: HaftEvent[] = [];
  const seen: string[] = [];
  const { kit } = await testKit({
    tools: { extra: [telling, failing] },
    onEvent: (event) => {
      if (event.type === "call-end") ends.push(event);
    },
    hooks: {
      after: [
        ({ outcome }) => {
          seen.push(JSON.stringify(outcome));
          return undefined;
        },
      ],
    },
  });

  const outcome = await kit.call({ name });

  for (const text of [JSON.stringify(outcome), JSON.stringify(ends), ...seen]) {
    expect(text).toContain(hidden);
    expect(text).not.toContain(secret);
  }
});

test.each([
  { because: "it is denied", list: "deny" },
  { because: "it is asked about", list: "ask" },
])(
  "a rule that holds a secret is reported without it where a call touches nothing and $because",
  async ({ list }) => {
    const told: HaftEvent[] = [];
    const { kit } = await testKit({
      rules: { [list]: [`Plain(key:${secret})`] },
      tools: { extra: [simpleTool("Plain", () => ({ content: "" }))] },
      onEvent: (event) => told.push(event),
    });

    const outcome = await kit.call({ name: "Plain", input: { key: secret } });

    expect(outcome.status).toBe("denied");
    expect(told.map(({ type }) => type)).toContain("call-decided");
    expect(JSON.stringify([outcome, told])).not.toContain(secret);
  },
);

test("a secret that a tool puts into what it listed, after that was judged, is in no outcome", async () => {
  const argv = ["ls"];
  const tool = simpleTool(
    "Late",
    () => {
      argv.push(secret);
      return { content: "" };
    },
    {
      touches: ["execute"],
      effects: () => [
        {
          kind: "execute",
          argv,
          assigns: [],
          via: [],
          consequences: "listed",
          span: { start: 0, end: 2 },
        },
      ],
    },
  );
  const { kit } = await testKit({ mode: "bypassPermissions", tools: { extra: [tool] } });

  const outcome = await kit.call({ name: "Late" });

  expect(outcome.status).toBe("ok");
  expect(JSON.stringify(outcome)).not.toContain(secret);
});

test("secrets stay where a person asked for that", async () => {
  const { kit } = await testKit({ redactSecrets: false, tools: { extra: [telling] } });

  expect((await kit.call({ name: "Tell" })).structuredContent).toEqual({ list: [{ secret }] });
});

const circle: Record<string, unknown> = {};
circle["again"] = circle;

test.each<[string, unknown]>([
  ["a circle", circle],
  ["a big integer", { big: 1n }],
  ["a function", { call: () => undefined }],
  ["what has no end", Array.from({ length: 5000 }).reduce((inner) => [inner], 1)],
])("structured content that is %s is left out, and the answer stays", async (_name, odd) => {
  const tool = simpleTool("Odd", () => ({
    content: "answer",
    structuredContent: odd,
    metadata: { odd },
  }));
  const { kit } = await testKit({ tools: { extra: [tool] } });

  const outcome = await kit.call({ name: "Odd" });

  expect(outcome).toMatchObject({ status: "ok", text: "answer", metadata: {} });
  expect(outcome).not.toHaveProperty("structuredContent");
  expect(() => JSON.stringify(outcome)).not.toThrow();
});

test("error data that is not JSON is left out", async () => {
  const tool = simpleTool("Odd", () => {
    throw new ToolError("TOOL_FAILED", "Failed.", { data: circle });
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });

  const { error } = await kit.call({ name: "Odd" });

  expect(error).toEqual({
    code: "TOOL_FAILED",
    type: "execution",
    message: "Failed.",
    retryable: false,
  });
});

const connecting = simpleTool(
  "Connect",
  (_input, { output }) => {
    output.write("a page");
    throw new ToolError("TOOL_FAILED", "The page broke off.");
  },
  { touches: ["connect"], effects: () => [{ kind: "connect", host: "example.com" }] },
);

test("what a call that failed has shown counts as seen", async () => {
  const { kit } = await testKit(
    { mode: "bypassPermissions", tools: { extra: [connecting] } },
    { files: { "a.txt": "one" } },
  );
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  const first = await kit.call({ name: "Connect" });
  const second = await kit.call({ name: "Connect" });

  expect([first.error?.code, second.error?.code]).toEqual(["TOOL_FAILED", "APPROVAL_REQUIRED"]);
});

test("a file outside the workspace is private too", async () => {
  const { kit } = await testKit(
    { mode: "bypassPermissions", tools: { extra: [connecting] } },
    { files: { "/home/user/.ssh/id": "a key" } },
  );
  await kit.call({ name: "Read", input: { file_path: "/home/user/.ssh/id" } });

  expect((await kit.call({ name: "Connect" })).error?.code).toBe("APPROVAL_REQUIRED");
});

test("in a flood of output, secrets are redacted for listeners unless a person wants them", async () => {
  const flood = simpleTool("Flood", (_input, { output }) => {
    for (let at = 0; at < 100; at += 1) output.write(`${"x".repeat(20_000)}\n`, "stdout");
    // Of each write, only what follows its first line is shown by now.
    output.write(`x\n${secret}\n`, "stdout");
    return { content: "" };
  });
  const heard = async (redactSecrets: boolean): Promise<string> => {
    let text = "";
    const { kit } = await testKit({ redactSecrets, tools: { extra: [flood] } });
    await kit.call({ name: "Flood" }, { onOutput: (more) => (text += more) });
    return text;
  };

  expect(await heard(true)).toContain(hidden);
  expect(await heard(false)).toContain(secret);
});

const resource = (text: string) => ({
  content: [{ type: "resource" as const, resource: { uri: "file:///a", text } }],
});

test("a resource without a secret is no reason to refuse what looks like a placeholder", async () => {
  const tools = {
    extra: [
      simpleTool("Plain", () => resource("nothing to hide")),
      simpleTool("Secret", () => resource(secret)),
    ],
  };
  const write = { name: "Write", input: { file_path: "/project/new.txt", content: hidden } };
  const { kit } = await testKit({ mode: "acceptEdits", tools });
  const { kit: other } = await testKit({ mode: "acceptEdits", tools });

  await kit.call({ name: "Plain" });
  await other.call({ name: "Secret" });

  expect((await kit.call(write)).error?.code).toBeUndefined();
  expect((await other.call(write)).error?.code).toBe("INVALID_INPUT");
});
