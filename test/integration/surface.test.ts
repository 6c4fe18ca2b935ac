import { describe, expect, test } from "vitest";
import { createToolkit, memoryHost, type HaftEvent } from "../../src/index.ts";
import { tool, world } from "./world.ts";
import { offeredNames } from "../support/built-in-tools.ts";

const files = {
  "a.txt": "one\ntwo\n",
  "src/b.ts": "export const b = 1;\n",
  "secret/key.txt": "k\n",
};

describe("createToolkit", () => {
  test("workspace: relative to the host's current directory, and a folder that is there", async () => {
    const { kit } = await world({ workspace: "src" }, { files });

    expect(kit.workspace.path).toBe("/project/src");
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

    expect((await world({ settings }, { files })).kit.workspace.path).toBe("/project/src");
    expect((await world({ settings, workspace: "secret" }, { files })).kit.workspace.path).toBe(
      "/project/secret",
    );
    expect((await world({}, { files })).kit.workspace.path).toBe("/project");
  });

  test.for([
    ["a mode there is none of", { mode: "yolo" }],
    ["a tool selection that names no tool", { tools: { include: ["Nope"] } }],
    ["an unknown tool to leave out", { tools: { exclude: ["Nope"] } }],
    ["settings of a kind there is none of", { settings: "laod" }],
    ["a workspace that is not a text", { workspace: 7 }],
    ["folders that are not a list", { additionalDirectories: "/srv" }],
    ["something to ask that is not a function", { onAsk: true }],
    ["hooks that are not a list", { hooks: { before: () => undefined } }],
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
    expect(kit.storage.directory).toBe("/var/data");
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

  test("sandbox: a driver that does not exist is a mistake at once", async () => {
    await expect(world({ sandbox: { driver: "bwarp" } })).rejects.toThrow(
      'sandbox.driver must be one of bwrap, landlock, unshare, sandbox-exec, srt, none, not "bwarp". Did you mean "bwrap"?',
    );
  });

  test("sandbox: what cannot be had is refused, not ignored", async () => {
    const strict = await world(
      { mode: "bypassPermissions", sandbox: { require: "enforced" } },
      { programs: { bash: () => 0 } },
    );
    const refused = await strict.kit.call({ name: "Bash", input: { command: "true" } });
    expect(refused.error).toMatchObject({ code: "UNAVAILABLE", hint: expect.any(String) });
    expect((await strict.kit.call({ name: "ListDir", input: {} })).status).toBe("ok");
    for (const require of ["best-effort", "off"] as const) {
      const { kit } = await world({ sandbox: { require, network: { hosts: ["x.org"] } } });
      expect((await kit.doctor()).confinement.provider).toBe("none");
    }
  });

  test("tools: include, exclude and extra, the minimal shape among them", async () => {
    const minimal = {
      name: "shout",
      description: "Shouts.",
      parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      execute: async ({ text }: Readonly<Record<string, unknown>>) => String(text).toUpperCase(),
    };

    expect(await namesWith({})).toEqual(offeredNames({ services: ["toolSearch"] }));
    expect(await namesWith({ include: ["Read", "Grep"] })).toEqual(["Grep", "Read"]);
    expect(await namesWith({ exclude: ["Bash"] })).not.toContain("Bash");
    expect(await namesWith({ include: ["shout"], extra: [minimal] })).toEqual(["shout"]);
    const { kit, asked } = await world({
      tools: { extra: [minimal] },
      answers: [{ kind: "once" }],
    });
    expect((await kit.call({ name: "shout", input: { text: "hi" } })).text).toBe("HI");
    expect(asked).toHaveLength(1);
    await expect(namesWith({ extra: [tool("Read", () => ({ content: "" }))] })).rejects.toThrow(
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
    expect(read.text).toMatch(/^\[1\tone[\s\S]*Read was ok\]$/u);
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
          "id",
          "tool",
          "status",
          "isError",
          "content",
          "text",
          "title",
          "summary",
          "metadata",
          "trust",
          "decision",
          "effects",
          "repairs",
          "durationMs",
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

async function namesWith(tools: object): Promise<readonly string[]> {
  return (await world({ tools })).kit.registry.getNames();
}

test("a tool of the program may have the name that is an alias of a built-in tool", async () => {
  const fetch = {
    name: "Fetch",
    description: "Fetches.",
    parameters: { type: "object", properties: {} },
    execute: async () => "own",
  };
  const kit = await createToolkit({
    host: memoryHost(),
    tools: { extra: [fetch] },
    mode: "bypassPermissions",
  });

  expect((await kit.call({ name: "fetch", input: {} })).text).toBe("own");
  expect(kit.registry.getNames()).toContain("WebFetch");
  await kit.dispose();
});
