import { expect, test } from "vitest";
import {
  approvalWorld,
  deny,
  elicitation,
  once,
  session,
  write,
} from "../../../../test/mcp/approval-world.ts";
import { legacyWire, type Wire } from "../../../../test/mcp/wire.ts";
import type { ToolkitOptions } from "../../../kit/index.ts";

async function legacy(options: ToolkitOptions = {}) {
  const { kit, ...rest } = await approvalWorld(options);
  const wire = await legacyWire(kit, "2025-11-25", {
    capabilities: elicitation,
    approvals: "client",
  });
  return { wire, kit, ...rest };
}

async function answered(wire: Wire, result: object, call: object = write): Promise<unknown> {
  const before = wire.heard("elicitation/create").length;
  const ended = wire.ask("tools/call", call);
  await wire.untilHeard("elicitation/create", before + 1);
  await wire.connection.handle({ jsonrpc: "2.0", id: `ask-${before + 1}`, result });
  return await ended;
}

test("a person sees tool, input, why, effects, diff and the rule, and can allow it once", async () => {
  const { wire, isWritten } = await legacy();

  const ended = wire.ask("tools/call", write);
  await wire.untilHeard("elicitation/create");
  expect(await isWritten()).toBe(false);
  await wire.connection.handle({ jsonrpc: "2.0", id: "ask-1", result: once });

  expect(await ended).toMatchObject({ result: { isError: false } });
  expect(await isWritten()).toBe(true);
  expect(wire.heard("elicitation/create")).toMatchInlineSnapshot(`
    [
      {
        "id": "ask-1",
        "jsonrpc": "2.0",
        "method": "elicitation/create",
        "params": {
          "message": "Write file: Create a.txt?
    Why it asks: Changing files in the workspace needs approval in default mode.
    Tool: Write
    Input:
      file_path: a.txt
      content: hi
    It would:
      read /project/a.txt
      create /project/a.txt
    What would change:
      --- a.txt
      +++ a.txt
      @@ -0,0 +1,1 @@
      +hi
    "Allow for this session" adds the rule: Edit(/a.txt)",
          "requestedSchema": {
            "properties": {
              "decision": {
                "enum": [
                  "Allow once",
                  "Allow for this session",
                  "Change the input",
                  "Deny",
                ],
                "title": "Your decision",
                "type": "string",
              },
              "input_as_json": {
                "default": "{"file_path":"a.txt","content":"hi\\n"}",
                "title": "If you change the input: all of it, as JSON",
                "type": "string",
              },
              "reason": {
                "title": "If you deny: why, for the model to read",
                "type": "string",
              },
            },
            "required": [
              "decision",
            ],
            "type": "object",
          },
        },
      },
    ]
  `);
});

test("allowed once is not allowed twice, allowed for the session is", async () => {
  const { wire } = await legacy();
  const again = { ...write, arguments: { file_path: "b.txt", content: "" } };

  await answered(wire, once);
  await answered(wire, session, again);
  const third = await wire.ask("tools/call", {
    ...again,
    arguments: { file_path: "b.txt", content: "more" },
  });

  expect(third).toMatchObject({ result: { isError: false } });
  expect(wire.heard("elicitation/create")).toHaveLength(2);
});

test.for([
  { result: deny, code: "DENIED_BY_USER", says: "The user said no: not there" },
  { result: { action: "decline" }, code: "DENIED_BY_USER", says: "The user said no." },
  // Claude Code in print mode (-p) always cancels.
  {
    result: { action: "cancel" },
    code: "APPROVAL_REQUIRED",
    says: "The client cancelled the question.",
  },
  {
    result: { ...once, action: "decline" },
    code: "DENIED_BY_USER",
    says: "The user said no.",
  },
  {
    result: { action: "accept" },
    code: "APPROVAL_REQUIRED",
    says: "The client's answer cannot be read.",
  },
  {
    result: { action: "accept", content: {} },
    code: "APPROVAL_REQUIRED",
    says: "The client's answer is not one of the offered choices.",
  },
  {
    result: { action: "accept", content: { decision: "allow once" } },
    code: "APPROVAL_REQUIRED",
    says: "The client's answer is not one of the offered choices.",
  },
  {
    result: { action: "accept", content: { decision: true } },
    code: "APPROVAL_REQUIRED",
    says: "The client's answer is not one of the offered choices.",
  },
  { result: {}, code: "APPROVAL_REQUIRED", says: "The client's answer cannot be read." },
])("$result is not a yes", async ({ result, code, says }) => {
  const { wire, isWritten } = await legacy();

  expect(await answered(wire, result)).toMatchObject({
    result: {
      isError: true,
      content: expect.arrayContaining([
        expect.objectContaining({ text: expect.stringContaining(says) }),
      ]),
      _meta: { "haft/outcome": { status: "denied", error: { code } } },
    },
  });
  expect(await isWritten()).toBe(false);
});

test("a person changes the input, and is asked about what came of it", async () => {
  const { wire, host, isWritten } = await legacy();
  const content = {
    decision: "Change the input",
    input_as_json: '{"file_path":"b.txt","content":"new"}',
  };

  const ended = wire.ask("tools/call", write);
  await wire.untilHeard("elicitation/create");
  await wire.connection.handle({
    jsonrpc: "2.0",
    id: "ask-1",
    result: { action: "accept", content },
  });
  await wire.untilHeard("elicitation/create", 2);
  expect(JSON.stringify(wire.heard("elicitation/create")[1])).toContain("Create b.txt?");
  await wire.connection.handle({ jsonrpc: "2.0", id: "ask-2", result: once });

  expect(await ended).toMatchObject({ result: { isError: false } });
  expect(await isWritten()).toBe(false);
  const { bytes } = await host.fs.readFile("/project/b.txt");
  expect(new TextDecoder().decode(bytes)).toBe("new");
});

test("a session is not offered, and not taken, where no rule would answer", async () => {
  const { wire, isWritten } = await legacy({ rules: { ask: ["Edit(a.txt)"] } });

  const answer = await answered(wire, session);

  const asked = JSON.stringify(wire.heard("elicitation/create"));
  expect(asked).toContain('"enum":["Allow once","Change the input","Deny"]');
  expect(asked).not.toContain("adds the rule");
  expect(answer).toMatchObject({ result: { isError: true } });
  expect(await isWritten()).toBe(false);
});

test("a question the client refuses is not a yes, and says how the call can be allowed", async () => {
  const { wire, isWritten } = await legacy();
  const ended = wire.ask("tools/call", write);
  await wire.untilHeard("elicitation/create");

  const error = { code: -32_603, message: "No window" };
  await wire.connection.handle({ jsonrpc: "2.0", id: "ask-1", error });

  expect(await ended).toMatchObject({
    result: {
      isError: true,
      content: [
        { text: expect.stringContaining("The client refused elicitation/create: No window") },
        { text: expect.stringMatching(/^The client was asked and did not/u) },
      ],
    },
  });
  expect(await isWritten()).toBe(false);
});

test.for([
  { capabilities: {}, approvals: "client", because: "it cannot ask a person" },
  { capabilities: elicitation, approvals: "toolkit", because: "it is not for it to answer" },
] as const)("a client is not asked: $because", async ({ capabilities, approvals }) => {
  const { kit, isWritten } = await approvalWorld();
  const wire = await legacyWire(kit, "2025-11-25", { capabilities, approvals });

  expect(await wire.ask("tools/call", write)).toMatchObject({
    result: {
      isError: true,
      content: [
        { text: expect.stringContaining("Write needs approval") },
        { text: expect.stringMatching(/^This client cannot show permission questions\./u) },
      ],
    },
  });
  expect(wire.heard("elicitation/create")).toEqual([]);
  expect(await isWritten()).toBe(false);
});

test("what a rule or a mode answers is not asked", async () => {
  const { wire } = await legacy({ mode: "acceptEdits", rules: { deny: ["Read(secret.txt)"] } });

  await wire.ask("tools/call", write);
  await wire.ask("tools/call", { name: "Read", arguments: { file_path: "secret.txt" } });

  expect(wire.heard("elicitation/create")).toEqual([]);
});

test("the mode that does not ask refuses instead", async () => {
  const { wire, isWritten } = await legacy({ mode: "dontAsk" });

  expect(await wire.ask("tools/call", write)).toMatchObject({ result: { isError: true } });
  expect(wire.heard("elicitation/create")).toEqual([]);
  expect(await isWritten()).toBe(false);
});

test("a call that is cancelled while its person thinks takes the form back and does nothing", async () => {
  const { wire, isWritten } = await legacy();
  const ended = wire.ask("tools/call", write);
  await wire.untilHeard("elicitation/create");

  await wire.tell("notifications/cancelled", { requestId: 2 });
  expect(await ended).toBeUndefined();
  await wire.connection.handle({ jsonrpc: "2.0", id: "ask-1", result: once });

  expect(wire.heard("notifications/cancelled")).toMatchObject([{ params: { requestId: "ask-1" } }]);
  expect(await isWritten()).toBe(false);
});
