import { describe, expect, test } from "vitest";
import { answering, deciding, hookWorld } from "./hook-world.ts";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const files = { "a.txt": "alpha\n" };

/** A group with one hook that writes its name. */
function note(name: string, more = {}) {
  return { hooks: [{ type: "command", command: `echo ${name} >> ran.txt`, ...more }] };
}

describe("a hook before a call", () => {
  test("gets the call as JSON on standard input, with absolute paths", async () => {
    await using world = await hookWorld({ PreToolUse: "cat > seen.json" }, files);
    await using kit = await world.open();

    await kit.call({ id: "c1", name: "Read", input: { file_path: "a.txt" } }, { sessionId: "s1" });

    expect(JSON.parse((await world.read("seen.json")) ?? "")).toEqual({
      session_id: "s1",
      transcript_path: "",
      cwd: world.workspace,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Read",
      tool_input: { file_path: world.at("a.txt") },
      tool_use_id: "c1",
    });
  });

  test("blocks with exit code 2, and the reason is in the answer and in the trail", async () => {
    await using world = await hookWorld({ PreToolUse: "echo not on Fridays >&2; exit 2" }, files);
    await using kit = await world.open();

    const outcome = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    expect(outcome).toMatchObject({
      status: "denied",
      error: { code: "BLOCKED_BY_HOOK", message: "A hook blocked Read: not on Fridays" },
      decision: { kind: "deny", rule: { scope: "hook" }, trail: [{ verdict: "deny" }] },
    });
    expect(outcome.decision?.trail[0]?.text).toMatch(
      /PreToolUse echo not on Fridays >&2; exit 2 in .*settings\.json:\d+ blocks it/u,
    );
  });

  test.each([
    ["deny", { permissionDecision: "deny", permissionDecisionReason: "no" }, "BLOCKED_BY_HOOK"],
    ["ask", { permissionDecision: "ask", permissionDecisionReason: "look" }, "APPROVAL_REQUIRED"],
  ])("can %s by its answer", async (_name, answer, code) => {
    await using world = await hookWorld({ PreToolUse: deciding(answer) }, files);
    await using kit = await world.open();

    const outcome = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    expect(outcome.error?.code).toBe(code);
  });

  test("allows what a rule could allow, and says so in the trail", async () => {
    const answer = deciding({ permissionDecision: "allow", permissionDecisionReason: "fine" });
    await using world = await hookWorld({ PreToolUse: answer }, files);
    await using kit = await world.open();

    const outcome = await kit.call({ name: "Write", input: { file_path: "b.txt", content: "x" } });

    expect(outcome).toMatchObject({ status: "ok", decision: { kind: "ask", answeredBy: "hook" } });
    expect(outcome.decision?.trail.at(-1)).toMatchObject({ verdict: "allow" });
  });

  test.each([
    ["an ask rule", { rules: { ask: ["Write"] } }, "b.txt"],
    ["a deny rule", { rules: { deny: ["Edit(b.txt)"] } }, "b.txt"],
    ["a protected path", {}, ".git/config"],
  ])("does not allow against %s", async (_name, options, file) => {
    const answer = deciding({ permissionDecision: "allow" });
    await using world = await hookWorld({ PreToolUse: answer }, files);
    await using kit = await world.open(options);

    const outcome = await kit.call({ name: "Write", input: { file_path: file, content: "x" } });

    expect(outcome.status).toBe("denied");
    expect(await world.read(file)).toBeUndefined();
  });

  test("changes the input, and the changed input is judged again by rules and hooks", async () => {
    const rewrite = deciding({ updatedInput: { command: "cat secret.txt" } });
    await using world = await hookWorld(
      {
        PreToolUse: [
          { matcher: "Bash", hooks: [{ type: "command", command: rewrite }] },
          {
            matcher: "Bash",
            hooks: [{ type: "command", command: "cat >> seen.jsonl; echo >> seen.jsonl" }],
          },
        ],
      },
      { "secret.txt": "s" },
    );
    await using kit = await world.open({ rules: { deny: ["Read(secret.txt)"], allow: ["Bash"] } });

    const outcome = await kit.call(bash("echo hi"));

    expect(outcome.error?.code).toBe("PERMISSION_DENIED");
    const seen = ((await world.read("seen.jsonl")) ?? "").trim().split("\n");
    expect(seen.map((line) => JSON.parse(line).tool_input.command)).toEqual([
      "echo hi",
      "cat secret.txt",
    ]);
  });

  test("adds context that the model reads with the result", async () => {
    const answer = deciding({ additionalContext: "This file is generated." });
    await using world = await hookWorld({ PreToolUse: answer }, files);
    await using kit = await world.open();

    const { text } = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    expect(text).toContain("alpha");
    expect(text).toContain("This file is generated.");
  });

  test("runs only for tools that its matcher names, and for calls that meet its condition", async () => {
    await using world = await hookWorld(
      {
        PreToolUse: [
          { matcher: "Edit|Write", ...note("edits") },
          { matcher: "^Re", ...note("reads") },
          note("git", { if: "Bash(git *)" }),
          note("all"),
        ],
      },
      files,
    );
    await using kit = await world.open({ rules: { allow: ["Bash"] } });

    await kit.call({ name: "Read", input: { file_path: "a.txt" } });
    expect((await world.read("ran.txt"))?.trim().split("\n").toSorted()).toEqual(["all", "reads"]);
    await kit.call(bash("echo x && git status"));
    expect((await world.read("ran.txt"))?.trim().split("\n").toSorted()).toEqual([
      "all",
      "all",
      "git",
      "reads",
    ]);
  });
});

describe("a hook after a call", () => {
  test("sees the result, and adds to it", async () => {
    const answer = answering({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "formatted" },
    });
    await using world = await hookWorld({ PostToolUse: `cat > seen.json; ${answer}` }, files);
    await using kit = await world.open();

    const { text } = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    expect(text).toContain("formatted");
    const seen = JSON.parse((await world.read("seen.json")) ?? "");
    expect(seen).toMatchObject({ hook_event_name: "PostToolUse", tool_name: "Read" });
    expect(JSON.stringify(seen.tool_response)).toContain("alpha");
  });

  test("replaces the result, or reports what is wrong with it", async () => {
    const answer = answering({
      decision: "block",
      reason: "lint failed",
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "replaced" },
    });
    await using world = await hookWorld({ PostToolUse: answer }, files);
    await using kit = await world.open();

    const { text } = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    expect(text).toBe("replaced\n(A hook reports: lint failed)");
  });

  test("of a call that failed has its own event", async () => {
    await using world = await hookWorld({ PostToolUseFailure: "cat > seen.json" }, files);
    await using kit = await world.open();

    await kit.call({ name: "Read", input: { file_path: "missing.txt" } });

    expect(JSON.parse((await world.read("seen.json")) ?? "")).toMatchObject({
      hook_event_name: "PostToolUseFailure",
      is_interrupt: false,
    });
  });
});

describe("a hook for a question", () => {
  test.each([
    ["allow", { behavior: "allow" }, "ok"],
    ["deny", { behavior: "deny", message: "no" }, "denied"],
  ])("answers with %s", async (_name, decision, status) => {
    const answer = answering({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision },
    });
    await using world = await hookWorld({ PermissionRequest: answer }, files);
    await using kit = await world.open();

    const outcome = await kit.call({ name: "Write", input: { file_path: "b.txt", content: "x" } });

    expect(outcome.status).toBe(status);
  });

  test("changes the input, which is judged again", async () => {
    const decision = { behavior: "allow", updatedInput: { file_path: "c.txt", content: "y" } };
    const answer = answering({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision },
    });
    await using world = await hookWorld({ PermissionRequest: answer }, files);
    await using kit = await world.open();

    const outcome = await kit.call({ name: "Write", input: { file_path: "b.txt", content: "x" } });

    expect(outcome.status).toBe("ok");
    expect(await world.read("b.txt")).toBeUndefined();
    expect(await world.read("c.txt")).toBe("y");
  });
});
