import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { todoSteps, type NewEvent, type StartedAgent, type TaskList } from "../../core/index.ts";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { storedTasks } from "../stored-tasks.ts";
import { runs } from "../../../test/support/law-runs.ts";

function tasksOn(host: MemoryHost, events: NewEvent[] = [], workspace?: string) {
  return storedTasks({
    host,
    workspace,
    directory: "/data/tasks",
    openOutput: (id) => ({
      path: `/data/${id}.txt`,
      write: async () => undefined,
      end: async () => undefined,
    }),
    emit: (event) => events.push(event),
    redact: async () => (text) => text.replaceAll("hunter2", "[redacted]"),
    hasCommands: true,
    storesExits: true,
    mayPromote: true,
    patience: { terminateMs: 300, killMs: 100 },
  });
}

function listIn(host = memoryHost(), session: string | undefined = "s"): TaskList {
  return tasksOn(host).listOf(session);
}

describe("a todo changes only by legal transitions", () => {
  const statuses = ["pending", "in_progress", "done", "failed", "cancelled"] as const;
  const ways = {
    pending: [],
    in_progress: ["in_progress"],
    done: ["in_progress", "done"],
    failed: ["in_progress", "failed"],
    cancelled: ["cancelled"],
  } as const;

  const steps = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));

  async function taken({ from, to }: (typeof steps)[number]) {
    const list = listIn();
    const { id } = await list.create({ title: "a" });
    for (const status of ways[from]) await list.update(id, { status });
    return { list, id, changing: list.update(id, { status: to, title: "b" }) };
  }

  test.each(steps.filter(({ from, to }) => todoSteps[from].includes(to)))(
    "$from to $to is made",
    async (step) => {
      const { id, changing } = await taken(step);

      expect(await changing).toMatchObject({ id, status: step.to, title: "b" });
    },
  );

  test.each(steps.filter(({ from, to }) => !todoSteps[from].includes(to)))(
    "$from to $to is refused and changes nothing",
    async (step) => {
      const { list, id, changing } = await taken(step);
      const next = todoSteps[step.from];

      await expect(changing).rejects.toMatchObject({
        code: "INVALID_INPUT",
        hint: expect.stringMatching(next.length === 0 ? /closed/u : /in_progress|done/u),
        data: { status: step.from, next },
      });
      expect(await list.get(id)).toMatchObject({ status: step.from, title: "a" });
    },
  );

  test("and a refusal names the step on the way", async () => {
    const list = listIn();
    const { id } = await list.create({ title: "a" });

    await expect(list.update(id, { status: "done" })).rejects.toMatchObject({
      message: `${id} is pending and cannot become done.`,
      hint: "Set it to in_progress first.",
    });
    await expect(list.update(id, { status: "pending" })).rejects.toMatchObject({
      message: `${id} is pending already.`,
      hint: "The next status is in_progress or cancelled.",
    });
  });
});

describe("dependencies", () => {
  test("of a todo on itself are refused", async () => {
    const list = listIn();
    const { id } = await list.create({ title: "a" });

    await expect(list.update(id, { dependsOn: [id] })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: `${id} cannot depend on itself.`,
      hint: "Leave its own id out of depends_on.",
    });
  });

  test("in a circle are refused with the circle", async () => {
    const list = listIn();
    const one = await list.create({ title: "1" });
    const two = await list.create({ title: "2", dependsOn: [one.id] });
    const three = await list.create({ title: "3", dependsOn: [two.id] });

    await expect(list.update(one.id, { dependsOn: [three.id] })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { cycle: [one.id, three.id, two.id, one.id] },
    });
    expect(await list.get(one.id)).toMatchObject({ dependsOn: [] });
  });

  test("on a task that the session does not have are refused", async () => {
    const host = memoryHost();
    const other = await listIn(host, "other").create({ title: "elsewhere" });

    await expect(listIn(host).create({ title: "a", dependsOn: [other.id] })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("never form a circle, whatever is linked in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 15 }),
        async (links) => {
          const list = listIn();
          const ids: string[] = [];
          for (let count = 0; count < 5; count += 1)
            ids.push((await list.create({ title: "t" })).id);
          for (const [from, to] of links) {
            const todo = await list.get(ids[from] ?? "");
            const before = todo.kind === "todo" ? todo.dependsOn : [];
            const dependsOn = [...before, ids[to] ?? ""];
            await list.update(todo.id, { dependsOn }).catch(() => undefined);
          }
          let left = await list.list();
          for (let size = -1; size !== left.length;) {
            size = left.length;
            const open = new Set(left.map(({ id }) => id));
            left = left.filter(
              (each) => each.kind === "todo" && each.dependsOn.some((id) => open.has(id)),
            );
          }
          expect(left).toEqual([]);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

describe("the list", () => {
  test("survives a restart, without secrets, and belongs to one session", async () => {
    const host = memoryHost();
    const list = listIn(host);
    const { id } = await list.create({ title: "use hunter2", description: "hunter2", owner: "me" });
    await list.update(id, { status: "in_progress" });

    expect(await listIn(host).list()).toEqual([
      expect.objectContaining({
        id,
        kind: "todo",
        status: "in_progress",
        title: "use [redacted]",
        description: "[redacted]",
        owner: "me",
        sessionId: "s",
      }),
    ]);
    expect(JSON.stringify(host.control.texts())).not.toContain("hunter2");
    expect(await listIn(host, "other").list()).toEqual([]);
    await expect(listIn(host, "other").update(id, { status: "done" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await tasksOn(host).list()).toHaveLength(1);
  });

  test("keeps what two processes add at the same time, in the order of each", async () => {
    const host = memoryHost();
    const [one, two] = [listIn(host), listIn(host)];

    await Promise.all(
      Array.from({ length: 20 }, async (_, count) => {
        await (count % 2 === 0 ? one : two).create({ title: String(count) });
      }),
    );

    const titles = (await listIn(host).list()).map(({ title }) => Number(title));
    expect(titles.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    const even = titles.filter((title) => title % 2 === 0);
    expect(even).toEqual(even.toSorted((a, b) => a - b));
  });

  test("tells listeners of each change", async () => {
    const events: NewEvent[] = [];
    const list = tasksOn(memoryHost(), events).listOf("s");
    const { id } = await list.create({ title: "a" });
    await list.update(id, { status: "cancelled" });

    expect(events).toMatchObject([
      { type: "task-change", sessionId: "s", task: { id, status: "pending" } },
      { type: "task-change", sessionId: "s", task: { id, status: "cancelled" } },
    ]);
  });

  test.each(["{", '{"version":2,"todos":[]}', '{"version":1,"todos":[{"id":1}]}'])(
    "that is %s is not overwritten",
    async (content) => {
      const host = memoryHost();
      await listIn(host).create({ title: "a" });
      const [file] = Object.keys(host.control.texts()).filter((each) => each.includes("/todos/"));
      host.control.plant(file ?? "", { kind: "file", content });

      await expect(listIn(host).create({ title: "b" })).rejects.toMatchObject({
        code: "UNAVAILABLE",
        hint: expect.stringContaining("move the file away"),
      });
      expect(host.control.texts()[file ?? ""]).toBe(content);
    },
  );

  test("holds 500; closed ones make room, open ones do not", async () => {
    const list = listIn();
    const first = await list.create({ title: "first" });
    for (let count = 1; count < 500; count += 1) await list.create({ title: "t" });

    await expect(list.create({ title: "more" })).rejects.toMatchObject({ code: "LIMIT_REACHED" });
    await list.update(first.id, { status: "cancelled" });
    await list.create({ title: "more" });

    const left = await list.list();
    expect(left).toHaveLength(500);
    expect(left.some(({ id }) => id === first.id)).toBe(false);
  });
});

function anAgent(more: Partial<StartedAgent> = {}) {
  const { promise, resolve } = Promise.withResolvers<Awaited<StartedAgent["ended"]>>();
  const said = { text: "" };
  const agent: StartedAgent = {
    id: "agent-1",
    kind: "agent",
    title: "look for hunter2",
    startedAt: 1,
    trust: "trusted",
    sessionId: "s",
    progress: () => ({ calls: 2, activity: "Grep" }),
    text: () => said.text,
    ended: promise,
    stop: async () => resolve({ status: "stopped" }),
    ...more,
  };
  return { agent, said, end: resolve };
}

const reading = { maxBytes: 1000, tailShare: 0.2 };
const signal = new AbortController().signal;

describe("an agent in the list", () => {
  test("is read like a command, waited for and reported", async () => {
    const events: NewEvent[] = [];
    const host = memoryHost();
    const tasks = tasksOn(host, events);
    const jobs = tasks.jobsOf("s");
    const { agent, said, end } = anAgent();
    tasks.agents.add(agent);
    said.text = "first\n";

    expect(await jobs?.read("agent-1", reading)).toMatchObject({
      task: { kind: "agent", status: "running", calls: 2, activity: "Grep" },
      parts: [{ text: "first\n" }],
    });
    said.text = "first\nsecond";
    expect(await jobs?.read("agent-1", reading)).toMatchObject({ parts: [{ text: "second" }] });
    const waiting = jobs?.wait("agent-1", { ms: 60_000, signal });
    end({ status: "failed", reason: "hunter2 was refused", costUsd: 0.5 });

    expect(await waiting).toMatchObject({
      status: "failed",
      reason: "[redacted] was refused",
      costUsd: 0.5,
    });
    expect(events.map(({ type }) => type)).toEqual(["task-start", "task-end"]);
    expect(JSON.stringify([events, host.control.texts()])).not.toContain("hunter2");
    await tasks.close();
  });

  test("is seen by another process, keeps its text when it has ended, and is lost with its process", async () => {
    const host = memoryHost();
    const tasks = tasksOn(host);
    const { agent, said, end } = anAgent();
    tasks.agents.add(agent);
    await tasks.list();
    await tasks.jobsOf("s")?.list();
    said.text = "the answer";
    end({ status: "done" });
    await tasks.close();

    const other = tasksOn(host);
    expect(await other.list()).toMatchObject([{ id: "agent-1", status: "done" }]);
    expect(await other.read("agent-1", reading)).toMatchObject({ parts: [{ text: "the answer" }] });
    const file = "/data/tasks/agents/agent-1.json";
    const stored = JSON.parse(host.control.texts()[file] ?? "") as { task: object };
    const left = {
      ...stored,
      task: { ...stored.task, status: "running" },
      owner: { id: "x", pid: 1, token: "gone" },
    };
    host.control.plant(file, { kind: "file", content: JSON.stringify(left) });
    expect(await tasksOn(host).list()).toMatchObject([{ id: "agent-1", status: "lost" }]);
  });

  test("is stopped by its session and by the end of the kit, not by another process", async () => {
    const host = memoryHost();
    const tasks = tasksOn(host);
    tasks.agents.add(anAgent().agent);
    tasks.agents.add(anAgent({ id: "agent-2", startedAt: 2 }).agent);
    expect((await tasks.jobsOf("s")?.list())?.map(({ id }) => id)).toEqual(["agent-2", "agent-1"]);

    await expect(tasksOn(host).stop("agent-1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(tasks.jobsOf("other")?.stop("agent-1")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await tasks.jobsOf("s")?.stop("agent-1")).toMatchObject({ status: "stopped" });
    await tasks.close();
    expect(await tasks.jobsOf("s")?.get("agent-2")).toMatchObject({ status: "stopped" });
  });

  test("can be a dependency of a todo, and is not a todo itself", async () => {
    const tasks = tasksOn(memoryHost());
    tasks.agents.add(anAgent().agent);
    const list = tasks.listOf("s");
    const todo = await list.create({ title: "a", dependsOn: ["agent-1"] });

    expect((await list.list()).map(({ id }) => id)).toEqual(["agent-1", todo.id]);
    await expect(list.update("agent-1", { status: "done" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: "TaskStop ends it.",
    });
    await expect(tasks.jobsOf("s")?.read(todo.id, reading)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: "TaskGet shows it, TaskUpdate changes it.",
    });
    await expect(list.get("nope")).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: `Tasks: agent-1, ${todo.id}.`,
    });
    await tasks.close();
  });
});

describe("sessions of the same id in two workspaces", () => {
  test("have lists of their own, which the user sees and changes in their workspace", async () => {
    const host = memoryHost();
    const [one, other] = ["/one", "/other"].map((workspace) => tasksOn(host, [], workspace));
    const { id = "" } = (await one?.listOf("s").create({ title: "of one" })) ?? {};
    await other?.listOf("s").create({ title: "of the other" });

    expect(await other?.listOf("s").list()).toMatchObject([{ title: "of the other" }]);
    expect(await other?.list()).toMatchObject([{ title: "of the other" }]);
    await expect(other?.stop(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await one?.stop(id)).toMatchObject({ title: "of one", status: "cancelled" });
    expect(await one?.list()).toMatchObject([{ title: "of one", status: "cancelled" }]);
  });

  test("see their own agents", async () => {
    const host = memoryHost();
    const [one, other] = ["/one", "/other"].map((workspace) => tasksOn(host, [], workspace));
    one?.agents.add(anAgent().agent);

    expect(await one?.listOf("s").list()).toMatchObject([{ id: "agent-1" }]);
    expect(await one?.list()).toMatchObject([{ id: "agent-1" }]);
    expect(await other?.list()).toEqual([]);
    await one?.close();
  });
});
