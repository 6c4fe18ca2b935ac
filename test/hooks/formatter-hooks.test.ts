import { rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { hookWorld } from "./hook-world.ts";

/** The most common hook: it formats the file that a call has changed. */
const formatter = `file=$(sed -n 's/.*"file_path":"\\([^"]*\\)".*/\\1/p' | head -n 1); sed -i 's/  */ /g' "$file"`;
const shownFormatter = formatter.replaceAll("  ", " ");
const onEdits = {
  PostToolUse: [
    { matcher: "Edit|Write|MultiEdit", hooks: [{ type: "command", command: formatter }] },
  ],
};

/** Hooks with this command after calls that write files. */
function onWrites(command: string, matcher = "Edit|Write") {
  return { PostToolUse: [{ matcher, hooks: [{ type: "command", command }] }] };
}

function edit(old_string: string, new_string: string) {
  return { name: "Edit", input: { file_path: "a.txt", old_string, new_string } };
}

function lines(count: number): string {
  return Array.from({ length: count }, (_none, index) => `line ${index + 1}\n`).join("");
}

/** A request that is refused at once. */
const unreachable = { type: "http", url: "http://127.0.0.1:9/" };
const inBackground = { type: "command", command: "true", async: true };

describe("a formatter that runs after edits", () => {
  test("changes the file of the call: the model reads how, edits it at once, and undo restores it", async () => {
    await using world = await hookWorld(onEdits, { "a.txt": "one\ntwo\nthree\n" });
    await using kit = await world.open({ rules: { allow: ["Edit"] } });
    await kit.call({ name: "Read", input: { file_path: "a.txt" } }, { sessionId: "s1" });

    const first = await kit.call(edit("two", "two    times"), { sessionId: "s1" });
    const formatted = await world.read("a.txt");
    const second = await kit.call(edit("two times", "twice"), { sessionId: "s1" });

    expect(first.status).toBe("ok");
    expect(formatted).toBe("one\ntwo times\nthree\n");
    expect(first.text).toContain(`(While the hook \`${shownFormatter}\` ran, a.txt changed:)`);
    expect(first.metadata["hookChanges"]).toEqual([world.at("a.txt")]);
    expect(first.text).toContain("-two    times\n+two times");
    expect(second).toMatchObject({ status: "ok" });
    const undone = await kit.undo({ last: 2 });
    expect(undone.byHooks).toMatchObject([
      {
        path: world.at("a.txt"),
        note: expect.stringContaining("also what changed while the hook"),
      },
    ]);
    expect(await world.read("a.txt")).toBe("one\ntwo\nthree\n");
    await kit.redo();
    expect(await world.read("a.txt")).toBe("one\ntwice\nthree\n");
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
    await kit.call({ name: "Read", input: { file_path: "a.txt", limit: 2000 } });

    const first = await kit.call(edit("head", "Head"));
    const known = await kit.call(edit("Head", "HEAD"));
    const unknown = await kit.call(edit("line 7\n", "line seven\n"));

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

    expect(edited.text).toContain("(While the hook `rm a.txt` ran, a.txt was deleted or moved.)");
    expect(await world.read("a.txt")).toBe("one\n");
  });

  test("may move a file that the call created: undo says that it is not removed", async () => {
    await using world = await hookWorld(onWrites("mv a.txt b.txt"));
    await using kit = await world.open({ rules: { allow: ["Edit"] } });

    await kit.call({ name: "Write", input: { file_path: "a.txt", content: "one\n" } });
    const undone = await kit.undo();

    const note =
      "it was removed or moved while the hook `mv a.txt b.txt` ran after the call; a file to which it was moved stays";
    expect(undone).toMatchObject({
      changes: [],
      byHooks: [{ path: world.at("a.txt"), hooks: ["mv a.txt b.txt"], note }],
    });
    expect(await world.read("b.txt")).toBe("one\n");
  });

  test.for([
    { command: "ln -sf b.txt a.txt", became: "a.txt was replaced by a link" },
    { command: "rm a.txt; mkdir a.txt", became: "a.txt was replaced by a directory" },
    {
      command: "rm a.txt; mkfifo a.txt",
      became: "a.txt was replaced by a special file",
    },
  ])("may put something else in its place: $command", async ({ command, became }) => {
    await using world = await hookWorld(onWrites(command));
    await using kit = await world.open({ rules: { allow: ["Edit"] } });

    const written = await kit.call({
      name: "Write",
      input: { file_path: "a.txt", content: "one\n" },
    });

    expect(written.text).toContain(`(While the hook \`${command}\` ran, ${became}`);
  });

  test("may change files in ways that are not its own to undo: they are named together", async () => {
    const command = "for file in a.txt b.txt; do rm $file; mkdir $file; done";
    const hooks = { PostToolUse: [{ hooks: [{ type: "command", command }] }] };
    await using world = await hookWorld(hooks);
    await using kit = await world.open({ rules: { allow: ["Edit"] } });
    const patch =
      "*** Begin Patch\n*** Add File: a.txt\n+a\n*** Add File: b.txt\n+b\n*** End Patch";

    const patched = await kit.call({ name: "ApplyPatch", input: { patch } });

    expect(patched.text).toContain(
      `(While the hook \`${command}\` ran, a.txt, b.txt were replaced by a directory, perhaps by another program; undo does not cover that.`,
    );
  });

  test("may change both ends of a file: the lines between them were not seen", async () => {
    const command = "sed -i '1i // head' a.txt; echo // end >> a.txt";
    await using world = await hookWorld(onWrites(command), { "a.txt": lines(2000) });
    await using kit = await world.open({ rules: { allow: ["Edit"] } });
    await kit.call({ name: "Read", input: { file_path: "a.txt", limit: 10 } });

    const first = await kit.call(edit("line 4\n", "line four\n"));
    const unseen = await kit.call(edit("line 1500\n", "X\n"));
    const seen = await kit.call(edit("line 9\n", "line nine\n"));

    expect(first.text).toContain("+// head");
    expect(unseen.error).toMatchObject({ code: "NOT_READ" });
    expect(seen.status).toBe("ok");
  });

  test("may change more than a short answer shows: those lines are read before they are edited", async () => {
    const command = "sed -i 's/^line/LINE/' a.txt";
    await using world = await hookWorld(onWrites(command), { "a.txt": lines(40) });
    await using kit = await world.open({ rules: { allow: ["Edit"] }, maxChars: 600 });
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    const first = await kit.call(edit("line 4\n", "line four\n"));
    const unseen = await kit.call(edit("LINE 20\n", "X\n"));

    expect(first.text).not.toContain("LINE 20");
    expect(unseen.error).toMatchObject({ code: "NOT_READ" });
  });

  test("may change so much that no diff shows it: nothing of that was seen", async () => {
    const command = "seq -f 'line %g' 1 2500 > a.txt";
    await using world = await hookWorld(onWrites(command), { "a.txt": "one\ntwo\n" });
    await using kit = await world.open({ rules: { allow: ["Edit"] } });
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    const first = await kit.call(edit("two", "2"));
    const second = await kit.call(edit("line 1500\n", "X\n"));

    expect(first.text).toContain("read lines 1 to 2500 again before you edit them");
    expect(second.error).toMatchObject({ code: "NOT_READ" });
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

describe("what does not count as a change by a hook", () => {
  const foreign = "one\nTWO\nby the user\n";

  test.for([
    { what: "a function", hooks: {} },
    { what: "hooks that match other tools", hooks: onWrites("true", "Bash") },
    { what: "a hook that starts no program", hooks: { PostToolUse: [{ hooks: [unreachable] }] } },
    { what: "a hook in the background", hooks: { PostToolUse: [{ hooks: [inBackground] }] } },
  ])("a change while $what runs after the call", async ({ hooks }) => {
    await using world = await hookWorld(hooks, { "a.txt": "one\ntwo\n" });
    await using kit = await world.open({
      rules: { allow: ["Edit"] },
      hooks: { after: [async ({ tool }) => void (tool === "Edit" && (await save()))] },
    });
    const save = async () => await world.write("a.txt", foreign);
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    const edited = await kit.call(edit("two", "TWO"));

    expect(edited.metadata["hookChanges"]).toBeUndefined();
    expect(await kit.call(edit("TWO", "2"))).toMatchObject({ error: { code: "STALE_READ" } });
    await expect(kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
    expect(await world.read("a.txt")).toBe(foreign);
  });

  test("a change that was there before the hook started", async () => {
    await using world = await hookWorld(onEdits, { "a.txt": "one\ntwo\n" });
    await using kit = await world.open({
      rules: { allow: ["Edit"] },
      hooks: { after: [async ({ tool }) => void (tool === "Edit" && (await save()))] },
    });
    const save = async () => await world.write("a.txt", "by    the user\n");
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    await kit.call(edit("two", "TWO"));

    expect(await world.read("a.txt")).toBe("by the user\n");
    await expect(kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
  });
});
