import { describe, expect, test } from "vitest";
import { createToolkit, memoryHost, ToolError, type HaftEvent } from "../../src/index.ts";
import { tool, world } from "./world.ts";

const files = {
  "a.txt": "one\ntwo\n",
  "src/b.ts": "export const b = 1;\n",
  "secret/key.txt": "k\n",
};

describe("createToolkit", () => {
  test("workspace: relative to the host's current directory, and a folder that is there", async () => {
    const { kit } = await world({ workspace: "src" }, { files });

    expect(kit.workspace).toBe("/project/src");
    expect((await kit.call({ name: "Read", input: { file_path: "b.ts" } })).status).toBe("ok");
    await expect(world({ workspace: "nowhere" }, { files })).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: expect.any(String),
    });
    await expect(world({ workspace: "a.txt" }, { files })).rejects.toMatchObject({
      code: "NOT_A_DIRECTORY",
    });
  });

  test("workspace: option, then the settings' defaultWorkingDirectory, then the current directory", async () => {
    const settings = { defaultWorkingDirectory: "/project/src" };

    expect((await world({ settings }, { files })).kit.workspace).toBe("/project/src");
    expect((await world({ settings, workspace: "secret" }, { files })).kit.workspace).toBe(
      "/project/secret",
    );
    expect((await world({}, { files })).kit.workspace).toBe("/project");
  });

  test.for([
    ["a mode there is none of", { mode: "yolo" }],
    ["a tool selection that names no tool", { tools: { include: ["Nope"] } }],
    ["a tool to leave out that is none", { tools: { exclude: ["Nope"] } }],
    ["settings of a kind there is none of", { settings: "laod" }],
    ["a workspace that is no text", { workspace: 7 }],
    ["folders that are no list", { additionalDirectories: "/srv" }],
    ["something to ask that is no function", { onAsk: true }],
    ["hooks that are no list", { hooks: { before: () => undefined } }],
    ["an option that does not exist", { wrkspace: "/x" }],
  ] as const)("%s is a TypeError at once", async ([, options]) => {
    await expect(
      createToolkit({ host: memoryHost({ files }), ...(options as object) }),
    ).rejects.toThrow(TypeError);
  });

  test("additionalDirectories count as inside", async () => {
    const { kit, host } = await world(
      { additionalDirectories: ["/project/secret"], workspace: "src" },
      { files },
    );
    const outside = await kit.call({ name: "Read", input: { file_path: "/project/a.txt" } });
    const inside = await kit.call({
      name: "Read",
      input: { file_path: "/project/secret/key.txt" },
    });

    expect(outside.error?.code).toBe("APPROVAL_REQUIRED");
    expect(inside.status).toBe("ok");
    expect(host.control.texts()["/project/a.txt"]).toBe("one\ntwo\n");
  });

  test("dataDirectory: everything kept lies there, and not in the workspace", async () => {
    const { kit, host } = await world(
      { dataDirectory: "/var/data", mode: "acceptEdits" },
      { files },
    );
    await kit.call({ name: "Write", input: { file_path: "new.txt", content: "x" } });
    const kept = Object.keys(host.control.texts()).filter((path) => !path.startsWith("/project"));

    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every((path) => path.startsWith("/var/data/"))).toBe(true);
    expect(kit.dataDirectory).toBe("/var/data");
  });

  test('settings: none by default, an object, or the files with "load"; trust widens', async () => {
    const settings = { permissions: { allow: ["Write"], deny: ["Read(a.txt)"] } };
    const machine = { files: { ...files, ".claude/settings.json": JSON.stringify(settings) } };
    const write = { name: "Write", input: { file_path: "n.txt", content: "x" } };
    const read = { name: "Read", input: { file_path: "a.txt" } };
    const kinds = async (options: Parameters<typeof world>[0]) => {
      const { kit } = await world(options, machine);
      return [(await kit.explain(write)).decision?.kind, (await kit.explain(read)).decision?.kind];
    };

    expect(await kinds({})).toEqual(["ask", "allow"]);
    expect(await kinds({ settings: "none" })).toEqual(["ask", "allow"]);
    expect(await kinds({ settings })).toEqual(["allow", "deny"]);
    expect(await kinds({ settings: "load" })).toEqual(["ask", "deny"]);
    expect(await kinds({ settings: "load", trust: true })).toEqual(["allow", "deny"]);
    expect(await kinds({ settings: "load", trust: false })).toEqual(["ask", "deny"]);
  });

  test("sandbox: what cannot be had is refused, not ignored", async () => {
    await expect(world({ sandbox: { require: "enforced" } })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      hint: expect.any(String),
    });
    for (const require of ["best-effort", "off"] as const) {
      const { kit } = await world({ sandbox: { require, network: { hosts: ["x.org"] } } });
      expect((await kit.doctor()).confinement.provider).toBe("none");
    }
  });

  test("tools: include, exclude and extra, the minimal shape among them", async () => {
    const names = async (tools: object) => (await world({ tools })).kit.registry.getNames();
    const minimal = {
      name: "shout",
      description: "Shouts.",
      parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      execute: async ({ text }: Readonly<Record<string, unknown>>) => String(text).toUpperCase(),
    };

    expect(await names({})).toEqual(["Bash", "Edit", "Glob", "Grep", "ListDir", "Read", "Write"]);
    expect(await names({ include: ["Read", "Grep"] })).toEqual(["Grep", "Read"]);
    expect(await names({ exclude: ["Bash"] })).not.toContain("Bash");
    expect(await names({ include: ["shout"], extra: [minimal] })).toEqual(["shout"]);
    const { kit, asked } = await world({
      tools: { extra: [minimal] },
      answers: [{ kind: "once" }],
    });
    expect((await kit.call({ name: "shout", input: { text: "hi" } })).text).toBe("HI");
    expect(asked).toHaveLength(1);
    await expect(names({ extra: [tool("Read", () => ({ content: "" }))] })).rejects.toThrow(
      TypeError,
    );
  });

  test("hooks: before rewrites or blocks, after replaces and adds", async () => {
    const seen: unknown[] = [];
    const { kit } = await world(
      {
        hooks: {
          before: [
            async ({ tool: name, input }) => {
              seen.push({ name, input });
              return undefined;
            },
            async ({ input }) => ({ input: { ...(input as object), limit: 1 } }),
            async ({ tool: name }) => (name === "Glob" ? { block: "no globbing" } : undefined),
          ],
          after: [
            async ({ tool: name, outcome }) => ({ context: `${name} was ${outcome.status}` }),
            async ({ outcome }) => ({ content: `[${outcome.text}]` }),
          ],
        },
      },
      { files },
    );

    const read = await kit.call({ name: "read", input: { path: "a.txt" } });
    const glob = await kit.call({ name: "Glob", input: { pattern: "*" } });

    expect(seen[0]).toMatchObject({ name: "Read", input: { file_path: "a.txt" } });
    expect(read.text).toMatch(/^\[ +1\tone[\s\S]*Read was ok\]$/u);
    expect(glob).toMatchObject({ status: "denied", error: { code: "BLOCKED_BY_HOOK" } });
    expect(glob.text).toContain("no globbing");
  });

  test("signal: aborting it aborts every call, and later ones are aborted too", async () => {
    const controller = new AbortController();
    const hang = tool("Hang", async () => await new Promise<never>(() => undefined));
    const { kit } = await world(
      { signal: controller.signal, tools: { extra: [hang] } },
      { files, now: "real" },
    );
    const running = kit.call({ name: "Hang" });
    await Promise.resolve();

    controller.abort();

    expect((await running).status).toBe("aborted");
    expect((await kit.call({ name: "Read", input: { file_path: "a.txt" } })).status).toBe(
      "aborted",
    );
  });

  test("onEvent hears every call, numbered without gaps; a listener that throws harms nobody", async () => {
    const events: HaftEvent[] = [];
    const { kit } = await world(
      {
        onEvent: (event) => {
          events.push(event);
          throw new Error("no");
        },
      },
      { files },
    );

    await kit.callAll([
      { id: "one", name: "Read", input: { file_path: "a.txt" } },
      { id: "two", name: "Nope", input: {} },
    ]);

    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const ended = events.flatMap((event) => (event.type === "call-end" ? [event.callId] : []));
    expect(ended.toSorted()).toEqual(["one", "two"]);
  });
});

describe("an outcome", () => {
  test("has every field of the surface, for success, failure and refusal", async () => {
    const { kit } = await world({}, { files });
    const ok = await kit.call({ id: "c1", name: "Read", input: '{"path":"a.txt","limit":"5"}' });
    const failed = await kit.call({ id: "c2", name: "Read", input: { file_path: "gone.txt" } });
    const denied = await kit.call({
      id: "c3",
      name: "Write",
      input: { file_path: "n", content: "" },
    });

    for (const outcome of [ok, failed, denied]) {
      expect(Object.keys(outcome)).toEqual(
        expect.arrayContaining([
          ...["id", "tool", "status", "isError", "content", "text", "title", "summary"],
          ...["metadata", "trust", "decision", "effects", "repairs", "durationMs"],
        ]),
      );
      expect(outcome.decision).toMatchObject({
        kind: expect.any(String),
        trail: expect.any(Array),
      });
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
    }
    expect(ok).toMatchObject({
      id: "c1",
      tool: "Read",
      status: "ok",
      isError: false,
      trust: "trusted",
    });
    expect(ok.repairs.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/file_path", "/limit"]),
    );
    expect(ok.effects).toEqual([{ kind: "read", path: "/project/a.txt", scope: "file" }]);
    expect(ok.error).toBeUndefined();
    expect(failed).toMatchObject({
      status: "failed",
      isError: true,
      error: { code: "NOT_FOUND", type: "execution", retryable: false },
    });
    expect(denied).toMatchObject({ status: "denied", error: { type: "permission" } });
  });

  test("the kit makes an id where the call has none, never the same twice", async () => {
    const { kit } = await world({}, { files });
    const calls = Array.from({ length: 20 }, () => ({
      name: "Read",
      input: { file_path: "a.txt" },
    }));

    const ids = (await kit.callAll(calls)).map(({ id }) => id);

    expect(new Set(ids).size).toBe(20);
  });

  test("an undo reference undoes exactly that call", async () => {
    const { kit, host } = await world({ mode: "acceptEdits" }, { files });
    const one = await kit.call({ name: "Write", input: { file_path: "x.txt", content: "1" } });
    await kit.call({ name: "Write", input: { file_path: "y.txt", content: "2" } });
    expect(one.undo).toMatchObject({ level: "full" });

    const history = await kit.history();
    await kit.undo({ call: one.undo?.callId ?? "" });
    const after = host.control.texts();
    await kit.redo();

    expect(history).toHaveLength(2);
    expect(after["/project/x.txt"]).toBeUndefined();
    expect(after["/project/y.txt"]).toBe("2");
    expect(host.control.texts()["/project/x.txt"]).toBe("1");
    await kit.undo({ to: one.undo?.callId ?? "" });
    expect(host.control.texts()).not.toHaveProperty("/project/y.txt");
    await expect(kit.undo({ call: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("undo({ last }) counts calls, and an outsider's change is never overwritten", async () => {
    const { kit, host } = await world({ mode: "acceptEdits" }, { files });
    for (const name of ["p", "q", "r"])
      await kit.call({ name: "Write", input: { file_path: name, content: name } });

    await kit.undo({ last: 2 });

    expect(Object.keys(host.control.texts()).filter((path) => /\/[pqr]$/u.test(path))).toEqual([
      "/project/p",
    ]);
    host.control.plant("p", { kind: "file", content: "mine" });
    await expect(kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
    expect(host.control.texts()["/project/p"]).toBe("mine");
  });
});

describe("without running", () => {
  test("explain gives input, repairs, effects and decision; nothing runs, nobody is asked, no hook is called", async () => {
    let calls = 0;
    const { kit, host, asked } = await world(
      { answers: [{ kind: "once" }], hooks: { before: [() => void (calls += 1)] } },
      { files },
    );
    const before = host.control.texts();

    const why = await kit.explain({ name: "write", input: '{"path":"n.txt","content":"x",}' });

    expect(why).toMatchObject({
      tool: "Write",
      input: { file_path: "n.txt", content: "x" },
      decision: { kind: "ask" },
    });
    expect(why.repairs.length).toBeGreaterThan(0);
    expect(why.effects).toContainEqual({
      ...{ kind: "write", path: "/project/n.txt", scope: "file", change: "create" },
    });
    expect([asked.length, calls]).toEqual([0, 0]);
    expect(host.control.texts()).toEqual(before);
    expect((await kit.explain({ name: "Nope", input: {} })).error?.code).toBe("UNKNOWN_TOOL");
    expect((await kit.explain({ name: "Read", input: { limit: [] } })).error?.code).toBe(
      "INVALID_INPUT",
    );
    expect(
      (await kit.explain({ name: "Bash", input: { command: "rm -rf /" } })).decision?.kind,
    ).toBe("deny");
  });

  test("preview shows what would change and changes nothing", async () => {
    const { kit, host } = await world({}, { files });
    const before = host.control.texts();

    const unread = await kit.preview({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "1" },
    });
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });
    const shown = await kit.preview({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "1" },
    });
    const created = await kit.preview({ name: "Write", input: { file_path: "n", content: "x\n" } });
    const wrong = await kit.preview({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "zz", new_string: "1" },
    });

    expect(unread.error?.code).toBe("NOT_READ");
    expect(shown.preview?.diff).toContain("-one");
    expect(shown.preview?.diff).toContain("+1");
    expect(created.preview?.diff).toContain("+x");
    expect(wrong.error).toMatchObject({ code: "NO_MATCH", hint: expect.any(String) });
    expect(host.control.texts()).toEqual(before);
  });

  test.for(["openai", "anthropic", "gemini", "mcp"] as const)(
    "definitions for %s are sorted, the same bytes each time, and follow mode and names",
    async (format) => {
      const { kit } = await world({ rules: { deny: ["Glob"] } });
      const nameOf = (definition: Readonly<Record<string, unknown>>): unknown =>
        format === "openai"
          ? (definition["function"] as { name: string }).name
          : definition["name"];

      const all = await kit.definitions(format);
      const plan = await kit.definitions(format, { mode: "plan" });
      const some = await kit.definitions(format, { names: ["Write", "Read"] });

      expect(all.tools.map(nameOf)).toEqual(["Bash", "Edit", "Grep", "ListDir", "Read", "Write"]);
      expect(plan.tools.map(nameOf)).toEqual(["Bash", "Grep", "ListDir", "Read"]);
      expect(some.tools.map(nameOf)).toEqual(["Read", "Write"]);
      expect(JSON.stringify(await kit.definitions(format))).toBe(JSON.stringify(all));
      const other = await world({ rules: { deny: ["Glob"] } });
      expect(JSON.stringify(await other.kit.definitions(format))).toBe(JSON.stringify(all));
      await expect(kit.definitions(format, { names: ["Nope"] })).rejects.toThrow(TypeError);
    },
  );

  test("doctor reports checks and confinement in the words of the design", async () => {
    const { kit } = await world({}, { files, programs: { bash: () => 7 } });

    const { checks, confinement } = await kit.doctor();

    expect(checks.every(({ state }) => ["ok", "warning"].includes(state))).toBe(true);
    expect(Object.keys(confinement).toSorted()).toEqual(
      ["filesystem", "gaps", "ipc", "network", "process", "provider", "undo"].toSorted(),
    );
  });
});

describe("derive", () => {
  test("a child can do no more than its parent, whatever mode it asks for", async () => {
    const { kit } = await world({ mode: "plan" }, { files });
    const child = kit.derive({ mode: "bypassPermissions" });

    const outcome = await child.call({ name: "Write", input: { file_path: "n", content: "x" } });

    expect(outcome.status).toBe("denied");
  });

  test("tools names what is left, a name there is none of is a TypeError", async () => {
    const { kit } = await world({}, { files });
    const child = kit.derive({ tools: ["Read"] });

    expect(child.registry.getNames()).toEqual(["Read"]);
    expect((await child.call({ name: "Glob", input: { pattern: "*" } })).error?.code).toBe(
      "UNKNOWN_TOOL",
    );
    expect(() => kit.derive({ tools: ["Nope"] })).toThrow(TypeError);
    expect(() => kit.derive({ mode: "yolo" as "plan" })).toThrow(TypeError);
  });

  test("a child's own tools do not reach its parent", async () => {
    const { kit } = await world({}, { files });
    const child = kit.derive();

    child.registry.register(tool("Mine", () => ({ content: "" })));

    expect(child.registry.has("Mine")).toBe(true);
    expect(kit.registry.has("Mine")).toBe(false);
  });

  test("a child on another host acts there, and what it does there is undone there", async () => {
    const { kit, host } = await world({ mode: "acceptEdits" }, { files });
    const elsewhere = memoryHost({ files });
    const child = kit.derive({ host: elsewhere });

    const outcome = await child.call({
      name: "Write",
      input: { file_path: "n.txt", content: "x" },
    });
    expect(elsewhere.control.texts()["/project/n.txt"]).toBe("x");
    expect(host.control.texts()).not.toHaveProperty("/project/n.txt");
    expect(outcome.undo?.level).toBe("full");
    await child.undo();

    expect(elsewhere.control.texts()).not.toHaveProperty("/project/n.txt");
    expect(await kit.history()).toEqual([]);
  });

  test("a disposed child leaves its parent working; a disposed parent ends its children", async () => {
    const hang = tool("Hang", async () => await new Promise<never>(() => undefined));
    const { kit } = await world({ tools: { extra: [hang] } }, { files, now: "real" });
    const short = kit.derive();
    await short.dispose();
    expect((await kit.call({ name: "Read", input: { file_path: "a.txt" } })).status).toBe("ok");
    const child = kit.derive();
    const running = child.call({ name: "Hang" });

    await kit.dispose();

    expect((await running).status).toBe("aborted");
    await expect(child.call({ name: "Hang" })).rejects.toThrow(TypeError);
    await expect(kit.call({ name: "Hang" })).rejects.toThrow(TypeError);
  });
});

describe("the words a program holds on to", () => {
  test("ToolError is told by its brand, and carries code, type, message, hint, retryable and data", () => {
    const error = new ToolError("TIMEOUT", "Too slow.", { hint: "Do less.", data: { ms: 5 } });

    expect(ToolError.is(error)).toBe(true);
    expect(ToolError.is(new Error("TIMEOUT"))).toBe(false);
    expect(error.toJSON()).toEqual({
      code: "TIMEOUT",
      type: "timeout",
      message: "Too slow.",
      hint: "Do less.",
      retryable: true,
      data: { ms: 5 },
    });
  });

  test("progress, session, agent and turn reach the tool, the listener and the events", async () => {
    const updates: unknown[] = [];
    const events: HaftEvent[] = [];
    const working = tool("Work", (_input, context) => {
      context.progress({ message: "half", done: 1, total: 2 });
      context.output.write("line\n");
      context.metadata({ live: true });
      return {
        content: [{ type: "text", text: "done" }],
        structuredContent: { done: true },
        title: "Work",
        summary: "all of it",
        metadata: { who: [context.sessionId, context.agentId, context.callId] },
      };
    });
    const { kit } = await world({
      tools: { extra: [working] },
      onEvent: (event) => events.push(event),
    });

    const outcome = await kit.call(
      { id: "w", name: "Work" },
      { sessionId: "s", agentId: "a", turn: 3, onProgress: (update) => updates.push(update) },
    );

    expect(outcome).toMatchObject({
      structuredContent: { done: true },
      title: "Work",
      summary: "all of it",
      metadata: { live: true, who: ["s", "a", "w"] },
    });
    expect(updates).toEqual([{ message: "half", done: 1, total: 2 }]);
    const own = events.filter((event) => "callId" in event);
    expect(own.map(({ type }) => type)).toEqual([
      ...["call-start", "call-decided", "call-progress", "call-output", "call-end"],
    ]);
    expect(own.every(({ sessionId, agentId }) => sessionId === "s" && agentId === "a")).toBe(true);
    expect(own[0]).toMatchObject({ turn: 3 });
  });
});
