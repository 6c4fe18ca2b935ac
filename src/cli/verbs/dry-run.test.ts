import { expect, test } from "vitest";
import { cliWorld, haft, treeHash } from "../../../test/support/cli.ts";

const files = { "a.txt": "one\ntwo\n", "b.txt": "b\n" };

test("a dry run shows rule and difference, in colours on a terminal only", async () => {
  await using world = await cliWorld(files);
  const words = ["call", "Edit", "file_path=a.txt", "old_string=two", "new_string=2", "--dry-run"];
  const before = await treeHash(world.workspace);

  const plain = await haft([...words, "--mode", "acceptEdits"], { world });
  const coloured = await haft(words, { world, hasColours: true });

  expect(plain.code).toBe(0);
  expect(plain.out).toMatchInlineSnapshot(`
    "Edit: allow
      allow  read a.txt
      allow  change a.txt

    Why
      allow  Files inside the workspace may be read.
             allow rule acceptEdits: read-inside (mode)
      allow  acceptEdits mode changes files inside the workspace unasked.
             allow rule acceptEdits: write-inside (mode)

    What it would do
      Would change a.txt (1 added, 1 removed).

      --- a.txt
      +++ a.txt
      @@ -1,2 +1,2 @@
       one
      -two
      +2
    "
  `);
  expect(coloured.code).toBe(4);
  expect(coloured.out).toContain("<green>+2</green>");
  expect(coloured.out).toContain("<red>-two</red>");
  expect(await treeHash(world.workspace)).toBe(before);
});

test("a dry run of a look gives its answer", async () => {
  await using world = await cliWorld(files);

  const { code, out } = await haft(["call", "Read", "file_path=b.txt", "--dry-run"], { world });

  expect(code).toBe(0);
  expect(out).toContain("Would change nothing");
  expect(out).toContain("What it would answer\n1\tb\n");
});

test("a dry run of a program says what it cannot know", async () => {
  await using world = await cliWorld(files);

  const { out } = await haft(["call", "Bash", "command=node x.js", "--dry-run"], { world });

  expect(out).toContain("What it would do is not known exactly\n");
});

test("a dry run of a call that would fail says why, and of a denied one shows nothing", async () => {
  await using world = await cliWorld(files);
  const edit = ["call", "Edit", "file_path=a.txt", "old_string=zzz", "new_string=2", "--dry-run"];

  const failing = await haft([...edit, "--mode", "acceptEdits"], { world });
  const denied = await haft([...edit, "--deny", "Edit(a.txt)"], { world });

  expect(failing).toMatchObject({ code: 1 });
  expect(failing.out).toContain("NO_MATCH");
  expect(denied).toMatchObject({ code: 3 });
  expect(denied.out).not.toContain("zzz");
});

test("--json is the explanation with the changes path by path", async () => {
  await using world = await cliWorld(files);
  const words = ["call", "Write", "file_path=new.txt", "content=x", "--dry-run", "--json"];

  const { code, out } = await haft(words, { world });
  const shown: unknown = JSON.parse(out);

  expect(code).toBe(4);
  expect(shown).toMatchObject({
    tool: "Write",
    decision: { kind: "ask" },
    preview: { basis: "run", changes: [{ change: "created", added: 1, kind: "file" }] },
  });
});

test("tools show and list say how well a call can be undone", async () => {
  await using world = await cliWorld();
  const level = async (name: string) => {
    const { out } = await haft(["tools", "show", name], { world });
    return /^level +(.*)$/mu.exec(out)?.[1];
  };

  expect(await level("Edit")).toBe("2: preview and undo");
  expect(await level("Read")).toBe("2: it changes nothing");
  expect(await level("TaskStop")).toBe("0: it may do more than can be undone");
  const listed = await haft(["tools", "list", "--json"], { world });
  const shown = await haft(["tools", "show", "Bash", "--json"], { world });
  expect(JSON.parse(listed.out)).toContainEqual(
    expect.objectContaining({ name: "Write", level: 2 }),
  );
  // If overlays work on this machine, commands can be previewed and undone.
  expect(JSON.parse(shown.out)).toMatchObject({
    level: expect.toBeOneOf([0, 2]),
    staged: "commands",
  });
});
