import { describe, expect, test } from "vitest";
import { memoryHost, ToolError, type HaftEvent } from "../../src/index.ts";
import { tool, world } from "./world.ts";
import { offeredNames } from "../support/built-in-tools.ts";

const files = {
  "a.txt": "one\ntwo\n",
  "src/b.ts": "export const b = 1;\n",
  "secret/key.txt": "k\n",
};

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
      kind: "write",
      path: "/project/n.txt",
      scope: "file",
      change: "create",
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

      expect(all.tools.map(nameOf)).toEqual(
        offeredNames({ variants: false }).filter((name) => name !== "Glob"),
      );
      expect(plan.tools.map(nameOf)).toEqual(
        offeredNames({
          variants: false,
          touches: (kinds) => kinds.includes("execute") || !kinds.includes("write"),
        }).filter((name) => name !== "Glob"),
      );

      expect(some.tools.map(nameOf)).toEqual(["Read", "Write"]);
      // The second form of Edit is offered to who asks for it, and to who has no Edit.
      const named = await kit.definitions(format, { names: ["Edit", "ApplyPatch"] });
      const forms = await kit.definitions(format, { variants: true });
      expect(named.tools.map(nameOf)).toEqual(["ApplyPatch", "Edit"]);
      expect(forms.tools.map(nameOf)).toEqual(["ApplyPatch", ...all.tools.map(nameOf)]);
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
      ["drivers", "filesystem", "gaps", "ipc", "network", "process", "provider", "undo"].toSorted(),
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
  test("ToolError is recognized by its brand, and carries code, type, message, hint, retryable and data", () => {
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
    expect(updates).toEqual([{ message: "half", done: 1, total: 2 }, { metadata: { live: true } }]);
    const own = events.filter((event) => "callId" in event);
    expect(own.map(({ type }) => type)).toEqual([
      "call-start",
      "call-decided",
      "call-progress",
      "call-output",
      "call-progress",
      "call-end",
    ]);
    expect(own.every(({ sessionId, agentId }) => sessionId === "s" && agentId === "a")).toBe(true);
    expect(own[0]).toMatchObject({ turn: 3 });
  });
});
