import { describe, expect, test } from "vitest";
import { deciding, hookWorld } from "./hook-world.ts";

const read = { name: "Read", input: { file_path: "a.txt" } };
const write = { name: "Write", input: { file_path: "b.txt", content: "x" } };
const files = { "a.txt": "alpha\n" };
const guard = {
  PreToolUse: [
    { matcher: "Read|Write", hooks: [{ type: "command", command: "./check.sh" }] },
    { matcher: "Bash", hooks: [{ type: "command", command: "./other.sh" }] },
  ],
};
const scripts = { "check.sh": "#!/bin/sh\ntouch ran\n", "other.sh": "#!/bin/sh\n" };

function onlyIf(rule: string) {
  return { PreToolUse: [{ hooks: [{ type: "command", command: "true", if: rule }] }] };
}

describe("the explanation of a call", () => {
  test("names the hooks that would be asked, and runs none", async () => {
    await using world = await hookWorld(guard, { ...files, ...scripts });
    await using kit = await world.open();

    const { decision } = await kit.explain(read);

    const notes = decision?.trail.filter(({ verdict }) => verdict === "note");
    expect(decision?.kind).toBe("allow");
    expect(notes).toMatchObject([{ text: expect.stringContaining("./check.sh in") }]);
    expect(await world.read("ran")).toBeUndefined();
  });

  test("leaves out a hook whose condition the call does not meet", async () => {
    await using met = await hookWorld(onlyIf("Read(a.txt)"), files);
    await using other = await hookWorld(onlyIf("Read(other.txt)"), files);
    await using kit = await met.open();
    await using otherKit = await other.open();

    const [one, two] = [await kit.explain(read), await otherKit.explain(read)];

    expect(one.decision?.trail).toHaveLength(2);
    expect(two.decision?.trail).toHaveLength(1);
  });

  test.each([
    ["without hooks of settings", {}],
    ["with hooks of settings", guard],
  ])("says that hooks of the program are asked, %s", async (_what, given) => {
    await using world = await hookWorld(given, { ...files, ...scripts });
    let asked = 0;
    const hook = () => {
      asked += 1;
      return { block: "never" };
    };
    await using one = await world.open({ hooks: { before: [hook] } });
    await using two = await world.open({ hooks: { before: [hook, hook] } });

    const texts = [await one.explain(read), await two.explain(read)].map(({ decision }) =>
      decision?.trail.map(({ text }) => text).join(),
    );

    expect(texts[0]).toContain("A hook of the program that opened the toolkit is asked");
    expect(texts[1]).toContain("2 hooks of the program that opened the toolkit are asked");
    expect(asked).toBe(0);
  });

  test("says that a call asks because trust has ended, which files ended it, and what to do", async () => {
    await using world = await hookWorld(guard, { ...files, ...scripts });
    await world.trust();
    await world.write("check.sh", "#!/bin/sh\nexit 2\n");
    await using kit = await world.openRecorded();

    const { decision } = await kit.explain(read);
    const { error } = await kit.call(read);
    const { checks } = await kit.doctor();
    const said = kit.workspace.problems.map(({ message }) => message).join();

    expect(decision).toMatchObject({ kind: "ask" });
    expect(decision?.trail.at(-1)).toMatchObject({
      verdict: "ask",
      text: expect.stringContaining("was trusted and has changed since (check.sh)"),
      hint: expect.stringContaining("haft trust add"),
    });
    expect(error).toMatchObject({
      code: "APPROVAL_REQUIRED",
      hint: expect.stringMatching(/^Do it another way, or ask the user\. haft trust add/u),
    });
    expect(checks.find(({ name }) => name === "hooks")?.text).toMatch(
      /check\.sh \([^)]*needs trust\)/u,
    );
    expect(said).toContain("not trusted any more, because of changes to check.sh:");
  });

  test("says that a hook whose script changed in this session blocks the call", async () => {
    await using world = await hookWorld(guard, { ...files, ...scripts });
    await world.trust();
    await using kit = await world.openRecorded();
    await world.write("check.sh", "#!/bin/sh\nexit 0\n");

    const { decision, error } = await kit.explain(read);

    expect(error).toBeUndefined();
    expect(decision).toMatchObject({ kind: "deny", rule: { scope: "hook" } });
    expect(decision?.trail.at(-1)?.text).toContain("check.sh changed after the workspace");
  });
});

describe("a refusal because of a hook names the hook, and no mode", () => {
  test("that asks, where no user can answer", async () => {
    const ask = deciding({ permissionDecision: "ask", permissionDecisionReason: "production" });
    await using world = await hookWorld({ PreToolUse: ask }, files);
    await using kit = await world.open({ mode: "bypassPermissions" });

    const { error } = await kit.call(write);

    expect(error?.code).toBe("APPROVAL_REQUIRED");
    expect(error?.hint).toMatch(
      /No rule and no mode answers the hook PreToolUse cat .*settings\.json:\d+\.$/u,
    );
  });

  test("that asks together with a rule, with both reasons", async () => {
    const ask = deciding({ permissionDecision: "ask", permissionDecisionReason: "production" });
    await using world = await hookWorld({ PreToolUse: ask }, files);
    await using kit = await world.open();

    const { error } = await kit.call(write);

    expect(error?.message).toMatch(/needs approval in default mode\. production$/u);
  });

  test("that asks in a mode that refuses questions", async () => {
    const ask = deciding({ permissionDecision: "ask", permissionDecisionReason: "production" });
    await using world = await hookWorld({ PreToolUse: ask }, files);
    await using kit = await world.open({ mode: "dontAsk", rules: { allow: ["Edit"] } });

    const { error } = await kit.call(write);

    expect(error?.code).toBe("PERMISSION_DENIED");
    expect(error?.hint).toContain("answers the hook PreToolUse");
  });

  test("that blocks", async () => {
    await using world = await hookWorld({ PreToolUse: "echo not on Fridays >&2; exit 2" }, files);
    await using kit = await world.open();

    const { error } = await kit.call(read);

    expect(error?.message).toBe("A hook blocked Read: not on Fridays");
    expect(error?.hint).toMatch(/ask the user to change the hook PreToolUse echo .*\.json:\d+\.$/u);
  });
});
