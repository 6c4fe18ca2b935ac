import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { cliWorld, haft, type CliWorld } from "../../../test/support/cli.ts";
import { createToolkit, type Kit } from "../../index.ts";
import { describeTasks } from "../print/describe-task.ts";

vi.setConfig({ testTimeout: 60_000 });

const open: Kit[] = [];

afterEach(async () => {
  for (const kit of open.splice(0)) await kit.dispose();
});

/** Opens another toolkit with the same data directory, and a command it left running. */
async function program(world: CliWorld, command: string) {
  const kit = await createToolkit({
    workspace: world.workspace,
    dataDirectory: path.join(world.folder, "data"),
    mode: "bypassPermissions",
    sandbox: { require: "off" },
  });
  open.push(kit);
  const outcome = await kit.call(
    { name: "Bash", input: { command, run_in_background: true } },
    { sessionId: "elsewhere" },
  );
  return { kit, id: String(outcome.metadata["taskId"]) };
}

test("tasks lists what other programs left running, shows what it printed, and ends it", async () => {
  await using world = await cliWorld();
  const { kit, id } = await program(world, "echo one; echo two; sleep 60");
  // Another program sees the output once it is in the task's file.
  await expect.poll(async () => (await haft(["tasks"], { world })).out).toContain("8 B");

  const listed = await haft(["tasks"], { world });
  expect(listed).toMatchObject({ code: 0, err: "" });
  expect(listed.out).toMatch(
    new RegExp(
      `^${id} {2}command {2}running {2}\\d+ s {2}8 B {2}echo one; echo two; sleep 60\\n$`,
      "u",
    ),
  );
  const shown = await haft(["tasks", id], { world });
  expect(shown).toMatchObject({ code: 0, out: "one\ntwo\n" });
  expect(shown.err).toBe("echo one; echo two; sleep 60: running\n");
  expect((await haft(["tasks", id, "--lines", "1"], { world })).out).toBe("two\n");
  const asJson = await haft(["tasks", id, "--json"], { world });
  expect(JSON.parse(asJson.out)).toMatchObject({ id, status: "running", output: "one\ntwo\n" });

  const stopped = await haft(["tasks", "stop", id], { world });
  expect(stopped).toMatchObject({ code: 0, out: `Stopped ${id}: echo one; echo two; sleep 60\n` });
  await expect
    .poll(async () => (await kit.tasks.list()).map(({ status }) => status))
    .toEqual(["ended"]);
  const again = await haft(["tasks", "stop", id], { world });
  expect(again.code).toBe(0);
  expect(again.err).toContain(`${id} had already ended: `);
});

test("what is over stays in the list, also when no session was named", async () => {
  await using world = await cliWorld();
  const { kit, id } = await program(world, "echo done; exit 3");
  await expect.poll(async () => (await kit.tasks.list())[0]?.status).toBe("ended");
  await kit.dispose();

  const { out } = await haft(["tasks", "--json"], { world });

  expect(JSON.parse(out)).toMatchObject([{ id, status: "ended", exitCode: 3, printedBytes: 5 }]);
  expect((await haft(["tasks", id], { world })).out).toBe("done\n");
});

test("a session does not take for seen what a person looked at", async () => {
  await using world = await cliWorld();
  const { kit, id } = await program(world, "echo news; sleep 60");
  await expect.poll(async () => (await kit.tasks.read(id)).text).toBe("news\n");

  const call = { name: "TaskOutput", input: { task_id: id } };
  const outcome = await kit.call(call, { sessionId: "elsewhere" });

  expect(outcome.text).toContain("news");
});

test("control characters are shown to a person, and kept for a pipe", async () => {
  await using world = await cliWorld();
  const { kit, id } = await program(world, String.raw`printf '\033[2Jx'`);
  await expect.poll(async () => (await kit.tasks.list())[0]?.status).toBe("ended");

  const terminal = await haft(["tasks", id], { world, isOutputRead: true });

  expect(terminal.out).toBe("\u241B[2Jx\n");
  expect((await haft(["tasks", id], { world })).out).toBe("\u001B[2Jx");
});

test.each([
  [["tasks"], 0, "There are no tasks here.\n"],
  [["tasks", "task-1"], 1, "haft: There is no task task-1.\nNo task was started.\n"],
  [["tasks", "stop"], 2, "haft: Stop which task?\nhaft tasks lists the ids.\n"],
  [
    ["tasks", "a", "b"],
    2,
    'haft: Unexpected argument "b".\nIt is haft tasks, haft tasks ID, or haft tasks stop ID.\n',
  ],
  [["tasks", "a", "--lines", "0"], 2, 'haft: --lines takes a whole number above 0, not "0".\n'],
  [
    ["tasks", "--lines", "3"],
    2,
    "haft: --lines needs the id of a task.\nhaft tasks lists the ids.\n",
  ],
])("%j says what is wrong and what to do", async (words, code, err) => {
  await using world = await cliWorld();

  expect(await haft(words, { world })).toMatchObject({ code, err, out: "" });
});

test("a row tells state, age, output and command", () => {
  const task = {
    kind: "command",
    cwd: "/project",
    pid: 7,
    startedAt: 0,
    seenBytes: 0,
    takesInput: true,
    trust: "trusted",
    callId: "c",
  } as const;

  const rows = describeTasks(
    [
      { ...task, id: "task-1", status: "running", title: "npm\n start", printedBytes: 12 },
      {
        ...task,
        id: "task-2",
        status: "ended",
        title: "x".repeat(70),
        exitCode: 0,
        endedAt: 600_000,
        printedBytes: 1234,
      },
      {
        ...task,
        id: "task-3",
        status: "ended",
        title: "y",
        signal: "TERM",
        endedBy: "stop",
        endedAt: 9_000_000,
        printedBytes: 2_000_000,
      },
      { ...task, id: "task-4", status: "lost", title: "z\u0007", printedBytes: 0 },
    ],
    90_000,
  );

  expect(rows.join("\n")).toMatchInlineSnapshot(`
    "task-1  command  running        90 s    12 B    npm start
    task-2  command  exit 0         10 min  1.2 kB  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
    task-3  command  TERM, stopped  3 h     2.0 MB  y
    task-4  command  lost           90 s    0 B     z␇"
  `);
});
