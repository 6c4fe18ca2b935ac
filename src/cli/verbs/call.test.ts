import { symlink, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft, treeHash } from "../../../test/support/cli.ts";

const greeting = { "a.txt": "one\ntwo\nthree\n" };

test("a tool for background tasks says where those are to be found", async () => {
  await using world = await cliWorld();

  const { code, err } = await haft(["call", "TaskOutput", "task_id=t"], { world });

  expect(code).toBe(1);
  expect(err).toMatchInlineSnapshot(`
    "haft: TaskOutput manages background tasks, but haft call has none, because it ends with its call.
    haft tasks lists the tasks of other programs, shows their output, and stops them.
    "
  `);
});

test("a tool for agents says where those are to be found", async () => {
  await using world = await cliWorld();

  const { code, err } = await haft(["call", "Agent", "prompt=x", "description=y"], { world });

  expect(code).toBe(1);
  expect(err).toMatchInlineSnapshot(`
    "haft: Agent works with agents, but haft call has none: agents belong to a run.
    haft run starts a run, and haft agents lists its agents.
    "
  `);
});

test.each([
  ["TaskOutput", "task_id=x"],
  ["TaskStop", "task_id=x"],
  ["TaskInput", "task_id=x", "text=y"],
])("%s is not asked about first, with a rule as the advice", async (...words) => {
  await using world = await cliWorld();

  const { code, err } = await haft(["call", ...words], { world });

  expect(code).toBe(1);
  expect(err).toMatch(/^haft: Task\w+ manages background tasks/u);
});

test("the answer goes to standard output and nothing else does", async () => {
  await using world = await cliWorld(greeting);

  const { code, out, err } = await haft(["call", "Read", "file_path=a.txt", "limit:=2"], { world });

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatchInlineSnapshot(`
    "1	one
    2	two
    (Lines 1 to 2 of 3. Continue with offset 3.)
    "
  `);
});

test.each([
  ["JSON", ['{"file_path": "a.txt"}'], ""],
  ["standard input", ["-"], '{"file_path": "a.txt"}'],
  ["keys", ["file_path=a.txt"], ""],
  ["an alias of the key", ["path=a.txt"], ""],
])("the input may come as %s", async (_form, words, stdin) => {
  await using world = await cliWorld(greeting);

  const { code, out } = await haft(["call", "Read", ...words], { world, stdin });

  expect(code).toBe(0);
  expect(out).toContain("3	three");
});

test("keys that begin with a dash reach the tool", async () => {
  await using world = await cliWorld(greeting);

  const given = ["pattern=TWO", "-i:=true", "-B:=1", "output_mode=content"];
  const { code, out } = await haft(["call", "Grep", ...given], { world });

  expect(code).toBe(0);
  expect(out).toContain("1- one\n2: two");
});

test("repairs of JSON input are reported on stderr; key=value arguments are converted to the schema silently", async () => {
  await using world = await cliWorld(greeting);

  const json = await haft(["call", "Read", '{"file_path": "a.txt", "limit": "1"}'], { world });
  const keys = await haft(["call", "Read", "file_path=a.txt", "limit=1"], { world });

  expect([json.code, keys.code]).toEqual([0, 0]);
  expect(keys.out).toBe(json.out);
  expect(keys.err).toBe("");
  expect(json.err).toBe('repaired: "1" was text and was taken as a number.\n');
});

test("--json prints the outcome as one document", async () => {
  await using world = await cliWorld(greeting);

  const { code, out } = await haft(["call", "Read", "file_path=a.txt", "--json"], { world });
  const outcome: unknown = JSON.parse(out);

  expect(code).toBe(0);
  expect(outcome).toMatchObject({
    tool: "Read",
    status: "ok",
    isError: false,
    decision: { kind: "allow" },
    effects: [{ kind: "read", path: path.join(world.workspace, "a.txt"), scope: "file" }],
  });
});

test("a failed call is printed on standard error with its code and next step", async () => {
  await using world = await cliWorld();

  const { code, out, err } = await haft(["call", "Read", "file_path=missing.txt"], { world });

  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatchInlineSnapshot(`
    "NOT_FOUND: missing.txt does not exist.
    Check the path; Glob finds files by name, ListDir shows a directory.
    "
  `);
});

test("a failed call with --json is a document on standard output", async () => {
  await using world = await cliWorld();

  const { code, out, err } = await haft(["call", "Read", "file_path=no.txt", "--json"], { world });

  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(JSON.parse(out)).toMatchObject({ status: "failed", error: { code: "NOT_FOUND" } });
});

test("an unknown tool names the nearest and all there are", async () => {
  await using world = await cliWorld();

  const { code, err } = await haft(["call", "Raed", "file_path=a.txt"], { world });

  expect(code).toBe(1);
  expect(err).toContain('There is no tool named "Raed". Did you mean Read?');
  expect(err).toContain("Glob, Grep, ListDir, NotebookEdit, Read, ");
});

test.each([
  ["no tool", [], "Which tool?"],
  ["a word that is not an argument", ["Read", "a.txt"], "Did you mean file_path=a.txt?"],
  ["a key given twice", ["Read", "file_path=a", "file_path=b"], "file_path is given twice."],
  ["invalid JSON", ["Read", "limit:=x"], "limit:= must be followed by JSON"],
  ["an unknown mode", ["Read", "file_path=a", "--mode", "plna"], "Did you mean plan?"],
  ["a folder that is not there", ["Read", "file_path=a", "-C", "/nowhere"], "/nowhere"],
  ["a rule that cannot be read", ["Read", "file_path=a", "--allow", "Bash("], "--allow Bash("],
  ["a deny rule that cannot be read", ["Read", "file_path=a", "--deny", "Read("], "--deny Read("],
])("%s is an error of usage", async (_what, words, says) => {
  await using world = await cliWorld();

  const { code, out, err } = await haft(["call", ...words], { world });

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
  expect(err.trim().split("\n").length).toBeGreaterThan(1);
});

test("what would be asked is refused where nobody can answer, and the way out is named", async () => {
  await using world = await cliWorld();
  const before = await treeHash(world.workspace);

  const { code, out, err } = await haft(["call", "Write", "file_path=x.txt", "content=hi"], {
    world,
  });

  expect({ code, out }).toEqual({ code: 4, out: "" });
  expect(err).toMatchInlineSnapshot(`
    "APPROVAL_REQUIRED: Write needs approval, and no user is available to give it: Changing files in the workspace needs approval in default mode.
    The user can allow it with the rule Edit(/x.txt), or by a mode that allows it.
    To answer yes beforehand, add --yes; to allow just this, add --allow 'Edit(/x.txt)'.
    "
  `);
  expect(await treeHash(world.workspace)).toBe(before);
});

test("--yes answers what would be asked", async () => {
  await using world = await cliWorld();

  const { code } = await haft(["call", "Write", "file_path=x.txt", "content=hi", "--yes"], {
    world,
  });

  expect(code).toBe(0);
  expect(await readFile(path.join(world.workspace, "x.txt"), "utf8")).toBe("hi");
});

test("--allow allows what its rule names and nothing else", async () => {
  await using world = await cliWorld();
  const allow = ["--allow", "Edit(/x.txt)"];

  const named = await haft(["call", "Write", "file_path=x.txt", "content=hi", ...allow], { world });
  const other = await haft(["call", "Write", "file_path=y.txt", "content=hi", ...allow], { world });

  expect([named.code, other.code]).toEqual([0, 4]);
});

test("--deny beats --yes", async () => {
  await using world = await cliWorld(greeting);

  const { code, err } = await haft(
    ["call", "Read", "file_path=a.txt", "--deny", "Read(a.txt)", "-y"],
    { world },
  );

  expect(code).toBe(3);
  expect(err).toContain("PERMISSION_DENIED");
});

test("plan mode denies a change, and --yes does not help", async () => {
  await using world = await cliWorld();
  const before = await treeHash(world.workspace);
  const words = ["call", "Write", "file_path=x.txt", "content=hi", "--mode", "plan"];

  const plain = await haft(words, { world });
  const yes = await haft([...words, "--yes"], { world });

  expect([plain.code, yes.code]).toEqual([3, 3]);
  expect(plain.err).toContain("Plan mode changes no file.");
  expect(await treeHash(world.workspace)).toBe(before);
});

test("a link that leaves the workspace is asked about as what it leads to", async () => {
  await using world = await cliWorld();
  await writeFile(path.join(world.folder, "outside.txt"), "secret\n");
  await symlink("../outside.txt", path.join(world.workspace, "link.txt"));

  const { code, out, err } = await haft(["call", "Read", "file_path=link.txt"], { world });

  expect({ code, out }).toEqual({ code: 4, out: "" });
  expect(err).toContain("It is outside the workspace.");
});

test("a call that runs out of time exits with 124", async () => {
  await using world = await cliWorld();

  const words = ["call", "Bash", "command=sleep 60", "timeout:=50", "--yes"];
  const { code, err } = await haft(words, { world });

  expect(code).toBe(124);
  expect(err).toContain("TIMEOUT");
});

test("a command that fails exits with 1, its output on standard output", async () => {
  await using world = await cliWorld();

  const words = ["call", "Bash", "command=echo said; exit 3", "--yes"];
  const { code, out } = await haft(words, { world });

  expect(code).toBe(1);
  expect(out).toContain("said");
});

test("a person may edit and overwrite a file without reading it first", async () => {
  await using world = await cliWorld(greeting);
  const edit = ["call", "Edit", "file_path=a.txt", "old_string=two", "new_string=2", "-y"];

  const edited = await haft(edit, { world });
  const after = await readFile(path.join(world.workspace, "a.txt"), "utf8");
  const written = await haft(["call", "Write", "file_path=a.txt", "content=new", "-y"], { world });

  expect([edited.code, written.code]).toEqual([0, 0]);
  expect(after).toBe("one\n2\nthree\n");
  expect(await readFile(path.join(world.workspace, "a.txt"), "utf8")).toBe("new");
});

test("a terminal user sees how to undo a change; a pipe does not", async () => {
  await using world = await cliWorld();
  const words = ["call", "Write", "-y", "file_path=x.txt"];

  const piped = await haft([...words, "content=one"], { world });
  const watched = await haft([...words, "content=two"], { world, isInteractive: true });

  expect(piped.err).toBe("");
  expect(watched.err).toContain("haft undo undoes it.");
});

test.each([
  [["Read", "file_path=a.txt"], 0, "allow"],
  [["Write", "file_path=new.txt", "content=x"], 4, "ask"],
  [["Write", "file_path=new.txt", "content=x", "--mode", "acceptEdits"], 0, "allow"],
  [["Write", "file_path=new.txt", "content=x", "--mode", "plan"], 3, "deny"],
  [["Bash", "command=touch made.txt", "--yes"], 0, "ask"],
  [["Bash", "command=touch made.txt"], 4, "ask"],
  [["Read", "limit:=1"], 1, "INVALID_INPUT"],
])("--dry-run of %j changes nothing and exits with %i", async (words, exit, says) => {
  await using world = await cliWorld(greeting);
  const before = await treeHash(world.workspace);

  const { code, out } = await haft(["call", ...words, "--dry-run"], { world });

  expect(code).toBe(exit);
  expect(out.split("\n")[0]).toBe(`${words[0]}: ${says}`);
  expect(await treeHash(world.workspace)).toBe(before);
});

test("an option of a tool gets an error that says how to write it", async () => {
  const { code, err } = await haft(["call", "Read", "--limit", "5"]);

  expect(code).toBe(2);
  expect(err).toBe(
    "haft: There is no option --limit here.\nWhat a tool takes is written key=text or key:=json, as in limit:=5.\n",
  );
});
