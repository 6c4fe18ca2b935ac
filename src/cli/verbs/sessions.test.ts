import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft, type CliWorld } from "../../../test/support/cli.ts";
import { secret } from "../../../test/support/sessions.ts";

const script = {
  format: 1,
  name: "two",
  turns: [
    { calls: [{ name: "Write", input: { file_path: "a.txt", content: "one" } }] },
    { text: "Written." },
  ],
};

/** A workspace in which an agent ran once; the id of its session. */
async function worldWithSession(
  task = "write a file",
): Promise<{ readonly world: CliWorld; readonly id: string }> {
  const world = await cliWorld({ "plan.json": JSON.stringify(script) });
  const model = `script:${path.join(world.workspace, "plan.json")}`;
  const { code } = await haft(["run", "--model", model, "-y", task], { world });
  expect(code).toBe(0);
  const [session] = JSON.parse((await haft(["sessions", "--json"], { world })).out);
  return { world, id: session.sessionId };
}

test("sessions are listed with their state, and shown with numbered messages", async () => {
  const { world, id } = await worldWithSession();
  await using _ = world;

  const list = await haft(["sessions"], { world });
  const shown = await haft(["sessions", "show", "latest"], { world });

  expect(list.out).toBe(`${id}  done, now, 2 turns  write a file\n`);
  expect(shown.out).toContain(`${id}: write a file\n  done, script:two, ${world.workspace}\n`);
  expect(shown.out).toContain("\n1 user\n  write a file\n");
  expect(shown.out).toContain('\n2 assistant\n  Write {"file_path":"a.txt","content":"one"}\n');
  expect(shown.out).toContain("\n4 assistant\n  Written.\n");
});

test("texts of an imported session do not control the terminal", async () => {
  await using world = await cliWorld();
  const odd = "x\u001B[2J";
  const lines = [
    { type: "session", version: 1, sessionId: "s", title: odd, workspace: odd, createdAt: 1 },
    { type: "run", runId: odd, agentId: "", task: odd, model: odd, status: odd, startedAt: 1 },
    {
      type: "message",
      agentId: odd,
      runId: odd,
      messages: [
        { role: "assistant", content: [{ type: "tool-call", id: odd, name: odd, input: odd }] },
      ],
    },
  ];
  const file = path.join(world.folder, "odd.jsonl");
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));

  const imported = await haft(["sessions", "import", file], { world });
  const shown = await haft(["sessions", "show", "s"], { world });
  const listed = await haft(["sessions", "list"], { world });

  expect(imported.code).toBe(0);
  expect(shown.out).toContain("x␛[2J");
  expect(`${imported.out}${shown.out}${listed.out}`).not.toContain("\u001B");
});

test("a session is renamed, forked at a message, and deleted", async () => {
  const { world, id } = await worldWithSession();
  await using _ = world;

  const renamed = await haft(["sessions", "rename", id, "my", "title"], { world });
  const fork = (await haft(["sessions", "fork", id, "--message", "1"], { world })).out.trim();
  const deleted = await haft(["sessions", "delete", id], { world });
  const left = JSON.parse((await haft(["sessions", "--json"], { world })).out);

  expect(renamed.out).toBe(`Renamed ${id} to "my title".\n`);
  expect(deleted.out).toBe(`Deleted ${id}.\n`);
  expect(left).toMatchObject([{ sessionId: fork, title: "my title (fork)", messages: 1 }]);
});

test("an export goes to a file for its owner alone, and is imported again", async () => {
  const { world, id } = await worldWithSession(`use ${secret}`);
  await using _ = world;
  const file = path.join(world.folder, "session.jsonl");

  const exported = await haft(["sessions", "export", id, "--output", file], { world });
  const page = await haft(["sessions", "export", id, "--format", "html"], { world });
  await haft(["sessions", "delete", id], { world });
  const imported = await haft(["sessions", "import", file], { world });

  expect(exported.err).toContain(`Wrote ${file}.`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).not.toContain(secret);
  expect(page.out).toMatch(/^<!doctype html>/u);
  expect(page.out).not.toContain(secret);
  expect(imported.out).toBe(`${id}\n`);
});

test("secrets are exported only on request, and never shown", async () => {
  const { world, id } = await worldWithSession(`use ${secret}`);
  await using _ = world;

  const whole = await haft(["sessions", "export", id, "--secrets"], { world });
  const shown = await haft(["sessions", "show", id], { world });
  const json = await haft(["sessions", "show", id, "--json"], { world });

  expect(whole.out).toContain(secret);
  expect(shown.out + json.out).not.toContain(secret);
});

test.each([
  { words: ["lits"], says: 'There is no haft sessions "lits". Did you mean list?' },
  { words: ["show"], says: "ID is missing." },
  { words: ["rename", "x"], says: "TITLE is missing.\nWrite haft sessions rename ID TITLE." },
  { words: ["show", "nothing"], says: "There is no session nothing." },
  { words: ["show", "latest"], says: "No session is stored for this workspace." },
  { words: ["delete", "nothing"], says: "There is no session nothing." },
  { words: ["list", "--format", "html"], says: "--format is not an option of haft sessions list." },
  { words: ["list", "--limit", "0"], says: '--limit takes a number above 0, not "0".' },
  { words: ["export", "x", "--format", "pdf"], says: '--format "pdf" is neither jsonl nor html.' },
  { words: ["import", "nothing.jsonl"], says: "The file nothing.jsonl cannot be used (ENOENT)." },
  { words: ["show", "a", "b"], says: 'Unexpected argument "b".' },
])("$words is refused: $says", async ({ words, says }) => {
  await using world = await cliWorld();

  const { code, err } = await haft(["sessions", ...words], { world });

  expect(code).toBe(2);
  expect(err).toContain(says);
});

test("a file that is not a session is refused with its line", async () => {
  await using world = await cliWorld();
  const file = path.join(world.folder, "odd.jsonl");
  await writeFile(file, "hello\n");

  const { code, err } = await haft(["sessions", "import", file], { world });

  expect(code).toBe(2);
  expect(err).toContain("Line 1 of the session is not a JSON object.");
});

test("an empty list says so", async () => {
  await using world = await cliWorld();

  const { code, out, err } = await haft(["sessions"], { world });

  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toContain("No session is stored for this workspace.");
});
