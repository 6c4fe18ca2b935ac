import { describe, expect, test } from "vitest";
import type { Answer, Ask, Effect } from "../../src/core/index.ts";
import { settled, simpleTool, testKit } from "../support/kit.ts";

const once: Answer = { kind: "once" };
const wrote = async (host: { readonly control: { texts(): Readonly<Record<string, string>> } }) =>
  Object.entries(host.control.texts())
    .filter(([file]) => /\/(?:a|b)\.txt$/u.test(file))
    .map(([, text]) => text);

describe("an answer is taken as it was given", () => {
  test("after deny-all no further question is asked in the turn", async () => {
    const asked: string[] = [];
    const { kit, host } = await testKit({
      onAsk: async (ask) => {
        asked.push(ask.tool);
        await Promise.resolve();
        return { kind: "deny-all" };
      },
    });

    const outcomes = await kit.callAll([
      { name: "Write", input: { file_path: "a.txt", content: "1" } },
      { name: "Write", input: { file_path: "b.txt", content: "2" } },
    ]);

    expect(asked).toHaveLength(1);
    expect(outcomes.map(({ error }) => error?.code)).toEqual(["DENIED_BY_USER", "DENIED_BY_USER"]);
    expect(await wrote(host)).toEqual([]);
    await kit.dispose();
  });

  test("an edited input goes through the before-hooks and is asked about again", async () => {
    const seen: unknown[] = [];
    const shown: unknown[] = [];
    const answers: Answer[] = [
      { kind: "edit", input: { file_path: "a.txt", content: "edited" } },
      { kind: "deny" },
    ];
    const { kit, host } = await testKit({
      hooks: {
        before: [
          ({ input }) => {
            seen.push(input);
            return undefined;
          },
        ],
      },
      onAsk: async (ask: Ask) => {
        shown.push(ask.input);
        return await Promise.resolve(answers.shift() ?? once);
      },
    });

    const outcome = await kit.call({
      name: "Write",
      input: { file_path: "a.txt", content: "first" },
    });

    expect(seen).toMatchObject([{ content: "first" }, { content: "edited" }]);
    expect(shown).toMatchObject([{ content: "first" }, { content: "edited" }]);
    expect(outcome.error?.code).toBe("DENIED_BY_USER");
    expect(await wrote(host)).toEqual([]);
    await kit.dispose();
  });

  test("a before-hook can block an edited input", async () => {
    const { kit, host } = await testKit({
      hooks: {
        before: [
          ({ input }) =>
            JSON.stringify(input).includes("edited") ? { block: "not this text" } : undefined,
        ],
      },
      onAsk: async () =>
        await Promise.resolve({ kind: "edit", input: { file_path: "a.txt", content: "edited" } }),
    });

    const outcome = await kit.call({
      name: "Write",
      input: { file_path: "a.txt", content: "first" },
    });

    expect(outcome.error?.code).toBe("BLOCKED_BY_HOOK");
    expect(await wrote(host)).toEqual([]);
    await kit.dispose();
  });

  test("an edit that leaves the input as it is does not count as a yes", async () => {
    const input = { file_path: "a.txt", content: "1" };
    const answers: Answer[] = [{ kind: "edit", input }, { kind: "deny" }];
    const { kit, host } = await testKit({
      onAsk: async () => await Promise.resolve(answers.shift() ?? once),
    });

    const outcome = await kit.call({ name: "Write", input });

    expect(answers).toEqual([]);
    expect(outcome.error?.code).toBe("DENIED_BY_USER");
    expect(await wrote(host)).toEqual([]);
    await kit.dispose();
  });

  test.each(["user", "hook"])(
    "a call that was aborted while the question was open saves no rule for a %s",
    async (by) => {
      const stop = new AbortController();
      const answer = async (): Promise<Answer> => {
        stop.abort();
        return await Promise.resolve({ kind: "save", rule: "Write", scope: "session" });
      };
      const { kit } = await testKit(
        by === "user" ? { onAsk: answer } : { hooks: { permission: [answer] } },
      );
      const call = { name: "Write", input: { file_path: "a.txt", content: "1" } };

      const outcome = await kit.call(call, { signal: stop.signal });
      await settled();

      expect(outcome.status).toBe("aborted");
      expect((await kit.explain(call)).decision?.kind).toBe("ask");
      await kit.dispose();
    },
  );

  test("an approval holds for the effects that were shown, not for others", async () => {
    let path = "a.txt";
    const shown: (readonly Effect[])[] = [];
    const tool = simpleTool(
      "Target",
      async (_input, { host }) => {
        await host.fs.writeAtomic(path, new TextEncoder().encode("x"));
        return { content: "written" };
      },
      {
        touches: ["write"],
        effects: () => [{ kind: "write", path, scope: "file", change: "create" }],
      },
    );
    const { kit, host } = await testKit({
      tools: { extra: [tool] },
      onAsk: async (ask) => {
        shown.push(ask.effects);
        path = "b.txt";
        return await Promise.resolve(shown.length === 1 ? once : { kind: "deny" });
      },
    });

    const outcome = await kit.call({ name: "Target", input: {} });

    expect(shown).toHaveLength(2);
    expect(shown[1]).toMatchObject([{ path: expect.stringMatching(/b\.txt$/u) }]);
    expect(outcome.error?.code).toBe("DENIED_BY_USER");
    expect(await wrote(host)).toEqual([]);
    await kit.dispose();
  });

  test("an approval does not lift what came to be forbidden while the user was asked", async () => {
    const { kit, host } = await testKit({
      onAsk: async () => {
        kit.setMode("plan");
        return await Promise.resolve(once);
      },
    });

    const outcome = await kit.call({ name: "Write", input: { file_path: "a.txt", content: "x" } });

    expect(outcome.error?.code).toBe("PERMISSION_DENIED");
    expect(await wrote(host)).toEqual([]);
    await kit.dispose();
  });
});

describe("a tool gets what was judged and nothing else", () => {
  test("less a file in its tree that a rule denies since the user was asked", async () => {
    const tool = simpleTool(
      "Fill",
      async (_input, { host }) => {
        await host.fs.writeAtomic("d/keep.txt", new TextEncoder().encode("new"));
        return { content: "written" };
      },
      {
        touches: ["write"],
        effects: () => [{ kind: "write", path: "d", scope: "tree", change: "any" }],
      },
    );
    const { kit, host } = await testKit(
      {
        settings: "load",
        tools: { extra: [tool] },
        onAsk: async () => {
          await kit.permissions.add({ list: "deny", rule: "Edit(d/keep.txt)", scope: "project" });
          return once;
        },
      },
      { files: { "d/keep.txt": "mine" } },
    );

    const outcome = await kit.call({ name: "Fill", input: {} });

    expect(outcome.error?.code).toBe("PERMISSION_DENIED");
    expect(Object.values(host.control.texts())).toContain("mine");
    await kit.dispose();
  });

  test("changing an effect after it was listed changes nothing that was judged", async () => {
    const listed = { kind: "connect" as const, host: "allowed.example" };
    const tool = simpleTool(
      "Reach",
      () => {
        listed.host = "other.example";
        return { content: "done" };
      },
      { touches: ["connect"], effects: () => [listed] },
    );
    const { kit } = await testKit({ mode: "bypassPermissions", tools: { extra: [tool] } });

    const outcome = await kit.call({ name: "Reach", input: {} });

    expect(outcome.effects).toEqual([{ kind: "connect", host: "allowed.example" }]);
    await kit.dispose();
  });

  test("a host that a tool keeps does nothing after the call", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const tool = simpleTool(
      "Late",
      (_input, { host }) => {
        late = async () => await host.fs.readFile("a.txt");
        return { content: "done" };
      },
      { touches: ["read"], effects: () => [{ kind: "read", path: "a.txt", scope: "file" }] },
    );
    const { kit } = await testKit({ tools: { extra: [tool] } }, { files: { "a.txt": "text" } });

    const outcome = await kit.call({ name: "Late", input: {} });

    expect(outcome.status).toBe("ok");
    await expect(late?.()).rejects.toMatchObject({ code: "ABORTED" });
    await kit.dispose();
  });

  test("a tree that holds a denied file below a subdirectory is not removed", async () => {
    const tool = simpleTool(
      "Clear",
      async (_input, { host }) => {
        await host.fs.remove("d", { recursive: true });
        return { content: "removed" };
      },
      {
        touches: ["write"],
        effects: () => [{ kind: "write", path: "d", scope: "tree", change: "delete" }],
      },
    );
    const { kit, host } = await testKit(
      {
        mode: "bypassPermissions",
        rules: { deny: ["Edit(d/e/keep.txt)"] },
        tools: { extra: [tool] },
      },
      { files: { "d/x.txt": "1", "d/e/keep.txt": "mine" } },
    );

    const outcome = await kit.call({ name: "Clear", input: {} });

    expect(outcome.status).not.toBe("ok");
    expect(Object.values(host.control.texts())).toEqual(expect.arrayContaining(["1", "mine"]));
    await kit.dispose();
  });
});
