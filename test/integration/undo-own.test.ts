import { describe, expect, test } from "vitest";
import { ToolError, type Answer, type Tool, type ToolkitOptions } from "../../src/index.ts";
import { tool, world } from "./world.ts";

/** Something outside that no journal reaches. */
interface Remote {
  readonly things: Map<string, string>;
  readonly tools: readonly Tool[];
  fails: "" | "throws" | "says so" | "hides";
}

function remote(): Remote {
  const things = new Map<string, string>();
  const state: Remote = { things, tools: [], fails: "" };
  const create = tool(
    "Create",
    async (input) => {
      const id = `thing-${things.size + 1}`;
      if (input["fail"] === true) return { content: "no", isError: true };
      things.set(id, String(input["text"]));
      return { content: `created ${id}`, structuredContent: { id }, metadata: { id } };
    },
    {
      touches: ["unknown"],
      effects: () => [{ kind: "unknown", because: "it talks to a server", origin: "Create" }],
      undo: async (_, outcome, { host, workspace }) => {
        if (state.fails === "throws") throw new ToolError("TOOL_FAILED", "The server is away.");
        if (state.fails === "says so") return { content: "not found", isError: true };
        if (state.fails === "hides") {
          const path = `${workspace}/planted`;
          await host.fs.writeAtomic(path, new Uint8Array()).catch(() => undefined);
        }
        const { id } = (outcome as { structuredContent: { id: string } }).structuredContent;
        things.delete(id);
        return { content: `deleted ${id}` };
      },
    },
  );
  return Object.assign(state, { tools: [create] });
}

const files = { "a.txt": "one\n" };

async function opened(options: ToolkitOptions & { readonly answers?: readonly Answer[] } = {}) {
  const far = remote();
  const made = await world(
    { mode: "bypassPermissions", tools: { extra: far.tools }, ...options },
    { files },
  );
  // Calls are ordered by when they were made.
  const create = async (text: string) => {
    made.host.control.advance(1);
    return await made.kit.call({ name: "Create", input: { text } }, { sessionId: "s" });
  };
  const write = async (name: string) => {
    made.host.control.advance(1);
    return await made.kit.call({ name: "Write", input: { file_path: name, content: name } });
  };
  return { ...made, far, create, write };
}

describe("a tool that undoes its own calls", () => {
  test("is in the history, and undone by its own undo with what its run answered", async () => {
    const { kit, far, create } = await opened();
    const outcome = await create("x");

    expect(outcome.undo).toEqual({ callId: outcome.id, level: "full" });
    expect(await kit.history()).toMatchObject([
      { callId: outcome.id, tool: "Create", byItsTool: true, level: "full", state: "done" },
    ]);
    expect(await kit.undo()).toMatchObject({
      calls: [outcome.id],
      changes: [],
      messages: [{ callId: outcome.id, message: "deleted thing-1" }],
    });
    expect([...far.things.keys()]).toEqual([]);
    expect(await kit.history()).toMatchObject([{ state: "undone" }]);
    await expect(kit.undo()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("is undone by the user whatever its session has read meanwhile", async () => {
    const page = tool("Page", async () => ({ content: "a page" }), {
      touches: ["connect"],
      effects: () => [{ kind: "connect", host: "example.com" }],
    });
    const made = await opened();
    const both = await made.again({ tools: { extra: [...made.far.tools, page] } });
    const session = { sessionId: "s" };
    const created = await both.kit.call({ name: "Create", input: { text: "x" } }, session);
    await both.kit.call({ name: "Read", input: { file_path: "a.txt" } }, session);
    await both.kit.call({ name: "Page", input: {} }, session);
    const refused = await both.kit.call({ name: "Create", input: { text: "y" } }, session);

    expect([created.status, refused.status]).toEqual(["ok", "denied"]);
    expect(await both.kit.undo({ call: created.id })).toMatchObject({ calls: [created.id] });
    expect(made.far.things.size).toBe(0);
  });

  test("is in a history no longer than the limit, together with files", async () => {
    const { kit, create, write } = await opened({ limits: { undo: { calls: 3 } } });
    for (const name of ["x", "y", "z"]) {
      await create(name);
      await write(name);
    }

    expect((await kit.history()).map(({ tool: name }) => name)).toEqual([
      "Write",
      "Create",
      "Write",
    ]);
  });

  test("does so after a restart", async () => {
    const made = await opened();
    const { far, create } = made;
    const { id } = await create("x");
    const later = await made.again();

    await later.kit.undo({ call: id });

    expect(far.things.size).toBe(0);
  });

  test("a call that failed left nothing to undo", async () => {
    const { kit } = await opened();
    const outcome = await kit.call({ name: "Create", input: { fail: true } });

    expect(outcome.undo).toBeUndefined();
    expect(await kit.history()).toEqual([]);
  });

  test("is judged by the rules that hold now", async () => {
    const made = await opened();
    const { far, create } = made;
    await create("x");

    const denied = await made.again({ rules: { deny: ["Create"] } });
    await expect(denied.kit.undo()).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    const headless = await made.again({ mode: "default" });
    await expect(headless.kit.undo()).rejects.toMatchObject({ code: "APPROVAL_REQUIRED" });
    expect(far.things.size).toBe(1);
    expect(await headless.kit.history()).toMatchObject([{ state: "done" }]);
  });

  test("asks where the call would be asked about, and a no is a no", async () => {
    const { kit, far, create, asked } = await opened({
      mode: "default",
      answers: [{ kind: "once" }, { kind: "deny" }, { kind: "once" }],
    });
    await create("x");

    await expect(kit.undo()).rejects.toMatchObject({ code: "DENIED_BY_USER" });
    expect(far.things.size).toBe(1);
    await kit.undo();

    expect(far.things.size).toBe(0);
    expect(asked).toHaveLength(3);
    expect(asked[0]?.notUndoable).toBeUndefined();
  });

  test("is not undone where what it would touch changed while that was asked about", async () => {
    let origin = "Create";
    let undone = 0;
    const changing = tool("Create", async () => ({ content: "made" }), {
      touches: ["unknown"],
      effects: () => [{ kind: "unknown", because: "it talks to a server", origin }],
      undo: async () => {
        undone += 1;
        return await Promise.resolve({ content: "gone" });
      },
    });
    const { kit } = await world({
      tools: { extra: [changing] },
      onAsk: async () => {
        if (undone === 0 && made) origin = "Another";
        return await Promise.resolve({ kind: "once" });
      },
    });
    let made = false;
    await kit.call({ name: "Create", input: {} });
    made = true;

    await expect(kit.undo()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "The files that this undo would change changed while the user was asked.",
      hint: "Undo it again.",
    });
    expect(undone).toBe(0);
    await kit.undo();
    expect(undone).toBe(1);
  });

  test("waits for an answer no longer than its signal", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const stop = new AbortController();
    const far = remote();
    const { kit } = await world({
      tools: { extra: far.tools },
      onAsk: async (_, { signal }) => {
        signals.push(signal);
        if (far.things.size === 0) return await Promise.resolve({ kind: "once" });
        stop.abort(new ToolError("ABORTED", "Enough."));
        return await new Promise<never>(() => undefined);
      },
    });
    await kit.call({ name: "Create", input: { text: "x" } });

    await expect(kit.undo({ last: 1 }, { signal: stop.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(signals.at(-1)?.aborted).toBe(true);
    expect(far.things.size).toBe(1);
  });

  test.for(["throws", "says so"] as const)(
    "a failure (%s) is reported, and the call stays in the history",
    async (fails) => {
      const { kit, far, create } = await opened();
      const { id } = await create("x");
      far.fails = fails;

      await expect(kit.undo()).rejects.toMatchObject({ code: "TOOL_FAILED" });
      far.fails = "";
      expect((await kit.undo()).calls).toEqual([id]);
    },
  );

  test("what it did not say it would touch fails its undo too", async () => {
    const far = remote();
    const narrow = { ...far.tools[0], touches: ["connect"], effects: () => [] } as unknown as Tool;
    const { kit } = await world({ mode: "bypassPermissions", tools: { extra: [narrow] } });
    await kit.call({ name: "Create", input: { text: "x" } });
    far.fails = "hides";

    await expect(kit.undo()).rejects.toMatchObject({ code: "UNDECLARED_EFFECT" });
  });

  test("is not redone by redo, which says so", async () => {
    const { kit, create } = await opened();
    const { id } = await create("x");
    await kit.undo();

    const redo = kit.redo();

    await expect(redo).rejects.toMatchObject({ code: "UNAVAILABLE", data: { calls: [id] } });
    await expect(redo).rejects.toThrow("send the call again");
  });
});

describe("next to calls that changed files", () => {
  test("the newest goes first, and each by what can undo it", async () => {
    const { kit, far, host, create, write } = await opened();
    const one = await write("1");
    const two = await create("x");
    const three = await write("3");

    const undone = await kit.undo({ last: 2 });

    expect(undone.calls).toEqual([three.id, two.id]);
    expect(undone.changes).toMatchObject([{ path: "/project/3", change: "deleted" }]);
    expect(far.things.size).toBe(0);
    expect(Object.keys(host.control.texts())).toContain("/project/1");
    const redone = await kit.redo();
    expect(redone.changes).toMatchObject([{ path: "/project/3", change: "created" }]);
    expect(redone.messages).toMatchObject([{ callId: two.id }]);
    await kit.undo({ to: one.id });
    expect(Object.keys(host.control.texts())).not.toContain("/project/3");
  });

  test("a failure half-way names what was undone before it", async () => {
    const { kit, far, create, write } = await opened();
    await create("x");
    const file = await write("1");
    far.fails = "throws";

    const undo = kit.undo({ last: 2 });

    await expect(undo).rejects.toThrow(
      `The server is away. Undone before the failure: ${file.id}.`,
    );
    await expect(undo).rejects.toMatchObject({ data: { undone: [file.id] } });
    expect(await kit.history()).toMatchObject([{ state: "undone" }, { state: "done" }]);
  });

  test("an undo of files alone is redone as usual, also after one of a tool's own", async () => {
    const { kit, create, write } = await opened();
    const file = await write("1");
    await create("x");
    await kit.undo({ last: 1 });
    await kit.undo({ call: file.id });

    expect((await kit.redo()).calls).toEqual([file.id]);
  });

  test("sessions and counts hold for both", async () => {
    const { kit, far, create, write } = await opened();
    await create("x");
    await write("1");

    await kit.undo({ last: 1 }, { sessionId: "s" });

    expect(far.things.size).toBe(0);
    await expect(kit.undo({ last: 0 })).rejects.toThrow(TypeError);
    await expect(kit.undo({ call: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

test("where the clock was set back, the last call that changed files is the last one still", async () => {
  const { kit, host, create, write } = await opened();
  await create("one");
  await write("first");
  host.control.advance(-10_000);
  await write("second");

  const { calls, changes } = await kit.undo({ last: 1 });

  expect(changes).toMatchObject([{ path: "/project/second", change: "deleted" }]);
  expect(await kit.history()).toMatchObject([{ callId: calls[0], state: "undone" }, {}, {}]);
  await kit.dispose();
});
