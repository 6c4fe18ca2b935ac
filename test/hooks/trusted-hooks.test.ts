import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { hookWorld } from "./hook-world.ts";

const read = { name: "Read", input: { file_path: "a.txt" } };
const files = { "a.txt": "alpha\n" };
const canary = "touch canary";

const everyEvent = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "Stop",
];

describe("hooks of a workspace", () => {
  test("that is not trusted never run, and are named for the user", async () => {
    const hooks = Object.fromEntries(everyEvent.map((event) => [event, canary]));
    await using world = await hookWorld(hooks, files);
    await using kit = await world.open({ trust: false });

    expect((await kit.call(read)).status).toBe("ok");

    expect(await world.read("canary")).toBeUndefined();
    const said = kit.workspace.problems.map(({ message }) => message).join();
    const events = everyEvent.map((event) => `hooks.${event}`).join(", ");
    expect(said).toContain(`count: .claude/settings.json (${events}).`);
  });

  test("run once the workspace is trusted, and not after a change of the settings", async () => {
    await using world = await hookWorld({ PreToolUse: canary }, files);
    await world.trust();
    await using kit = await world.openRecorded();
    expect((await kit.call(read)).status).toBe("ok");
    expect(await world.read("canary")).toBe("");

    // While the kit is open: between the check and the use.
    const text = (await world.read(".claude/settings.json")) ?? "";
    await world.write(".claude/settings.json", `${text}\n`);
    const { error } = await kit.call(read);

    expect(error?.message).toMatch(/settings\.json changed after the workspace was trusted/u);
  });

  test.each([
    [".claude/hooks/check.sh", '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh'],
    ["tools/check.sh", "./tools/check.sh --all"],
    ["tools/check.py", "python3 tools/check.py"],
  ])("do not run after %s was replaced", async (script, command) => {
    const text = script.endsWith(".py") ? "open('ran', 'w')\n" : "#!/bin/sh\ntouch ran\n";
    await using world = await hookWorld({ PreToolUse: command }, { ...files, [script]: text });
    await world.trust();
    await using kit = await world.openRecorded();
    expect((await kit.call(read)).status).toBe("ok");
    expect(await world.read("ran")).toBe("");

    await world.write(script, "#!/bin/sh\ntouch replaced\n");
    const { error } = await kit.call(read);

    expect(error?.code).toBe("BLOCKED_BY_HOOK");
    expect(await world.read("replaced")).toBeUndefined();
    await using again = await world.openRecorded();
    expect(again.workspace.problems.map(({ message }) => message).join()).toMatch(/not trusted/u);
  });

  test("do not run a script that became a link to another, or lies below a directory that did", async () => {
    const script = "#!/bin/sh\ntouch ran\n";
    await using world = await hookWorld(
      { PreToolUse: "./tools/check.sh" },
      { ...files, "tools/check.sh": script, "other/check.sh": "#!/bin/sh\ntouch replaced\n" },
    );
    await world.trust();
    await using kit = await world.openRecorded();
    expect((await kit.call(read)).status).toBe("ok");

    rmSync(path.join(world.workspace, "tools/check.sh"));
    symlinkSync("../other/check.sh", path.join(world.workspace, "tools/check.sh"));
    expect((await kit.call(read)).error?.code).toBe("BLOCKED_BY_HOOK");

    rmSync(path.join(world.workspace, "tools"), { recursive: true });
    symlinkSync("other", path.join(world.workspace, "tools"));
    expect((await kit.call(read)).error?.code).toBe("BLOCKED_BY_HOOK");
    expect(await world.read("replaced")).toBeUndefined();
  });

  test.each([
    ["a script is replaced", ".claude/hooks/check.sh", "#!/bin/sh\ntouch replaced\n"],
    ["an installed skill is listed", "skills-lock.json", "{}"],
    ["the settings lose the hook", ".claude/settings.json", "{}"],
  ])("ask instead of running when %s, until it is trusted again", async (_how, name, text) => {
    const command = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh';
    await using world = await hookWorld(
      { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command }] }] },
      { ...files, ".claude/hooks/check.sh": "#!/bin/sh\ntouch ran\n" },
    );
    await world.trust();
    await world.write(name, text);
    const asked: string[] = [];
    await using kit = await world.openRecorded({
      onAsk: async ({ reason }) => {
        asked.push(reason);
        return { kind: "deny", reason: "no" };
      },
    });

    expect((await kit.call(read)).status).toBe("denied");

    expect(asked).toEqual([
      expect.stringMatching(/was trusted and has changed since.*haft trust show/u),
    ]);
    expect(await world.read("ran")).toBeUndefined();
    expect(await world.read("replaced")).toBeUndefined();
    const other = { name: "ListDir", input: { path: "." } };
    expect((await kit.call(other)).status).toBe("ok");
    await world.trust();
    await using again = await world.openRecorded();
    expect((await again.call(read)).status).toBe("ok");
  });

  test("ask after a change also where their key was written with escapes", async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] };
    const text = JSON.stringify({ hooks }).replaceAll("hooks", String.raw`\u0068oo\u006bs`);
    await using world = await hookWorld({}, { ...files, ".claude/settings.json": text });
    await world.trust();
    await world.write(".claude/settings.json", "{}");
    await using kit = await world.openRecorded();

    const { error } = await kit.call(read);

    expect(error?.message).toMatch(/was trusted and has changed since/u);
  });

  test("run scripts that no mode changes without a question", async () => {
    const script = "#!/bin/sh\nexit 0\n";
    await using world = await hookWorld(
      { PreToolUse: "./tools/check.sh" },
      { ...files, "tools/check.sh": script },
    );
    await world.trust();
    await using kit = await world.openRecorded({ mode: "acceptEdits" });

    const decides = async (name: string) => {
      const input = { file_path: name, content: "x" };
      return (await kit.explain({ name: "Write", input })).decision?.kind;
    };

    expect(await decides("tools/check.sh")).toBe("ask");
    expect(await decides("tools/other.sh")).toBe("allow");
  });

  test("do not ask in a workspace that was never trusted, or whose trust was revoked", async () => {
    await using world = await hookWorld({ PreToolUse: "exit 2" }, files);
    await using never = await world.openRecorded();
    expect((await never.call(read)).status).toBe("ok");

    await world.trust();
    await using kit = await world.openRecorded();
    expect((await kit.call(read)).error?.code).toBe("BLOCKED_BY_HOOK");
    await (await kit.workspace.trust()).revoke();

    await using revoked = await world.openRecorded();
    expect((await revoked.call(read)).status).toBe("ok");
  });

  test("whose failure lets calls through ask when their script was replaced", async () => {
    const hook = { type: "command", command: "./check.sh", onFailure: "allow" };
    await using world = await hookWorld(
      { PreToolUse: [{ hooks: [hook] }] },
      { ...files, "check.sh": "#!/bin/sh\nexit 0\n" },
    );
    await world.trust();
    await using kit = await world.openRecorded();
    expect((await kit.call(read)).status).toBe("ok");

    await world.write("check.sh", "#!/bin/sh\nexit 0\n#\n");

    const { status, error } = await kit.call(read);
    expect([status, error?.message]).toEqual([
      "denied",
      expect.stringContaining("check.sh changed"),
    ]);
  });

  test("cannot switch off the hooks of the program", async () => {
    const settings = JSON.stringify({ disableAllHooks: true, hooks: {} });
    await using world = await hookWorld({}, { ...files, ".claude/settings.json": settings });
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] };
    await using kit = await world.open({ settings: { hooks } });

    expect((await kit.call(read)).error?.code).toBe("BLOCKED_BY_HOOK");
  });

  test("are confined like commands: a rule that denies a file denies it to them", async () => {
    await using world = await hookWorld(
      { PreToolUse: "cat secret.txt > leaked.txt 2>&1; exit 0" },
      { ...files, "secret.txt": "hidden" },
    );
    const sandbox = { require: "enforced" } as const;
    await using kit = await world.open({ sandbox, rules: { deny: ["Read(secret.txt)"] } });

    await kit.call(read);

    expect((await world.read("leaked.txt")) ?? "").not.toContain("hidden");
  });

  test("write no status file in the name of a command", async () => {
    const tries = ["shell", "tasks/exits"].map(
      (directory) => `echo 0 > "../data/${directory}/fake.exit" || echo refused`,
    );
    await using world = await hookWorld({ PreToolUse: `{ ${tries.join("; ")}; } > tried` }, files);
    await using kit = await world.open({ sandbox: { require: "enforced" } });

    expect(await kit.call(read)).toMatchObject({ status: "ok" });

    expect(await world.read("tried")).toBe("refused\nrefused\n");
    expect(await world.read("../data/shell/fake.exit")).toBeUndefined();
    expect(await world.read("../data/tasks/exits/fake.exit")).toBeUndefined();
  });
});

function userHooks(command: string) {
  return {
    settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command" as const, command }] }] } },
  };
}

describe("hooks of the user", () => {
  const script = "#!/bin/sh\ntouch ran\n";

  test.each(["./check.sh", "sh check.sh", "cd tools && ./check.sh"])(
    "that run a script of the workspace (%s) need its trust",
    async (command) => {
      const name = command.startsWith("cd") ? "tools/check.sh" : "check.sh";
      await using world = await hookWorld({}, { ...files, [name]: script });
      await using kit = await world.open({ ...userHooks(command), trust: false });

      const { error } = await kit.call(read);

      expect(error?.message).toContain(`it runs ${name} of the workspace, which is not trusted`);
      expect(await world.read("ran")).toBeUndefined();
      expect(await world.read("tools/ran")).toBeUndefined();
    },
  );

  test("run a script of a trusted workspace until it changes", async () => {
    await using world = await hookWorld({}, { ...files, "check.sh": script });
    await using kit = await world.open(userHooks("./check.sh"));
    expect((await kit.call(read)).status).toBe("ok");
    expect(await world.read("ran")).toBe("");

    await world.write("check.sh", "#!/bin/sh\ntouch replaced\n");

    expect((await kit.call(read)).error?.message).toContain("check.sh changed after the session");
    expect(await world.read("replaced")).toBeUndefined();
  });

  test("run anywhere where they name only data of the workspace", async () => {
    await using world = await hookWorld({}, files);
    await using kit = await world.open({ ...userHooks("cat a.txt >> seen.txt"), trust: false });

    expect((await kit.call(read)).status).toBe("ok");

    expect(await world.read("seen.txt")).toBe(files["a.txt"]);
  });
});

test("once trust was ended, hooks and skills of an open session do not run any more", async () => {
  await using world = await hookWorld(
    { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command: canary }] }] },
    { ...files, ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nDo it." },
  );
  await world.trust();
  await using kit = await world.openRecorded();
  await (await kit.workspace.trust()).revoke();

  const called = await kit.call(read);
  const used = await kit.call({ name: "Skill", input: { skill: "s" } });

  expect(called.error).toMatchObject({
    code: "BLOCKED_BY_HOOK",
    message: expect.stringContaining("the workspace is not trusted any more"),
  });
  expect(used.error).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await world.read("canary")).toBeUndefined();
  await using again = await world.openRecorded();
  expect((await again.call(read)).status).toBe("ok");
});
