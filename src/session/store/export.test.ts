import { afterEach, expect, test } from "vitest";
import { userMessage, type Message } from "../messages/messages.ts";
import { openSessionStore } from "./open-session-store.ts";
import type { SessionStore } from "./session-store.ts";

const opened: SessionStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

const secret = ["gh", "p_", "Zk3vQm8XtR5wLp2NcY7bHs9JdF4gAe6uVx1T"].join("");

async function open(): Promise<SessionStore> {
  const store = await openSessionStore({
    file: ":memory:",
    redact: (text) => text.replaceAll(secret, "[hidden]"),
    now: () => 1_700_000_000_000,
  });
  opened.push(store);
  return store;
}

const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
const conversation: readonly Message[] = [
  userMessage(`push <b>it</b> with ${secret}`),
  {
    role: "assistant",
    content: [
      {
        type: "reasoning",
        text: `the key is ${secret}`,
        providerData: { anthropic: { signature: "signed" } },
      },
      { type: "text", text: "I push.", providerData: { openai: { itemId: "msg_1" } } },
      { type: "tool-call", id: "c1", providerCallId: "call_0", name: "Bash", input: '{"a":1}' },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", callId: "c1", name: "Bash", content: [image], isError: true }],
  },
];

async function filled(): Promise<SessionStore> {
  const store = await open();
  await store.create({ sessionId: "s", workspace: "/work" });
  const run = { sessionId: "s", task: "push", model: "fake:m" };
  const { log, end } = await store.begin({ ...run, runId: "r1" });
  await log.append(conversation);
  const child = await store.begin({ ...run, runId: "r2", agentId: "child", parentAgentId: "" });
  await child.log.append([userMessage("child task")]);
  await child.end({ status: "failed", turns: 1, calls: 0, usage: { input: 1, output: 1 } });
  await log.replace([userMessage("summary")], "compaction");
  await log.append([userMessage("more")]);
  await end({ status: "done", turns: 3, calls: 1, usage: { input: 7, output: 2 }, costUsd: 0.5 });
  return store;
}

test("an exported session with its secrets is imported as it was, in another store", async () => {
  const store = await filled();
  const other = await open();

  const info = await other.import(await store.export("s", { secrets: true }), { sessionId: "n" });

  const { updatedAt: _updated, ...before } = (await store.get("s")) ?? { updatedAt: 0 };
  expect(info).toMatchObject(before);
  expect(await other.conversation("s")).toEqual(await store.conversation("s"));
  expect(await other.conversation("s", "child")).toEqual(await store.conversation("s", "child"));
  expect(await other.messages("s")).toEqual(await store.messages("s"));
});

test("an import gets a new id where its own is taken", async () => {
  const store = await filled();

  const info = await store.import(await store.export("s"), { sessionId: "n" });

  expect(info.sessionId).toBe("n");
  expect(await store.list()).toHaveLength(2);
});

test("an export has no secrets, and no signature of a text that it changed", async () => {
  const store = await filled();

  const lines = await store.export("s");

  expect(lines).not.toContain(secret);
  expect(lines).toContain("the key is [hidden]");
  expect(lines).not.toContain("signed");
  expect(lines).toContain("msg_1");
  const [head] = lines.split("\n");
  expect(JSON.parse(head ?? "")).toEqual({
    type: "session",
    version: 1,
    sessionId: "s",
    title: "push",
    workspace: "/work",
    createdAt: 1_700_000_000_000,
  });
});

test("a page contains everything, loads nothing, and shows text as text", async () => {
  const store = await filled();

  const page = await store.export("s", { format: "html" });

  expect(page).toContain("default-src 'none'");
  expect(page).toContain("push &lt;b&gt;it&lt;/b&gt; with [hidden]");
  expect(page).toContain('src="data:image/png;base64,iVBORw0KGgo="');
  expect(page).toContain("Conversation compacted after message 3");
  expect(page).toContain("Agent child");
  expect(page).toContain('<section class="tool error" id="m3">');
  expect(page).not.toContain(secret);
  expect(page).not.toMatch(/<script|https?:\/\/|<link/u);
});

test("a page shows no image whose type or data could be markup", async () => {
  const store = await open();
  await store.create({ sessionId: "s" });
  const { log } = await store.begin({ sessionId: "s", runId: "r", task: "t", model: "m" });
  const odd = '"><script>alert(1)</script>';
  await log.append([
    { role: "user", content: [{ type: "image", data: odd, mimeType: "image/png" }] },
    { role: "user", content: [{ type: "image", data: "aaaa", mimeType: odd }] },
  ]);

  expect(await store.export("s", { format: "html" })).not.toContain("<script");
});

test("no text of an import is markup of the page", async () => {
  const store = await open();
  const odd = "</pre><meta http-equiv=refresh content=0><script>";
  const part = (more: object): string =>
    JSON.stringify({
      type: "message",
      agentId: odd,
      runId: odd,
      messages: [{ role: "assistant", content: [more] }],
    });
  const result = {
    type: "tool-result",
    callId: odd,
    name: odd,
    isError: false,
    content: [
      { type: "resource", resource: { uri: odd, text: odd } },
      { type: "resource_link", uri: odd, name: odd, title: odd },
      { type: "audio", data: odd, mimeType: odd },
    ],
  };
  const lines = [
    JSON.stringify({ type: "session", version: 1, sessionId: "s", title: odd, createdAt: 9e15 }),
    JSON.stringify({ type: "run", runId: odd, agentId: odd, task: odd, model: odd, status: odd }),
    part({ type: "provider", provider: odd, kind: odd, data: odd }),
    part({ type: "reasoning", text: odd }),
    part({ type: "tool-call", id: odd, name: odd, input: odd }),
    JSON.stringify({
      type: "message",
      agentId: odd,
      runId: odd,
      messages: [{ role: "tool", content: [result] }],
    }),
  ];
  await store.import(lines.join("\n"), { sessionId: "n" });

  const page = await store.export("s", { format: "html" });

  const body = page.slice(page.indexOf("<body>"));
  expect(body).toContain("&lt;meta");
  expect(body).not.toMatch(/<(?:script|meta)/u);
  expect(page).toContain("form-action 'none'");
});

test.each(["latest", "", "-x", "a b", "\u001B]0;x\u0007", "x".repeat(300)])(
  "an imported session gets a new id instead of %j",
  async (sessionId) => {
    const store = await open();
    const line = JSON.stringify({ type: "session", version: 1, sessionId, title: "t" });

    expect((await store.import(line, { sessionId: "n" })).sessionId).toBe("n");
  },
);

test("an imported session is not the latest of the future, nor has impossible numbers", async () => {
  const store = await open();
  const run = `{"type":"run","runId":"r","agentId":"","task":"t","model":"m","status":"running","turns":-5,
    "calls":1e999,"usage":{"input":1e999,"output":-3},"costUsd":-1,"startedAt":1,"endedAt":1e999}`;

  const info = await store.import(
    `${head.replace('"createdAt":1', '"createdAt":8000000000000000')}\n${run.replace(/\n\s*/u, "")}`,
    { sessionId: "n" },
  );

  expect(info).toMatchObject({
    status: "interrupted",
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
  });
  expect(info.costUsd).toBeUndefined();
});

const head = '{"type":"session","version":1,"sessionId":"s","title":"t","createdAt":1}';

test.each([
  { text: "", message: "Line 1 of the session does not start a session." },
  { text: "{}", message: "Line 1 of the session does not start a session." },
  { text: "no json", message: "Line 1 of the session is not a JSON object." },
  { text: `${head}\n[1]`, message: "Line 2 of the session is not a JSON object." },
  { text: `${head}\n\n{"type":"dream"}`, message: "Line 3 of the session has an unknown type." },
  {
    text: `${head}\n{"type":"message","messages":[{"role":"user","content":[{"type":"hologram"}]}]}`,
    message: "Line 2 of the session has a message with unknown parts.",
  },
  {
    text: `${head}\n{"type":"message","messages":[{"role":"user","content":[{"type":"resource","resource":{"uri":"u","text":5}}]}]}`,
    message: "Line 2 of the session has a message with unknown parts.",
  },
  {
    text: `${head}\n{"type":"message","messages":[{"role":"assistant","content":[{"type":"tool-call","id":"1","name":"n","input":"{}","incomplete":"x"}]}]}`,
    message: "Line 2 of the session has a message with unknown parts.",
  },
  {
    text: `${head}\n{"type":"message","messages":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    message: "Line 2 of the session has more than 500 levels.",
  },
  {
    text: `${head}\n{"type":"run","runId":"r"}`,
    message: "Line 2 of the session has no agentId.",
  },
])("$message", async ({ text, message }) => {
  const store = await open();

  await expect(store.import(text, { sessionId: "n" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message,
    hint: expect.any(String),
  });
  expect(await store.list()).toEqual([]);
});

test("a session of a newer version is refused by name", async () => {
  const store = await open();
  const newer = head.replace('"version":1', '"version":2');

  await expect(store.import(newer, { sessionId: "n" })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "The session was exported by a newer version of haft.",
    hint: "Update haft.",
  });
});
