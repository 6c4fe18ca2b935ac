import { describe, expect, test } from "vitest";
import { defineTool, type HaftEvent } from "../../src/index.ts";
import { answering, deciding, hookWorld } from "./hook-world.ts";

// Complaints about hooks of other tools, each by the name of its thread, and hooks that misbehave on purpose.

const read = { name: "Read", input: { file_path: "a.txt" } };
const files = { "a.txt": "alpha\n" };

const failing: readonly (readonly [string, string, RegExp])[] = [
  ["ends with code 1", "exit 1", /ended with code 1/u],
  [
    "crashes after an answer that allows",
    `${deciding({ permissionDecision: "allow" })}\nexit 3`,
    /code 3/u,
  ],
  ["names a program that is missing", "no-such-program --check", /code 127/u],
  ["names a script that is missing", ".claude/hooks/none.sh", /code 127/u],
  ["kills itself", "kill -9 $$", /killed|code 137/u],
  ["answers with half a JSON object", "echo '{\"hookSpecificOutput\":'", /not JSON/u],
  ["answers with an unknown key", answering({ desicion: "block" }), /no key "desicion"/u],
  [
    "answers for another event",
    answering({ hookSpecificOutput: { hookEventName: "Stop" } }),
    /"Stop"/u,
  ],
  ["answers with a wrong type", answering({ continue: "no" }), /`continue` is not true or false/u],
  ["answers with an unknown decision", deciding({ permissionDecision: "maybe" }), /"maybe"/u],
  [
    "prints text before its answer",
    `echo checking\n${deciding({ permissionDecision: "deny" })}`,
    /before its JSON/u,
  ],
  ["prints a gigabyte", "head -c 1000000000 /dev/zero", /printed more than/u],
];

describe("KiroCrew#7339: a hook that fails does not let the call through", () => {
  test.each(failing)("it %s", async (_name, command, why) => {
    await using world = await hookWorld({ PreToolUse: command }, files);
    await using kit = await world.open({ mode: "bypassPermissions" });

    const outcome = await kit.call(read);

    expect(outcome.error?.code).toBe("BLOCKED_BY_HOOK");
    expect(outcome.error?.message).toMatch(why);
  });

  test.each([
    ["PreToolUse", "bash .claude/hooks/none.sh", "blocks what it checks"],
    ["PostToolUse", '"$CLAUDE_PROJECT_DIR"/.claude/hooks/none.sh --fast', "fails"],
    ["SessionStart", "node .claude/hooks/none.mjs", "fails"],
  ])("it names a script that is missing, at %s: %s", async (event, command, effect) => {
    await using world = await hookWorld({ [event]: command }, files);
    await using kit = await world.open();

    expect(kit.workspace.problems).toEqual([
      {
        severity: "warning",
        file: world.at(".claude/settings.json"),
        line: 6,
        message: expect.stringMatching(
          /^This hook runs "\S*\.claude\/hooks\/none\.m?[sj]+h?", and there is no such file\.$/u,
        ),
        hint: `Add the file or remove the hook; until then the hook ${effect}.`,
      },
    ]);
  });

  test.each([
    ["that exists", "bash a.sh"],
    ["that the command looks for first", "[ -f none.sh ] && ./none.sh"],
    ["of the system", "node --version"],
    ["that another program reads", "cat ./none.sh"],
  ])("nothing is reported of a script %s: %s", async (_which, command) => {
    await using world = await hookWorld({ PreToolUse: command }, { ...files, "a.sh": "true\n" });
    await using kit = await world.open();

    expect(kit.workspace.problems).toEqual([]);
  });

  test("it takes longer than its timeout", async () => {
    const hook = { type: "command", command: "sleep 60", timeout: 0.3 };
    await using world = await hookWorld({ PreToolUse: [{ hooks: [hook] }] }, files);
    await using kit = await world.open();

    const started = Date.now();
    const { error } = await kit.call(read);

    expect(error?.message).toMatch(/did not end within 0.3 s/u);
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  test("its address does not answer", async () => {
    const hook = { type: "http", url: "http://127.0.0.1:9/check" };
    await using world = await hookWorld({ PreToolUse: [{ hooks: [hook] }] }, files);
    await using kit = await world.open();

    expect((await kit.call(read)).error?.message).toMatch(/could not be reached/u);
  });

  test.each([
    [{ PreToolUse: "x" }, /not a list/u],
    [{ PreToolUse: [{ matcher: "Read" }] }, /list `hooks`/u],
    [{ PreToolUse: [{ matcher: "(", hooks: [] }] }, /matcher cannot be read/u],
    [{ PreToolUse: [{ hooks: [{ type: "comand", command: "true" }] }] }, /its type is "comand"/u],
    [{ PreToolUse: [{ hooks: [{ type: "command" }] }] }, /`command` is not a text/u],
    [{ PreToolUze: [{ hooks: [{ type: "command", command: "true" }] }] }, /no event "PreToolUze"/u],
  ])("it cannot be read: %j", async (hooks, why) => {
    await using world = await hookWorld(
      {},
      { ...files, ".claude/settings.json": JSON.stringify({ hooks }) },
    );
    await using kit = await world.open();

    expect((await kit.call(read)).error?.message).toMatch(why);
    expect(kit.workspace.problems.some(({ file }) => file?.endsWith(".claude/settings.json"))).toBe(
      true,
    );
  });

  test("and a failure of writing in the sandbox names the rule that would allow it", async () => {
    const hook = {
      type: "command",
      command: "echo 'log: Read-only file system' >&2; exit 1",
    };
    await using world = await hookWorld({ PreToolUse: [{ hooks: [hook] }] }, files);
    await using kit = await world.open();

    const { text } = await kit.call(read);

    expect(text).toContain("an allow rule such as Edit(~/logs/**)");
  });

  test("unless it says that a failure does not count; then the user sees it", async () => {
    const hook = { type: "command", command: "exit 1", onFailure: "allow" };
    const events: HaftEvent[] = [];
    await using world = await hookWorld({ PreToolUse: [{ hooks: [hook] }] }, files);
    await using kit = await world.open({ onEvent: (event) => events.push(event) });

    const outcome = await kit.call(read);

    expect(outcome.status).toBe("ok");
    expect(outcome.decision?.trail.at(-1)?.text).toMatch(/failed: it ended with code 1/u);
    expect(events.find(({ type }) => type === "hook")).toMatchObject({ result: "failure" });
  });
});

describe("claude-code#4669, claude-code#13756: a hook that does nothing is not silent", () => {
  test("an answer in a wrong shape is an error that names the key and the file", async () => {
    const wrong = answering({
      hookSpecificOutput: { hookEventName: "PreToolUse", decision: "deny" },
    });
    await using world = await hookWorld({ PreToolUse: wrong }, files);
    await using kit = await world.open();

    const { error } = await kit.call(read);

    expect(error?.message).toMatch(/settings\.json:\d+ failed: .*has no key "decision"/u);
  });

  test("claude-code#37210: a hook that answers deny in a mode that asks nothing blocks", async () => {
    await using world = await hookWorld(
      { PreToolUse: deciding({ permissionDecision: "deny" }) },
      files,
    );
    await using kit = await world.open({ mode: "bypassPermissions" });

    expect((await kit.call(read)).status).toBe("denied");
  });
});

describe("a hook that misbehaves", () => {
  test("and never reads standard input gets a large call anyway", async () => {
    await using world = await hookWorld({ PreToolUse: "exec 0<&-; exit 0" });
    await using kit = await world.open({ mode: "acceptEdits" });
    const content = "x".repeat(4_000_000);

    const { status } = await kit.call({ name: "Write", input: { file_path: "b.txt", content } });

    expect(status).toBe("ok");
  });

  test("and leaves processes behind is ended with all of them", async () => {
    const command =
      "(sleep 300; touch late) & (setsid sleep 300; touch later) & sleep 300 & exit 0";
    await using world = await hookWorld({ PreToolUse: command }, files);
    await using kit = await world.open();

    const started = Date.now();
    expect((await kit.call(read)).status).toBe("ok");
    expect(Date.now() - started).toBeLessThan(20_000);
    await kit.dispose();
    expect(await world.read("late")).toBeUndefined();
  });

  test("and forks without end is ended at its timeout", async () => {
    const command = "f() { sleep 5 & sleep 5; }; for i in 1 2 3 4 5 6 7 8; do f & done; wait";
    const hook = { type: "command", command, timeout: 0.5 };
    await using world = await hookWorld({ PreToolUse: [{ hooks: [hook] }] }, files);
    await using kit = await world.open();

    expect((await kit.call(read)).error?.message).toMatch(/did not end within/u);
  });

  test("and changes the input without end blocks the call", async () => {
    const command = `date +%s%N | { read t; printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"%s"}}}' "$t"; }`;
    await using world = await hookWorld({ PreToolUse: command }, files);
    await using kit = await world.open();

    expect((await kit.call(read)).error?.message).toMatch(/changed the input 3 times/u);
  });

  test("is ended when the call is aborted", async () => {
    await using world = await hookWorld({ PreToolUse: "sleep 60" }, files);
    await using kit = await world.open();
    const controller = new AbortController();

    const running = kit.call(read, { signal: controller.signal });
    setTimeout(() => controller.abort(), 300);

    expect((await running).status).toBe("aborted");
  });
});

describe("copilot-cli#2392, letta-code#3150: hooks fire for sub-agents and for every tool", () => {
  const remote = defineTool({
    name: "mcp__files__get",
    description: "Get a file from a server.",
    touches: [],
    input: { type: "object" },
    source: { id: "files", name: "Files", kind: "mcp" },
    run: () => ({ content: "got" }),
  });
  const agent = defineTool({
    name: "Helper",
    description: "Start an agent.",
    touches: ["delegate"],
    input: { type: "object" },
    effects: () => [{ kind: "delegate", agent: "explore" }],
    run: () => ({ content: "done" }),
  });
  const calls = [
    read,
    { name: "Write", input: { file_path: "b.txt", content: "x" } },
    { name: "Bash", input: { command: "echo hi" } },
    { name: "Glob", input: { pattern: "*" } },
    { name: "mcp__files__get", input: {} },
    { name: "Helper", input: {} },
  ];

  test("at each depth, a block holds for each class of tool", async () => {
    await using world = await hookWorld({ PreToolUse: "echo no >&2; exit 2" }, files);
    await using kit = await world.open({
      mode: "bypassPermissions",
      tools: { extra: [remote, agent] },
    });

    let current = kit;
    for (let depth = 0; depth <= 3; depth += 1) {
      for (const call of calls) {
        const { error } = await current.call(call, { agentId: `agent-${depth}`, depth });
        expect([depth, call.name, error?.code]).toEqual([depth, call.name, "BLOCKED_BY_HOOK"]);
      }
      current = current.derive();
    }
    expect(await world.read("b.txt")).toBeUndefined();
  });

  test("the hook learns which agent calls", async () => {
    await using world = await hookWorld({ PreToolUse: "cat > seen.json" }, files);
    await using kit = await world.open();

    await kit.derive().derive().call(read, { agentId: "agent-2" });

    expect(JSON.parse((await world.read("seen.json")) ?? "").agent_id).toBe("agent-2");
  });
});
