import { rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { hookWorld } from "./hook-world.ts";

/** The most common hook: it formats the file that a call has changed. */
const formatter = `file=$(sed -n 's/.*"file_path":"\\([^"]*\\)".*/\\1/p' | head -n 1); sed -i 's/  */ /g' "$file"`;
const onEdits = {
  PostToolUse: [
    { matcher: "Edit|Write|MultiEdit", hooks: [{ type: "command", command: formatter }] },
  ],
};

describe("a formatter that runs after edits", () => {
  test("changes the file of the call: the model reads how, edits it at once, and undo restores it", async () => {
    await using world = await hookWorld(onEdits, { "a.txt": "one\ntwo\nthree\n" });
    await using kit = await world.open({ rules: { allow: ["Edit"] } });
    const edit = (old_string: string, new_string: string) =>
      kit.call(
        { name: "Edit", input: { file_path: "a.txt", old_string, new_string } },
        { sessionId: "s1" },
      );
    await kit.call({ name: "Read", input: { file_path: "a.txt" } }, { sessionId: "s1" });

    const first = await edit("two", "two    times");
    const formatted = await world.read("a.txt");
    const second = await edit("two times", "twice");

    expect(first.status).toBe("ok");
    expect(formatted).toBe("one\ntwo times\nthree\n");
    expect(first.text).toContain("A hook of this call changed a.txt");
    expect(first.metadata["hookChanges"]).toEqual([world.at("a.txt")]);
    expect(first.text).toContain("-two    times\n+two times");
    expect(second).toMatchObject({ status: "ok" });
    await kit.undo({ last: 2 });
    expect(await world.read("a.txt")).toBe("one\ntwo\nthree\n");
  });

  test("belongs to a call that created the file: undo removes it", async () => {
    await using world = await hookWorld(onEdits);
    await using kit = await world.open({ rules: { allow: ["Edit"] } });

    await kit.call({ name: "Write", input: { file_path: "new.txt", content: "a    b\n" } });
    expect(await world.read("new.txt")).toBe("a b\n");
    const [entry] = await kit.history();
    await kit.undo();

    expect(entry).toMatchObject({ changes: [{ path: world.at("new.txt"), change: "created" }] });
    expect(await world.read("new.txt")).toBeUndefined();
  });

  test("may restore the former text: then nothing but a time is left to undo", async () => {
    await using world = await hookWorld(onEdits, { "a.txt": "a b\n" });
    await using kit = await world.open({ rules: { allow: ["Edit"] } });

    await kit.call({ name: "Read", input: { file_path: "a.txt" } });
    await kit.call({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "a b", new_string: "a    b" },
    });

    expect(await world.read("a.txt")).toBe("a b\n");
    expect(await kit.history()).toMatchObject([{ changes: [{ change: "time" }] }]);
  });

  test("may change more than is shown: those lines are read before they are edited", async () => {
    const long = Array.from({ length: 900 }, (_none, index) => `line  ${index}\n`).join("");
    await using world = await hookWorld(onEdits, { "a.txt": `head\n${long}` });
    await using kit = await world.open({ rules: { allow: ["Edit"] } });
    const edit = (old_string: string, new_string: string) =>
      kit.call({ name: "Edit", input: { file_path: "a.txt", old_string, new_string } });
    await kit.call({ name: "Read", input: { file_path: "a.txt", limit: 2000 } });

    const first = await edit("head", "Head");
    const known = await edit("Head", "HEAD");
    const unknown = await edit("line 7\n", "line seven\n");

    expect(first.text).toContain("read lines 2 to 901 again before you edit them");
    expect(known.status).toBe("ok");
    expect(unknown.error).toMatchObject({ code: "NOT_READ" });
  });

  test("may remove the file, which undo restores", async () => {
    const hooks = {
      PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "rm a.txt" }] }],
    };
    await using world = await hookWorld(hooks, { "a.txt": "one\n" });
    await using kit = await world.open({ rules: { allow: ["Edit"] } });
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    const edited = await kit.call({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "two" },
    });
    await kit.undo();

    expect(edited.text).toContain("A hook of this call deleted a.txt");
    expect(await world.read("a.txt")).toBe("one\n");
  });

  test("formats what a command wrote, and undo covers both", async () => {
    const hooks = {
      PostToolUse: [
        { matcher: "Bash", hooks: [{ type: "command", command: "sed -i 's/  */ /g' a.txt" }] },
      ],
    };
    await using world = await hookWorld(hooks, { "a.txt": "one\n" });
    await using kit = await world.open({ rules: { allow: ["Bash", "Edit"] } });

    await kit.call({ name: "Bash", input: { command: "printf 'two   words\\n' > a.txt" } });
    expect(await world.read("a.txt")).toBe("two words\n");
    await kit.undo();

    expect(await world.read("a.txt")).toBe("one\n");
  });
});

test("a change after the hooks of a call is that of another program, and undo refuses it", async () => {
  await using world = await hookWorld(onEdits, { "a.txt": "one\n" });
  await using kit = await world.open({ rules: { allow: ["Edit"] } });
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  await kit.call({
    name: "Edit",
    input: { file_path: "a.txt", old_string: "one", new_string: "two  words" },
  });

  await rm(world.at("a.txt"));
  await world.write("a.txt", "mine\n");

  await expect(kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
  expect(await world.read("a.txt")).toBe("mine\n");
});
