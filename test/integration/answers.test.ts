import { expect, test } from "vitest";
import { createToolkit, memoryHost, type Answer, type Ask } from "../../src/index.ts";
import { tool, world } from "./world.ts";

const files = { "a.txt": "one\n", "b.txt": "two\n" };
const write = (file_path: string, content = "new\n") => ({
  name: "Write",
  input: { file_path, content },
});
const shell = { name: "Bash", input: { command: "npm test" } };
const programs = { bash: () => 0 };

test("once holds for one call: the same call asks again", async () => {
  const { kit, asked } = await world({ answers: [{ kind: "once" }] }, { programs });

  const outcomes = [await kit.call(shell), await kit.call(shell)];

  expect(outcomes.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(asked).toHaveLength(2);
  expect(outcomes[0]?.decision).toMatchObject({ kind: "ask", answeredBy: "user" });
});

test.for([
  { name: "Write", input: { file_path: "new/c.txt", content: "x" } },
  { name: "Bash", input: { command: "npm test" } },
  { name: "Bash", input: { command: "node --test 2>&1 | head -5" } },
  { name: "Bash", input: { command: "FOO=1 npm run build && echo done" } },
  { name: "Bash", input: { command: "echo hi > out.txt" } },
  { name: "Bash", input: { command: "rm -f a.txt" } },
  { name: "Bash", input: { command: "curl https://example.com/x" } },
  { name: "Bash", input: { command: "python3 -c 'print(1)'" } },
  { name: "Read", input: { file_path: "/etc/hosts" } },
  { name: "Glob", input: { pattern: "*.conf", path: "/srv/data" } },
  { name: "Grep", input: { pattern: "root", path: "/etc/hosts" } },
  { name: "ListDir", input: { path: "/srv/data" } },
  { name: "Write", input: { file_path: "/home/user/notes.txt", content: "x" } },
  { name: "Mine", input: { anything: 1 } },
])(
  "$name $input: saving the suggestion makes the repeat ask nothing, in every scope and after a restart",
  async (call) => {
    for (const scope of ["session", "local", "project", "user"] as const) {
      const asked: Ask[] = [];
      const options = {
        host: memoryHost({ files, programs }),
        settings: "load",
        tools: {
          extra: [tool("Mine", () => ({ content: "mine" }), { touches: ["unknown"] })],
        },
        onAsk: async (ask: Ask): Promise<Answer> => {
          asked.push(ask);
          if (ask.suggestion === undefined) return { kind: "once" };
          return { kind: "save", rule: ask.suggestion, scope };
        },
      } as const;
      options.host.control.plant("/etc/hosts", { kind: "file", content: "127.0.0.1 root\n" });
      options.host.control.plant("/srv/data/a.conf", { kind: "file", content: "a\n" });
      const first = await createToolkit(options);
      await first.call(call);
      const after = asked.length;
      expect(asked.map(({ suggestion }) => suggestion)).not.toContain(undefined);

      for (let turn = 0; turn < 3; turn += 1) await first.call(call);

      expect(asked.length).toBe(after);
      await first.dispose();
      if (scope === "session") continue;
      const second = await createToolkit({ ...options, trust: true });
      await second.call(call);
      expect(asked.length).toBe(after);
      await second.dispose();
    }
  },
);

test("what a person saved for an untrusted workspace holds after a restart without trusting what else it brings", async () => {
  const other = { permissions: { allow: ["Bash(rm *)"] } };
  for (const scope of ["local", "project"] as const) {
    const first = await world(
      { settings: "load", answers: [{ kind: "save", rule: "Bash(npm test)", scope }] },
      { programs, files: { ".claude/settings.json": JSON.stringify(other) } },
    );
    await first.kit.call(shell);
    const second = await first.again();

    const repeated = await second.kit.call(shell);
    const foreign = await second.kit.explain({ name: "Bash", input: { command: "rm -f a" } });

    expect(foreign.decision?.kind).toBe("ask");
    expect(second.asked).toHaveLength(0);
    expect(repeated.status).toBe("ok");
  }
});

test("a saved rule that cannot be read is refused, stored nowhere, and the call does not run", async () => {
  const { kit, host } = await world(
    { settings: "load", answers: [{ kind: "save", rule: "Write(", scope: "project" }] },
    { files },
  );
  const before = host.control.texts();

  const outcome = await kit.call(write("a.txt"));

  expect(outcome).toMatchObject({ isError: true, status: "failed" });
  expect(outcome.error?.hint).toBeTruthy();
  expect(host.control.texts()).toEqual(before);
});

test("a rule for a file cannot be saved where no settings are read", async () => {
  const { kit } = await world(
    { answers: [{ kind: "save", rule: "Write(**)", scope: "project" }] },
    { files },
  );

  expect((await kit.call(write("c.txt"))).error?.code).toBe("UNAVAILABLE");
});

test("deny refuses this call alone, with its reason, and counts repeats", async () => {
  const { kit, asked } = await world(
    { answers: [{ kind: "deny", reason: "not now" }] },
    { files, programs },
  );

  const outcomes = await kit.callAll([shell, write("c.txt"), shell]);

  expect(asked).toHaveLength(3);
  expect(asked.map(({ refusals }) => refusals)).toEqual([0, 0, 1]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: "denied",
      isError: true,
      error: { code: "DENIED_BY_USER", type: "permission", retryable: false },
    });
    expect(outcome.text).toContain("not now");
  }
});

test("deny-all refuses the rest of the turn, allowed calls included, and not the next turn", async () => {
  const { kit, asked } = await world(
    { answers: [{ kind: "deny-all", reason: "stop" }, { kind: "once" }] },
    { files, programs },
  );

  const turn = await kit.callAll([
    shell,
    { name: "Bash", input: { command: "npm run build" } },
    write("c.txt"),
    { name: "Bash", input: { command: "ls" } },
  ]);
  const next = await kit.callAll([shell]);

  expect(asked).toHaveLength(2);
  expect(turn.map(({ error }) => error?.code)).toEqual(Array(4).fill("DENIED_BY_USER"));
  expect(next[0]?.status).toBe("ok");
});

test.for(["deny-all", "abort"] as const)(
  "%s reaches the calls of its turn that come one by one, and not those of the next",
  async (kind) => {
    const { kit, asked } = await world({ answers: [{ kind }, { kind: "once" }] }, { programs });
    const where = { sessionId: "s", agentId: "a" };

    const first = await kit.call(shell, { ...where, turn: 1 });
    const second = await kit.call(shell, { ...where, turn: 1 });
    const elsewhere = await kit.call(shell, { sessionId: "other", turn: 1 });
    const later = await kit.call(shell, { ...where, turn: 2 });

    expect([first, second, elsewhere, later].map(({ status }) => status)).toEqual(
      kind === "abort" ? ["aborted", "aborted", "ok", "ok"] : ["denied", "denied", "ok", "ok"],
    );
    expect(asked).toHaveLength(3);
  },
);

test("abort ends the turn: what waits never runs, what runs is stopped, nothing more is asked", async () => {
  let stopped = false;
  const slow = tool(
    "Slow",
    async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      stopped = true;
      return { content: "stopped" };
    },
    { timeoutMs: 10_000 },
  );
  const { kit, asked } = await world(
    { answers: [{ kind: "abort" }], tools: { extra: [slow] } },
    { files, programs, now: "real" },
  );

  const outcomes = await kit.callAll([{ name: "Slow" }, shell, shell, write("c.txt")]);

  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill("aborted"));
  expect(stopped).toBe(true);
  expect(asked).toHaveLength(1);
});

test("edit runs the changed input through every check again", async () => {
  const { kit, asked, host } = await world(
    {
      answers: [{ kind: "edit", input: { path: "d.txt", content: "edited" } }, { kind: "once" }],
    },
    { files },
  );

  const outcome = await kit.call(write("c.txt"));

  expect(outcome).toMatchObject({ status: "ok", repairs: [{ path: "/file_path" }] });
  expect(asked.map(({ effects }) => effects[0])).toMatchObject([
    { path: "/project/c.txt" },
    { path: "/project/d.txt" },
  ]);
  expect(Object.keys(host.control.texts())).toContain("/project/d.txt");
  expect(Object.keys(host.control.texts())).not.toContain("/project/c.txt");
});

test("an edited input that does not fit is refused, and one that a rule denies stays denied", async () => {
  const wrong = await world({ answers: [{ kind: "edit", input: { file_path: 7 } }] }, { files });
  const denied = await world(
    {
      rules: { deny: ["Write(secret.txt)"] },
      answers: [{ kind: "edit", input: { file_path: "secret.txt", content: "x" } }],
    },
    { files },
  );

  expect((await wrong.kit.call(write("c.txt"))).error?.code).toBe("INVALID_INPUT");
  expect((await denied.kit.call(write("c.txt"))).error?.code).toBe("PERMISSION_DENIED");
  expect(denied.asked).toHaveLength(1);
});

test("endless edits do not keep the call open forever", async () => {
  const { kit } = await world(
    { answers: [{ kind: "edit", input: { file_path: "z.txt", content: "z" } }] },
    { files },
  );

  const outcome = await kit.call(write("c.txt"));

  expect(outcome).toMatchObject({ isError: true });
  expect(outcome.error?.hint).toBeTruthy();
});

test.for([
  ["an unknown kind of answer", { kind: "yes" }],
  ["true", true],
  ["nothing", undefined],
  ["a save without a rule", { kind: "save" }],
  ["a save without a scope", { kind: "save", rule: "Write" }],
  ["a save in a scope there is none of", { kind: "save", rule: "Write", scope: "managed" }],
] as const)("%s is not an approval", async ([, given]) => {
  const host = memoryHost({ files });
  const before = host.control.texts();
  const kit = await createToolkit({
    host,
    settings: "load",
    onAsk: async () => given as unknown as Answer,
  });

  const outcome = await kit.call(write("c.txt"));

  expect(outcome.isError).toBe(true);
  expect(outcome.error?.hint).toBeTruthy();
  expect(host.control.texts()).toEqual(before);
});

test("a question that fails is not an approval", async () => {
  const kit = await createToolkit({
    host: memoryHost({ files }),
    onAsk: async () => {
      throw new Error("the terminal is gone");
    },
  });

  const outcome = await kit.call(write("c.txt"));

  expect(outcome).toMatchObject({ isError: true });
  expect(outcome.text).toContain("the terminal is gone");
});

test("without a person ask means no, with the rule that would allow it", async () => {
  const { kit } = await world({}, { files });

  const outcome = await kit.call(write("c.txt"));

  expect(outcome).toMatchObject({
    status: "denied",
    decision: { kind: "ask", answeredBy: "none" },
    error: {
      code: "APPROVAL_REQUIRED",
      type: "permission",
      data: { suggestion: expect.any(String) },
    },
  });
  expect(outcome.error?.hint).toContain(String(outcome.error?.data?.["suggestion"]));
});

test("a call aborted while its question waits is aborted, and the question hears of it", async () => {
  const controller = new AbortController();
  let heard = false;
  const kit = await createToolkit({
    host: memoryHost({ files }),
    onAsk: async (_ask, { signal }) => {
      signal?.addEventListener("abort", () => (heard = true), { once: true });
      queueMicrotask(() => controller.abort());
      return await new Promise<never>(() => undefined);
    },
  });

  const outcome = await kit.call(write("c.txt"), { signal: controller.signal });

  expect(outcome).toMatchObject({ status: "aborted", error: { code: "ABORTED" } });
  expect(heard).toBe(true);
});
