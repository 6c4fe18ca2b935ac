import { expect, test } from "vitest";
import {
  client,
  serviceToken,
  ToolError,
  type Answer,
  type Ask,
  type HaftEvent,
  type ServiceToken,
} from "../core/index.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";

const write = { name: "Write", input: { file_path: "new.txt", content: "x" } };

/** A value that foreign code may return although the types rule it out. */
function untyped(value: unknown): never {
  return value as never;
}

test.each<[unknown, string]>([
  [{ kind: "allow" }, "it is not one of our words"],
  [{ kind: "no" }, "it means the opposite"],
  [{}, "it says nothing"],
  [[], "it is a list"],
  ["once", "it is the word alone"],
  [undefined, "nothing came back"],
  [null, "nothing came back"],
  [{ kind: "save", rule: "Write" }, "it does not say where to save"],
  [{ kind: "save", scope: "session" }, "it does not say what to save"],
  [{ kind: "save", rule: "Write", scope: "everywhere" }, "there is no such place"],
  [{ kind: "edit" }, "it brings no input"],
  [{ kind: "deny", reason: 5 }, "its reason is not a text"],
])("%j is nobody's yes: %s", async (answer) => {
  const { kit, host } = await testKit({ onAsk: async () => untyped(answer) });

  const { status, error } = await kit.call(write);

  expect({ status, code: error?.code }).toEqual({ status: "denied", code: "APPROVAL_REQUIRED" });
  await expect(host.fs.stat("/project/new.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a permission hook's odd answer is nobody's yes either", async () => {
  const { kit } = await testKit({ hooks: { permission: [() => untyped({ kind: "ok" })] } });

  expect((await kit.call(write)).error).toMatchObject({ code: "APPROVAL_REQUIRED" });
});

test.each([null, {}, "go on", []])(
  "a before-hook that answers %j blocks the call",
  async (answer) => {
    const { kit, host } = await testKit({
      mode: "acceptEdits",
      hooks: { before: [() => untyped(answer)] },
    });

    expect((await kit.call(write)).error).toMatchObject({ code: "BLOCKED_BY_HOOK" });
    await expect(host.fs.stat("/project/new.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);

test("an input that is changed through the question is shown again", async () => {
  const shown: string[] = [];
  const ran: string[] = [];
  const tool = simpleTool(
    "Act",
    (given) => {
      ran.push(JSON.stringify(given));
      return { content: "" };
    },
    { touches: ["unknown"] },
  );
  const { kit } = await testKit({
    tools: { extra: [tool] },
    onAsk: async (ask) => {
      shown.push(JSON.stringify(ask.input));
      Object.assign(Object(ask.input), { value: 2 });
      return { kind: "once" };
    },
  });

  await kit.call({ name: "Act", input: { value: 1 } });

  expect(shown).toEqual(['{"value":1}', '{"value":2}']);
  expect(ran).toEqual(['{"value":2}']);
});

test("an input that its caller changes while the user thinks runs as it was shown", async () => {
  const input = { value: 1 };
  const shown: string[] = [];
  const ran: string[] = [];
  const tool = simpleTool(
    "Act",
    (given) => {
      ran.push(JSON.stringify(given));
      return { content: "" };
    },
    { touches: ["unknown"] },
  );
  const { kit } = await testKit({
    tools: { extra: [tool] },
    onAsk: async (ask) => {
      shown.push(JSON.stringify(ask.input));
      input.value = 2;
      return { kind: "once" };
    },
  });

  await kit.call({ name: "Act", input });

  expect(shown).toEqual(['{"value":1}']);
  expect(ran).toEqual(['{"value":1}']);
});

test("an input that cannot be shown is not asked about", async () => {
  const input: Record<string, unknown> = {};
  input["self"] = input;
  const tool = simpleTool("Act", () => ({ content: "" }), { touches: ["unknown"] });
  const { kit } = await testKit({
    tools: { extra: [tool] },
    onAsk: async () => ({ kind: "once" }),
  });

  expect((await kit.call({ name: "Act", input })).error).toMatchObject({ code: "INVALID_INPUT" });
});

test("a question names the session and the agent of its call, and only where there are any", async () => {
  const asked: Ask[] = [];
  const events: HaftEvent[] = [];
  const { kit } = await testKit({
    onAsk: async (ask) => {
      asked.push(ask);
      return { kind: "deny" };
    },
    onEvent: (event) => events.push(event),
  });
  const call = { name: "Write", input: { file_path: "n.txt", content: "" } };

  await kit.call(call, { sessionId: "s", agentId: "a" });
  await kit.call(call);

  expect(asked[0]).toMatchObject({ sessionId: "s", agentId: "a" });
  expect(asked[1]).not.toHaveProperty("sessionId");
  expect(asked[1]).not.toHaveProperty("agentId");
  const told = events.filter(({ type }) => type.startsWith("permission-"));
  expect(told.map(({ type, sessionId, agentId }) => [type, sessionId, agentId])).toEqual([
    ["permission-ask", "s", "a"],
    ["permission-answer", "s", "a"],
    ["permission-ask", undefined, undefined],
    ["permission-answer", undefined, undefined],
  ]);
});

test.for([
  { edits: 20, status: "ok", code: undefined },
  { edits: 21, status: "denied", code: "BLOCKED_BY_HOOK" },
])("an input changed $edits times ends $status", async ({ edits, status, code }) => {
  let asked = 0;
  const { kit } = await testKit({
    onAsk: async () => {
      asked += 1;
      return asked <= edits
        ? { kind: "edit", input: { file_path: "n.txt", content: String(asked) } }
        : { kind: "once" };
    },
  });

  const outcome = await kit.call(write);

  expect(outcome.status).toBe(status);
  expect(outcome.error?.code).toBe(code);
});

test("who is asked about a call can come with the call, before the kit's own asker", async () => {
  const asked: string[] = [];
  const { kit, host } = await testKit({
    onAsk: async () => {
      asked.push("kit");
      return { kind: "deny" };
    },
  });

  const { status } = await kit.call(write, {
    onAsk: async ({ preview, notUndoable }) => {
      asked.push("call", preview ?? "no preview", notUndoable ?? "undoable");
      return { kind: "once" };
    },
  });

  expect(status).toBe("ok");
  expect(asked).toEqual(["call", expect.stringContaining("+x"), "undoable"]);
  expect((await host.fs.stat("/project/new.txt")).kind).toBe("file");
});

test("for an answer that is given without looking no preview is made", async () => {
  const shown: (string | undefined)[] = [];
  let tried = 0;
  const tool = simpleTool("Slow", () => ({ content: "" }), {
    touches: ["write"],
    effects: () => [{ kind: "write", path: "slow.txt", scope: "file", change: "create" }],
    preview: async () => {
      tried += 1;
      return { summary: "Would be slow." };
    },
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });
  const asker = async ({ preview }: Ask): Promise<Answer> => {
    shown.push(preview);
    return { kind: "once" };
  };

  await kit.call({ name: "Slow" }, { onAsk: asker });
  await kit.call(
    { name: "Slow" },
    { onAsk: Object.assign(async (ask: Ask) => await asker(ask), { looksAtPreview: false }) },
  );

  expect(shown).toEqual(["Would be slow.", undefined]);
  expect(tried).toBe(1);
});

test.each([
  {
    fault: new Error("no window"),
    error: {
      code: "APPROVAL_REQUIRED",
      message: "The user could not be asked: no window.",
      hint: "Fix the program that asks; the call did not run.",
    },
  },
  {
    fault: new ToolError("TIMEOUT", "Nobody came.", { hint: "Ask later." }),
    error: { code: "TIMEOUT", message: "Nobody came.", hint: "Ask later." },
  },
])("an asker that fails with $fault has said no", async ({ fault, error }) => {
  const { kit, host } = await testKit({ onAsk: () => Promise.reject(fault) });

  const outcome = await kit.call(write);

  expect(outcome.error).toMatchObject(error);
  expect(host.control.texts()).not.toHaveProperty("/project/new.txt");
});

test("a call's asker counts in a kit that asks nobody, for that call alone", async () => {
  const { kit } = await testKit();
  const other = { ...write, input: { file_path: "other.txt", content: "" } };

  const first = await kit.call(write, { onAsk: async () => ({ kind: "once" }) });
  const second = await kit.call(other);

  expect(first.status).toBe("ok");
  expect(second.error?.code).toBe("APPROVAL_REQUIRED");
});

test("a call's services come before the kit's, and are nobody else's", async () => {
  const name = serviceToken<string>("name");
  const services = (value: string) => ({
    get<T>(token: ServiceToken<T>): T | undefined {
      return token.id === name.id ? untyped(value) : undefined;
    },
  });
  const tool = simpleTool("Name", (_input, context) => ({
    content: `${context.service(name)} ${context.service(client).canElicit}`,
  }));
  const { kit } = await testKit({ services: services("kit"), tools: { extra: [tool] } });

  const [own, kits] = await Promise.all([
    kit.call({ name: "Name" }, { services: services("call") }),
    kit.call({ name: "Name" }),
  ]);

  expect([own.text, kits.text]).toEqual(["call false", "kit false"]);
});

test.each(["elicit", "sample", "listRoots"] as const)(
  "a tool that asks a missing client, by %s, gets an error that says so",
  async (method) => {
    const tool = simpleTool("Ask", async (_input, context) => {
      const port = context.service(client);
      if (method === "elicit") await port.elicit({ message: "?", schema: {} });
      if (method === "sample") await port.sample({ messages: [], maxTokens: 1 });
      if (method === "listRoots") await port.listRoots();
      return { content: "never" };
    });
    const { kit } = await testKit({ tools: { extra: [tool] } });

    expect((await kit.call({ name: "Ask" })).error).toMatchObject({
      code: "UNAVAILABLE",
      hint: expect.stringContaining("through an MCP client"),
    });
  },
);

test("an outcome has the name of its tool, by whatever name the model called it", async () => {
  const { kit } = await testKit({}, { files: { "a.txt": "one" } });

  const outcome = await kit.call({ name: "read", input: { file_path: "/project/a.txt" } });

  expect(outcome.tool).toBe("Read");
});

test("a link that a tool removes comes back as a link", async () => {
  const tool = simpleTool(
    "Unlink",
    async (_input, { host }) => {
      await host.fs.remove("/project/link");
      return { content: "" };
    },
    {
      touches: ["write"],
      effects: () => [{ kind: "write", path: "/project/link", scope: "file", change: "any" }],
    },
  );
  const { host, kit } = await testKit(
    { mode: "bypassPermissions", tools: { extra: [tool] } },
    { files: { "a.txt": "one" } },
  );
  host.control.plant("/project/link", { kind: "symlink", target: "a.txt" });

  expect((await kit.call({ name: "Unlink" })).status).toBe("ok");
  await kit.undo();

  expect(await host.fs.readLink("/project/link")).toBe("a.txt");
});
