// Tasks of a server that is killed, as the next server answers for them: real processes, both transports, both eras.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startServer, type Era, type Fields, type Server } from "./server-process.ts";
import { areLawsFull, tried } from "../support/law-runs.ts";

const folderOf = temporaryFolder("killed");
const cases = (["stdio", "http"] as const).flatMap((transport) =>
  (["2025-11-25", "2026-07-28"] as const).map((era) => ({ transport, era })),
);

// A developer's run tries each transport and each era once.
test.for(tried(cases, areLawsFull ? 1 : 3))(
  "$era over $transport: after kill -9 the next server has the state of a command and of an agent",
  { timeout: 120_000 },
  async ({ transport, era }) => {
    const folder = folderOf(`${transport}-${era}`);
    await mkdir(path.join(folder, "work"), { recursive: true });
    const killed = await startServer(folder, { transport, era });
    const command = await asTask(killed, era, {
      name: "Bash",
      arguments: { command: waits, run_in_background: true },
    });
    const agent = await asTask(killed, era, { name: "Agent", arguments: { prompt: "Work." } });
    await expect
      .poll(async () => await storedTask(folder, command), { timeout: 30_000 })
      .toMatchObject({ record: { inBackground: true } });
    await expect
      .poll(async () => await textOf(folder, "work/lines"), { timeout: 30_000 })
      .toBe("started\n");

    await killed.kill();
    const next = await startServer(folder, { transport, era });
    const running = await next.ask("tasks/get", { taskId: command });
    const lost = await next.ask("tasks/get", { taskId: agent });
    await writeFile(path.join(folder, "work/go"), "");
    const result = await resultOf(next, era, command);

    expect(running).toMatchObject({ taskId: command, status: "working" });
    expect(lost).toMatchObject({
      taskId: agent,
      status: "failed",
      statusMessage: "The server ended before the call did.",
    });
    expect(result).toMatchObject({
      isError: false,
      content: [{ text: expect.stringContaining("exit code 0") }],
    });
    expect(await textOf(folder, "work/lines")).toBe("started\nfinished\n");
  },
);

const stops = [
  { stopsAt: "before-record", era: "2025-11-25" },
  { stopsAt: "before-record", era: "2026-07-28" },
  { stopsAt: "after-record", era: "2025-11-25" },
  { stopsAt: "after-record", era: "2026-07-28" },
] as const;

test.for(tried(stops, areLawsFull ? 1 : 3))(
  "$era: a command whose server is killed $stopsAt of its start does not run, and its task has ended",
  { timeout: 120_000 },
  async ({ stopsAt, era }) => {
    const folder = folderOf(`${stopsAt}-${era}`);
    await mkdir(path.join(folder, "work"), { recursive: true });
    const killed = await startServer(folder, { transport: "stdio", era, stopsAt });
    const command = await asTask(killed, era, {
      name: "Bash",
      arguments: { command: waits, run_in_background: true },
    });
    await expect
      .poll(async () => await textOf(folder, "stopped"), { timeout: 30_000 })
      .toMatch(/^\d+$/u);
    const pid = Number(await textOf(folder, "stopped"));
    onTestFinished(() => void (isRunning(pid) && process.kill(-pid, "SIGKILL")));

    await killed.kill();
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    const next = await startServer(folder, { transport: "stdio", era });
    const task = await next.ask("tasks/get", { taskId: command });
    const result = task["status"] === "completed" ? await resultOf(next, era, command) : undefined;

    expect(await textOf(folder, "work/lines")).toBe("");
    expect({ ...task, result }).toMatchObject({ taskId: command, ...endOf[stopsAt] });
  },
);

const endOf = {
  "before-record": {
    status: "failed",
    statusMessage: "The server ended before the call did.",
  },
  "after-record": {
    status: "completed",
    result: { isError: true, content: [{ text: expect.stringMatching(/\[task-\w+: lost\]/u) }] },
  },
};

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A command that ends when it may. It prints nothing: what it prints goes to the server that is killed. */
const waits = "echo started >> lines; until [ -e go ]; do sleep 0.05; done; echo finished >> lines";

async function textOf(folder: string, file: string): Promise<string> {
  return await readFile(path.join(folder, file), "utf8").catch(() => "");
}

async function storedTask(folder: string, id: string): Promise<unknown> {
  const text = await textOf(folder, `data/mcp-tasks/${id}.json`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Calls a tool as a task, and returns its id. */
async function asTask(server: Server, era: Era, call: Fields): Promise<string> {
  if (era === "2026-07-28") return String((await server.ask("tools/call", call))["taskId"]);
  const { task } = await server.ask("tools/call", { ...call, task: {} });
  return String((task as Fields)["taskId"]);
}

/** Waits for the result of a task. */
async function resultOf(server: Server, era: Era, taskId: string): Promise<Fields> {
  if (era === "2025-11-25") return await server.ask("tasks/result", { taskId });
  await expect
    .poll(async () => (await server.ask("tasks/get", { taskId }))["status"], { timeout: 30_000 })
    .toBe("completed");
  return (await server.ask("tasks/get", { taskId }))["result"] as Fields;
}
