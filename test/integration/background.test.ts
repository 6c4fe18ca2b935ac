import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { bash, kitFolder } from "../support/kit-folder.ts";
import { isSleeping } from "../support/machine-processes.ts";
import { type HaftEvent, type Kit, type Mode } from "../../src/index.ts";

const { open } = kitFolder("haft-background-", async (place) => {
  await mkdir(place("work/sub/deep"), { recursive: true });
});

async function started(kit: Kit, command: string): Promise<string> {
  const { metadata } = await bash(kit, command, { run_in_background: true });
  return String(metadata["taskId"]);
}

const task = async (kit: Kit, name: string, input: object) => await kit.call({ name, input });

test("the timeout of a background command stops it, and without one it continues", async () => {
  const kit = await open();
  const { text, metadata } = await bash(kit, "echo up; sleep 3071", {
    run_in_background: true,
    timeout: 200,
  });
  const unlimited = await started(kit, "sleep 3072");
  const id = String(metadata["taskId"]);

  const ended = await task(kit, "TaskOutput", { task_id: id, block: true, timeout: 30_000 });

  expect(text).toContain("it ends with the session. It is stopped after 0.2 s.");
  expect(ended.text).toMatch(/stopped because its timeout had passed/u);
  expect(isSleeping("3071")).toBe(false);
  const { text: other } = await task(kit, "TaskOutput", { task_id: unlimited });
  expect(other).toContain("running");
});

test("a task is asked something, answers, and tells its end", async () => {
  const events: HaftEvent[] = [];
  const kit = await open({ onEvent: (event) => events.push(event) });
  const id = await started(kit, "echo name?; read name; echo hello $name; echo oops >&2; exit 3");

  const asking = await task(kit, "TaskOutput", { task_id: id, block: true, timeout: 30_000 });
  await task(kit, "TaskInput", { task_id: id, text: "you" });
  const ended = await task(kit, "TaskOutput", { bash_id: id, block: true, timeout: 30_000 });
  const again = await task(kit, "TaskOutput", { task_id: id, offset: 1 });

  expect(asking.text).toContain("name?\n");
  expect(asking.metadata["isWaitingForInput"]).toBe(process.platform === "linux");
  expect(ended.text).toBe(`hello you\n[stderr]\noops\n(${id} ended with exit code 3.)`);
  expect(again.text).toContain("name?\nhello you\n[stderr]\noops\n");
  const told = events.filter(({ type }) => type === "task-start" || type === "task-end");
  expect(told).toMatchObject([
    { type: "task-start", task: { id, status: "running" } },
    { type: "task-end", task: { id, status: "ended", exitCode: 3 } },
  ]);
});

test.for([
  {
    because: "a character was cut",
    before: String.raw`printf 'caf\xc3'`,
    after: String.raw`printf '\xa9 au lait\n'`,
    output: "caf\u00e9 au lait\n",
  },
  {
    because: "a line of stderr was not done",
    before: "printf half >&2",
    after: "echo ' line' >&2; echo out",
    output: "[stderr]\nhalf line\n[stdout]\nout\n",
  },
  {
    because: "its output was not text",
    before: String.raw`printf '\xff\xd8\xff'`,
    after: "printf '%997s' x",
    output: "[JPEG image, 1 kB: not shown. Write it to a file with > to keep it.]\n",
  },
  {
    because: "invalid bytes take more room as characters",
    before: String.raw`printf '\xe9\xe9\n'`,
    after: "echo end",
    output: "<E9><E9>\nend\n",
  },
])("a command past its time continues where it was: $because", async (each) => {
  const { before, after, output } = each;
  const kit = await open();

  const left = await bash(kit, `${before}; read -t 1 x <> <(:); ${after}`, { timeout: 500 });
  const task_id = String(left.metadata["taskId"]);
  await task(kit, "TaskOutput", { task_id, block: true, timeout: 30_000 });
  const all = await task(kit, "TaskOutput", { task_id, offset: 1 });

  expect(all.text.slice(0, output.length)).toBe(output);
  expect(all.metadata).toMatchObject({ totalBytes: Buffer.byteLength(output) });
  const artifacts = kit.storage.artifactDirectory;
  const [file = ""] = await readdir(artifacts);
  expect(await readFile(path.join(artifacts, file), "utf8")).toBe(output);
});

test("a command past its time is stopped as a task after limits.bash.promotedMs", async () => {
  const kit = await open({ limits: { bash: { promotedMs: 400 } } });

  const left = await bash(kit, "while :; do read -t 0.2 x <> <(:); done", { timeout: 300 });
  const id = String(left.metadata["taskId"]);
  const ended = await task(kit, "TaskOutput", { task_id: id, block: true, timeout: 30_000 });

  expect(left.text).toContain(`continues in the background as ${id}`);
  expect(ended.text).toMatch(/stopped because its timeout had passed/u);
});

test("a command past its time continues as a task, with all its output", async () => {
  const kit = await open();

  const left = await bash(kit, "for i in 1 2 3 4 5; do echo $i; read -t 0.2 x <> <(:); done", {
    timeout: 300,
  });
  const id = String(left.metadata["taskId"]);
  await task(kit, "TaskOutput", { task_id: id, block: true, timeout: 30_000 });
  const all = await task(kit, "TaskOutput", { task_id: id, offset: 1 });

  expect(left.status).toBe("ok");
  expect(left.text).toContain(`continues in the background as ${id}`);
  expect(all.text).toContain("1\n2\n3\n4\n5\n");
});

test.each([
  { command: "sleep 60", background: "promote" },
  { command: "echo git; read x < <(sleep 60)", background: "promote" },
  { command: "read x < <(sleep 60); g''it status", background: "promote" },
  { command: "read x < <(sleep 60)", background: "on-request" },
  { command: "read x < <(sleep 60)", background: "none" },
] as const)(
  "$command is stopped in time with background $background",
  async ({ command, background }) => {
    const kit = await open({ background });
    expect((await bash(kit, command, { timeout: 200 })).error?.code).toBe("TIMEOUT");
  },
);

test.skipIf(process.platform !== "linux")(
  "stopping a task ends all it started; so does the end of the kit",
  async () => {
    const kit = await open();
    // A sandbox has pids of its own, so each is known by how long it would sleep.
    const times = [0, 1].map((index) => `3${process.pid}.${index}`);
    const [id = "", other = ""] = await Promise.all(
      times.map(async (time) => await started(kit, `sleep ${time} & echo started; wait`)),
    );
    for (const task_id of [id, other]) {
      let text = "";
      while (!text.includes("started")) {
        ({ text } = await task(kit, "TaskOutput", { task_id, offset: 1 }));
      }
    }
    // The started process may not have become its program yet.
    await expect.poll(() => times.map(isSleeping)).toEqual([true, true]);

    expect((await task(kit, "KillShell", { task_id: id })).text).toContain(", stopped.");
    expect(times.map(isSleeping)).toEqual([false, true]);
    expect((await task(kit, "TaskList", {})).summary).toBe("1 task running");
    await kit.dispose();
    expect(times.map(isSleeping)).toEqual([false, false]);
  },
);

test("only tasks of the same session are reached", async () => {
  const kit = await open();
  const input = { command: "cat", run_in_background: true };
  const { metadata } = await kit.call({ name: "Bash", input }, { sessionId: "one" });
  const ask = { name: "TaskOutput", input: { task_id: metadata["taskId"] } };

  expect((await kit.call(ask, { sessionId: "two" })).error?.code).toBe("NOT_FOUND");
  expect((await kit.call(ask)).error?.code).toBe("NOT_FOUND");
  expect((await kit.call(ask, { sessionId: "one" })).status).toBe("ok");
  expect(await kit.tasks.list()).toHaveLength(1);
});

test("a command in the background is judged as one in front", async () => {
  const kit = await open({ mode: "default", rules: { deny: ["Bash(rm *)"] } });

  const denied = await bash(kit, "rm -r sub", { run_in_background: true });
  const asked = await bash(kit, "npm start", { run_in_background: true });

  expect([denied.error?.code, asked.error?.code]).toEqual([
    "PERMISSION_DENIED",
    "APPROVAL_REQUIRED",
  ]);
});

test("what is typed into a shell is held to the rules for commands", async () => {
  const kit = await open({ rules: { deny: ["Read(./secret.txt)"] } });
  const id = await started(kit, "bash");

  const typed = await task(kit, "TaskInput", { task_id: id, text: "cat secret.txt" });

  expect(typed.error?.code).toBe("PERMISSION_DENIED");
});

test.each([
  { program: "bash", text: "touch x", because: "a shell does what it reads" },
  { program: "cat", text: "touch x", because: "any program may hand it on to a shell" },
  { program: "python3 -i", text: "import os; os.system('touch x')", because: "a string in it" },
  { program: "node -i", text: 'execFileSync("touch", ["x"])', because: "words in it" },
])("a rule for commands holds for $text typed into $program: $because", async (given) => {
  const kit = await open({ rules: { deny: ["Bash(touch *)"] } });
  const id = await started(kit, given.program);

  const typed = await kit.explain({
    name: "TaskInput",
    input: { task_id: id, text: given.text },
  });

  expect(typed.decision).toMatchObject({ kind: "deny", rule: { rule: "Bash(touch *)" } });
});

test("plan mode ends no task, and every other mode does unasked", async () => {
  const kit = await open({ mode: "plan" });
  const verdict = async (mode: Mode): Promise<unknown> => {
    kit.setMode("bypassPermissions");
    const id = await started(kit, "sleep 60");
    kit.setMode(mode);
    const { decision } = await kit.explain({ name: "TaskStop", input: { task_id: id } });
    return decision?.kind;
  };

  expect(await verdict("plan")).toBe("deny");
  for (const mode of ["default", "acceptEdits", "dontAsk"] as const) {
    expect(await verdict(mode)).toBe("allow");
  }
});

test.each([
  { texts: ["ca", "t secret.txt"], because: "a line that comes in two parts is one line" },
  { texts: ["ca\\\n", "t secret.txt"], because: "a backslash continues the line" },
])("what is typed into a shell in parts is judged whole: $because", async ({ texts }) => {
  const kit = await open({ rules: { deny: ["Read(./secret.txt)"] } });
  const id = await started(kit, "bash");
  const type = async (text: string, enter: boolean) =>
    await task(kit, "TaskInput", { task_id: id, text, enter });
  const [first = "", second = ""] = texts;

  const begun = await type(first, false);
  const ended = await type(second, true);
  const finished = await type("", true);
  const next = await type("t secret.txt", true);

  expect([begun, ended, finished, next].map(({ status }) => status)).toEqual([
    "ok",
    "denied",
    "ok",
    "ok",
  ]);
});

test("two calls at once cannot type a line that neither was judged by", async () => {
  const kit = await open({ rules: { deny: ["Read(./secret.txt)"] } });
  const id = await started(kit, "bash");
  const type = async (text: string, enter: boolean) =>
    await task(kit, "TaskInput", { task_id: id, text, enter });

  const [begun] = await Promise.all([type("ca", false), type("t secret.txt", true)]);
  const again = await type("t secret.txt", true);

  // Whichever came first: the line is begun still, and the second part was not taken for its end.
  expect([begun.status, again.status]).toEqual(["ok", "denied"]);
});

test("a secret is hidden from wherever in it a task's output is read", async () => {
  const kit = await open();
  const secret = "a1B2".repeat(9);
  const id = await started(kit, `echo token ghp_""${secret}; echo over`);
  await task(kit, "TaskOutput", { task_id: id, block: true, timeout: 30_000 });

  const parts: string[] = [];
  for (const offset of [1, 8, 12, 20, 30]) {
    parts.push((await task(kit, "TaskOutput", { task_id: id, offset })).text);
  }

  expect(parts[0]).toContain("token [redacted: GitHub token]\nover");
  expect(parts.join("\n")).not.toContain("a1B2");
});
