import { expect, test } from "vitest";
import type { Host, AdoptedProcess, NewEvent } from "../core/index.ts";
import { memoryHost, type MemoryHost, type MemoryProgram } from "../host/index.ts";
import { keptJobs, type CommandJobs } from "./jobs.ts";

const encoder = new TextEncoder();

interface World {
  readonly host: MemoryHost;
  readonly events: NewEvent[];
  readonly kept: ReturnType<typeof keptJobs>;
  readonly jobs: CommandJobs;
  readonly start: (more?: Partial<AdoptedProcess>) => Promise<string>;
}

const patience = { terminateMs: 300, killMs: 100 };

function keep(host: Host, events: NewEvent[] = [], workspace?: string) {
  return keptJobs({
    host,
    workspace,
    directory: "/data/tasks",
    openOutput: (id) => {
      const path = `/data/${id}.txt`;
      return {
        path,
        write: async (text) => {
          await host.fs.mkdir("/data");
          await host.fs.append(path, encoder.encode(text));
        },
        end: async () => undefined,
      };
    },
    emit: (event) => events.push(event),
    redact: async () => (text) => text.replaceAll("hunter2", "[redacted]"),
    storesExits: true,
    mayPromote: true,
    patience,
  });
}

function leftProcess(more: Partial<AdoptedProcess>): AdoptedProcess {
  return {
    processId: "p",
    pid: 1,
    startedAt: 0,
    title: "app --password hunter2",
    cwd: "/project",
    takesInput: true,
    trust: "trusted",
    callId: "c",
    agentId: undefined,
    ...more,
  };
}

/** Runs everything that waits only for promises that can already resolve. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function world(program: MemoryProgram, session?: string, workspace?: string): World {
  const host = memoryHost({ programs: { app: program } });
  const events: NewEvent[] = [];
  const kept = keep(host, events, workspace);
  const jobs = kept.of(session);
  return {
    host,
    events,
    kept,
    jobs,
    async start(more = {}) {
      const id = `p-${crypto.randomUUID()}`;
      const { pid } = await host.proc.start({ id, argv: ["app"], cwd: "/project", stdin: "pipe" });
      const stat = `${pid} (a (b) c) S ${Array.from({ length: 18 }, () => "0").join(" ")} 77 0`;
      host.control.plant(`/proc/${pid}/stat`, { kind: "file", content: stat });
      const startedAt = host.clock.now();
      return (await jobs.adopt(leftProcess({ processId: id, pid, startedAt, ...more }))).id;
    },
  };
}

const echoing: MemoryProgram = async (_, io) => {
  io.stdout("up\n");
  for await (const bytes of io.stdin) io.stdout(bytes);
  return 4;
};

const hanging: MemoryProgram = async (_, io) =>
  await new Promise((resolve) => io.signal.addEventListener("abort", () => resolve(0)));

const reading = { maxBytes: 1000, tailShare: 0.2 };
const signal = new AbortController().signal;

test("what is new is read once, and from a place as often as wanted", async () => {
  const { jobs, start } = world(echoing);
  const id = await start();
  await jobs.write(id, encoder.encode("\u00E9\n"));
  await jobs.write(id, "eof");
  await jobs.wait(id, { ms: 1000, signal });

  const first = await jobs.read(id, reading);
  const second = await jobs.read(id, reading);
  const again = await jobs.read(id, { ...reading, from: 3 });

  expect(first).toMatchObject({ parts: [{ at: 0, text: "up\n\u00E9\n" }], next: 6, total: 6 });
  expect(second.parts).toEqual([]);
  expect(again.parts).toEqual([{ at: 3, text: "\u00E9\n" }]);
  expect(first.task).toMatchObject({ status: "ended", exitCode: 4, signal: null });
});

test("a reading that does not fit ends before a character, or shows beginning and end", async () => {
  const { jobs, start } = world((_, io) => (io.stdout("a\u00E9\u00E9\u00E9z"), 0));
  const id = await start();
  await jobs.wait(id, { ms: 1000, signal });

  const page = await jobs.read(id, { from: 0, maxBytes: 4, tailShare: 0 });
  const ends = await jobs.read(id, { from: 0, maxBytes: 4, tailShare: 0.5 });

  expect(page).toMatchObject({ parts: [{ at: 0, text: "a\u00E9" }], next: 3, total: 8 });
  expect(ends.parts.map(({ text }) => text)).toEqual(["a", "z"]);
});

test("start and end are events, without secrets, and so is the record", async () => {
  const { host, events, jobs, start } = world(() => 0, "s");
  const id = await start();
  await jobs.wait(id, { ms: 1000, signal });

  const told = events.map((event) => [event.type, event.sessionId]);
  expect(told).toEqual([
    ["task-start", "s"],
    ["task-end", "s"],
  ]);
  expect(JSON.stringify([events, host.control.texts()])).not.toContain("hunter2");
  expect(host.control.texts()[`/data/tasks/${id}.json`]).toContain('"version":1');
});

test("closing ends what runs and says why; stopping does too", async () => {
  const { kept, jobs, start } = world(hanging);
  const [one, two] = [await start(), await start()];

  expect(await jobs.stop(one)).toMatchObject({ status: "ended", endedBy: "stop" });
  await kept.close();

  expect(await jobs.get(two)).toMatchObject({ status: "ended", endedBy: "session-end" });
  expect((await jobs.list()).map(({ id }) => id)).toEqual([two, one]);
});

test("a task that takes no notice of TERM is killed when its time is over, and given up after that", async () => {
  const { host } = world(hanging);
  const sent: string[] = [];
  const proc = new Proxy(host.proc, {
    get(target, key) {
      if (key === "signal") {
        return async (_id: string, name: string) => void sent.push(`${name} ${host.clock.now()}`);
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const deaf: Host = {
    id: host.id,
    info: host.info,
    fs: host.fs,
    proc,
    net: host.net,
    search: host.search,
    clock: host.clock,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const jobs = keep(deaf).of(undefined);
  const { pid } = await host.proc.start({ id: "deaf", argv: ["app"], cwd: "/project" });
  const { id } = await jobs.adopt(leftProcess({ processId: "deaf", pid }));
  const start = host.clock.now();

  const stopped = jobs.stop(id);
  for (const ms of [patience.terminateMs - 1, 1, patience.killMs]) {
    await settled();
    host.control.advance(ms);
  }

  expect(await stopped).toMatchObject({ status: "running" });
  expect(sent).toEqual([`TERM ${start}`, `KILL ${start + patience.terminateMs}`]);
});

test("another session reaches nothing of it", async () => {
  const { kept, jobs, start } = world(hanging, "one");
  const id = await start();
  const other = kept.of("two");

  await expect(other.get(id)).rejects.toMatchObject({
    code: "NOT_FOUND",
    hint: "No task was started.",
  });
  await expect(other.stop(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(other.write(id, "eof")).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await other.list()).toEqual([]);
  expect((await jobs.get(id)).status).toBe("running");
  expect(await kept.list()).toHaveLength(1);
});

test("a task without an input, or that is over, takes none", async () => {
  const { jobs, start } = world(hanging);
  const deaf = await start({ takesInput: false });
  const over = await start();
  await jobs.stop(over);

  for (const id of [deaf, over]) {
    await expect(jobs.write(id, encoder.encode("x"))).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  }
});

test("a session of the same name in another workspace reaches nothing of it", async () => {
  const { host, kept, start } = world(hanging, "s", "/one");
  const id = await start();
  const other = keep(host, [], "/other");
  const read = { from: 0, maxBytes: 9, tailShare: 0 };

  await expect(other.of("s").read(id, read)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(other.of("s").stop(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await other.of("s").list()).toEqual([]);
  expect(await keep(host, [], "/one").of("s").list()).toHaveLength(1);
  expect(await other.list()).toEqual([]);
  expect((await kept.list())[0]?.status).toBe("running");
});

test("a task of an earlier version, which names no workspace, is seen by its session in each", async () => {
  const { host, start } = world(hanging, "s");
  const id = await start();

  expect(await keep(host, [], "/one").of("s").get(id)).toMatchObject({ status: "running" });
});

test.each([
  { left: "same process", status: "running", because: "pid and start are the same" },
  { left: "other process", status: "lost", because: "its pid has gone to another" },
  { left: "exit", status: "ended", because: "its exit was left in a file" },
  { left: "nothing", status: "lost", because: "nobody saw its end" },
])("after a restart with $left it is $status: $because", async ({ left, status }) => {
  const { host, start } = world(hanging, "s");
  const id = await start();
  const before = await keep(host).of("s").get(id);
  const stat = `/proc/${before.pid}/stat`;
  if (left === "exit") {
    host.control.plant(`/data/tasks/exits/${id}.exit`, { kind: "file", content: "9" });
  }
  if (left === "other process") {
    const text = host.control.texts()[stat] ?? "";
    host.control.plant(stat, { kind: "file", content: text.replace(" 77 ", " 78 ") });
  } else if (left !== "same process") await host.fs.remove(stat);

  const found = await keep(host).of("s").get(id);

  expect(found).toMatchObject({ status, title: "app --password [redacted]" });
  expect(found.exitCode).toBe(left === "exit" ? 9 : undefined);
});

test("200 tasks that are over are kept; the oldest make room", async () => {
  const { host, kept, jobs, start } = world(() => 0);
  for (let count = 0; count < 201; count++) {
    await jobs.wait(await start({ startedAt: count }), { ms: 1000, signal });
  }
  await kept.close();

  const left = await keep(host).list();

  expect(left).toHaveLength(200);
  expect(left.at(-1)).toMatchObject({ startedAt: 1 });
});

test("a record of another version, or none at all, is left alone", async () => {
  const { host, jobs, start } = world(hanging, "s");
  await start();
  host.control.plant("/data/tasks/new.json", { kind: "file", content: '{"version":2}' });
  host.control.plant("/data/tasks/half.json", { kind: "file", content: '{"version":' });

  expect(await keep(host).of("s").list()).toHaveLength(1);
  expect(await jobs.list()).toHaveLength(1);
});

test("a program that reads its own input is seen to wait, one that reads something else is not", async () => {
  const { host, jobs, start } = world(hanging);
  const id = await start();
  const { pid } = await jobs.get(id);
  const call = (text: string): void =>
    host.control.plant(`/proc/${pid}/syscall`, { kind: "file", content: text });
  host.control.plant(`/proc/${pid}/fd/0`, { kind: "symlink", target: "socket:[7]" });
  host.control.plant(`/proc/${pid}/fd/5`, { kind: "symlink", target: "socket:[8]" });

  call("0 0x0 0x1 0x2\n");
  expect(await jobs.isWaiting(id)).toBe(false);
  host.control.advance(300);
  expect(await jobs.isWaiting(id)).toBe(true);
  expect((await jobs.wait(id, { ms: 60_000, signal })).status).toBe("running");
  for (const other of ["0 0x5 0x1\n", "7 0x0 0x1\n", "running\n"]) {
    call(other);
    expect(await jobs.isWaiting(id)).toBe(false);
  }
});

test("a task that has a longest time is stopped when it has passed, and says so", async () => {
  const { host, jobs, start } = world(hanging);
  const id = await start({ maxMs: 60_000 });
  const unlimited = await start();

  host.control.advance(59_999);
  await settled();
  expect(await jobs.get(id)).toMatchObject({ status: "running" });
  host.control.advance(1);
  await settled();

  expect(await jobs.get(id)).toMatchObject({ status: "ended", endedBy: "timeout" });
  expect(await jobs.get(unlimited)).toMatchObject({ status: "running" });
});
