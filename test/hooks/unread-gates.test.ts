import { describe, expect, test } from "vitest";
import { hookWorld } from "./hook-world.ts";

const read = { name: "Read", input: { file_path: "a.txt" } };
const files = { "a.txt": "alpha\n" };
const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });

describe("a gate that could not be read, or has failed, stays closed", () => {
  test.each([
    ["one that runs once and fails", command("exit 1", { once: true })],
    ["one that runs once and was not understood", { type: "comand", once: true }],
  ])("%s, for the second call too", async (_name, hook) => {
    await using world = await hookWorld({ PreToolUse: [{ hooks: [hook] }] }, files);
    await using kit = await world.open();

    await kit.call(read);
    const { error } = await kit.call(read);

    expect(error?.code).toBe("BLOCKED_BY_HOOK");
  });

  test("one after the most that are read", async () => {
    const idle = Array.from({ length: 200 }, () => command("true", { if: "Bash(never)" }));
    const hooks = [...idle, command("exit 2")];
    await using world = await hookWorld({ PreToolUse: [{ hooks }] }, files);
    await using kit = await world.open();

    const { error } = await kit.call(read);

    expect(error?.message).toMatch(/there are too many hooks/u);
  });

  test.each([["a list"], [["a list"]], [7], [null]])("hooks that are %j", async (hooks) => {
    await using world = await hookWorld({}, files);
    await world.write(".claude/settings.json", JSON.stringify({ hooks }));
    await using kit = await world.open();

    const { error } = await kit.call(read);

    expect(error?.code).toBe("BLOCKED_BY_HOOK");
    expect(kit.workspace.problems.map(({ message }) => message)).toContain(
      "`hooks` must be an object.",
    );
  });

  test("one that runs once and has answered does not run again", async () => {
    const once = command("exit 2", { once: true });
    await using world = await hookWorld({ PreToolUse: [{ hooks: [once] }] }, files);
    await using kit = await world.open();

    const statuses = [(await kit.call(read)).status, (await kit.call(read)).status];

    expect(statuses).toEqual(["denied", "ok"]);
  });
});
