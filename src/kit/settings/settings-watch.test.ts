import { expect, test } from "vitest";
import { gate, simpleTool, testKit, type TestKit } from "../../../test/support/kit.ts";
import type { Ask, Answer, HaftEvent, OnAsk } from "../../core/index.ts";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../index.ts";

const projectFile = "/project/.haft/settings.json";
const userFile = "/home/user/.haft/settings.json";

const opening = simpleTool("Opening", () => ({ content: "ran" }), {
  touches: ["unknown"],
  effects: () => [{ kind: "unknown", because: "a test", origin: "Opening" }],
});

interface Watched extends TestKit {
  readonly asked: Ask[];
  readonly changes: Extract<HaftEvent, { type: "settings-change" }>[];
  /** Answers the next questions about settings. */
  readonly answers: Answer[];
}

const useNew: Answer = { kind: "answer", choices: ["Use the new settings"] };
const keepOld: Answer = { kind: "answer", choices: ["Keep the old ones"] };

function listening(kit: Kit): Watched["changes"] {
  const changes: Watched["changes"] = [];
  kit.events.subscribe((event) => {
    if (event.type === "settings-change") changes.push(event);
  });
  return changes;
}

async function watched(
  files: Readonly<Record<string, string>>,
  { isAlone = false, ...options }: ToolkitOptions & { readonly isAlone?: boolean } = {},
): Promise<Watched> {
  const asked: Ask[] = [];
  const answers: Answer[] = [];
  const onAsk: OnAsk = async (ask) => {
    asked.push(ask);
    return ask.kind === "question" ? (answers.shift() ?? keepOld) : { kind: "deny" };
  };
  const { kit, host } = await testKit(
    {
      settings: "load",
      tools: { extra: [opening] },
      ...(isAlone ? {} : { onAsk }),
      ...options,
    },
    { root: "/project", home: "/home/user", files },
  );
  return { kit, host, asked, answers, changes: listening(kit) };
}

async function write(host: MemoryHost, path: string, value: unknown): Promise<void> {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  await host.fs.mkdir(path.slice(0, path.lastIndexOf("/")), {});
  await host.fs.writeAtomic(path, new TextEncoder().encode(text), {});
}

async function statusOf(kit: Kit): Promise<string> {
  return (await kit.call({ name: "Opening" })).status;
}

const allowing = { permissions: { allow: ["Opening"] } };
const denying = { permissions: { deny: ["Opening"] } };

test("a rule that allows more applies after a yes, and is shown with file and line", async () => {
  const { kit, host, asked, answers } = await watched({});
  expect(await statusOf(kit)).toBe("denied");
  await write(host, userFile, '{\n  "permissions": {\n    "allow": ["Opening"]\n  }\n}');
  answers.push(useNew);

  const status = await statusOf(kit);

  expect(status).toBe("ok");
  expect(asked.at(-1)).toMatchObject({
    kind: "question",
    question: "Settings files have changed. Use the new settings?",
    reason: 'permissions.allow: "Opening" added (~/.haft/settings.json:3)',
  });
});

test("after a no the settings from before count, and the question comes once", async () => {
  const { kit, host, asked, changes } = await watched({});
  await write(host, userFile, allowing);

  const statuses = [await statusOf(kit), await statusOf(kit)];

  expect(statuses).toEqual(["denied", "denied"]);
  expect(asked.filter(({ kind }) => kind === "question")).toHaveLength(1);
  expect(changes).toMatchObject([{ result: "kept", because: "the user kept the old ones" }]);
});

test("a rule that allows less applies after a yes", async () => {
  const { kit, host, answers, changes } = await watched({ [userFile]: JSON.stringify(allowing) });
  expect(await statusOf(kit)).toBe("ok");
  await write(host, userFile, denying);
  answers.push(useNew);

  const status = await statusOf(kit);

  expect(status).toBe("denied");
  expect(changes).toMatchObject([{ result: "applied" }]);
  expect(changes[0]?.changes).toEqual([
    'permissions.deny: "Opening" added (~/.haft/settings.json:1)',
    'permissions.allow: "Opening" removed (~/.haft/settings.json)',
  ]);
});

test.each([
  ["without a user", { isAlone: true }, "no user could be asked"],
  [
    "with an asker that says yes to everything",
    { onAsk: Object.assign(async () => ({ kind: "once" as const }), { isAutomatic: true }) },
    "no user could be asked",
  ],
  ["in dontAsk mode", { mode: "dontAsk" as const }, "dontAsk mode asks no questions"],
])("%s a change is reported once and does not apply", async (_name, options, because) => {
  const { kit, host, changes } = await watched({ [userFile]: JSON.stringify(allowing) }, options);
  await write(host, userFile, denying);

  const statuses = [await statusOf(kit), await statusOf(kit)];

  expect(statuses).toEqual(["ok", "ok"]);
  expect(changes).toMatchObject([{ result: "kept", because }]);
});

test("a change that is undone before the next call is not asked about", async () => {
  const { kit, host, asked, changes } = await watched({ [userFile]: JSON.stringify(allowing) });
  await write(host, userFile, denying);
  await write(host, userFile, allowing);

  const status = await statusOf(kit);

  expect([status, asked, changes]).toEqual(["ok", [], []]);
});

test("a declined change that is made again after it was undone is asked about again", async () => {
  const { kit, host, asked } = await watched({ [userFile]: JSON.stringify(allowing) });
  for (const value of [denying, allowing, denying]) {
    await write(host, userFile, value);
    await statusOf(kit);
  }

  expect(asked.filter(({ kind }) => kind === "question")).toHaveLength(2);
});

test("a change during the question is asked about after it", async () => {
  const { kit, host, asked, answers } = await watched({});
  await write(host, userFile, allowing);
  answers.push(useNew, keepOld);
  const shown = gate();
  kit.events.subscribe((event) => {
    if (event.type === "permission-ask" && asked.length === 0) {
      void write(host, userFile, denying).then(() => shown.open());
    }
  });

  const first = await statusOf(kit);
  await shown.passed;
  const second = await statusOf(kit);

  expect([first, second]).toEqual(["ok", "ok"]);
  expect(asked.map(({ reason }) => reason.split(" ", 1)[0])).toEqual([
    "permissions.allow:",
    "permissions.deny:",
  ]);
});

test("a question whose call is aborted is put again with the next call", async () => {
  const abort = new AbortController();
  const asked: Ask[] = [];
  const { kit, host } = await watched(
    {},
    {
      onAsk: async (ask) => {
        asked.push(ask);
        if (asked.length > 1) return useNew;
        abort.abort();
        return await new Promise<never>(() => undefined);
      },
    },
  );
  await write(host, userFile, allowing);

  const aborted = await kit.call({ name: "Opening" }, { signal: abort.signal });
  const status = await statusOf(kit);

  expect([aborted.status, status, asked.length]).toEqual(["aborted", "ok", 2]);
});

test("a trusted project that changes allows nothing more before it is trusted again", async () => {
  const other = simpleTool("Other", () => ({ content: "ran" }), {
    touches: ["unknown"],
    effects: () => [{ kind: "unknown", because: "a test", origin: "Other" }],
  });
  const extra = [opening, other];
  const files = { [projectFile]: JSON.stringify(allowing) };
  const { host } = await testKit({}, { root: "/project", home: "/home/user", files });
  await using earlier = await createToolkit({ host, settings: "load" });
  await (await earlier.workspace.trust()).accept();
  const asked: Ask[] = [];
  await using kit = await createToolkit({
    host,
    settings: "load",
    tools: { extra },
    onAsk: async (ask) => {
      asked.push(ask);
      return ask.kind === "question" ? useNew : { kind: "deny" };
    },
  });
  const both = async (): Promise<readonly string[]> => [
    await statusOf(kit),
    (await kit.call({ name: "Other" })).status,
  ];
  const before = await both();
  await write(host, projectFile, { permissions: { allow: ["Opening", "Other"] } });

  const changed = await both();
  await (await kit.workspace.trust()).accept();
  const trusted = await both();

  expect({ before, changed, trusted }).toEqual({
    before: ["ok", "denied"],
    changed: ["ok", "denied"],
    trusted: ["ok", "ok"],
  });
  expect(asked.filter(({ kind }) => kind === "question").map(({ reason }) => reason)).toEqual([
    'permissions.allow: "Other" added (.haft/settings.json:1; counts once the workspace is trusted again, with haft trust add)',
    'permissions.allow: "Other" added (.haft/settings.json:1)',
  ]);
});

test("a project without trust changes nothing but what it forbids", async () => {
  const { kit, host, answers, changes } = await watched({});
  await write(host, projectFile, { permissions: { allow: ["Opening"], deny: ["Read"] } });
  answers.push(useNew);

  const opened = await statusOf(kit);
  const read = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect([opened, read.error?.code]).toEqual(["denied", "PERMISSION_DENIED"]);
  expect(changes[0]?.changes).toHaveLength(2);
});

test("a rule saved here is not asked about; another program with the same files asks", async () => {
  const { kit, host, asked } = await watched({});
  const others: Ask[] = [];
  await using other = await createToolkit({
    host,
    settings: "load",
    tools: { extra: [opening] },
    onAsk: async (ask) => {
      others.push(ask);
      return ask.kind === "question" ? useNew : { kind: "deny" };
    },
  });
  await statusOf(other);
  await kit.permissions.add({ rule: "Opening", scope: "local" });

  const statuses = [await statusOf(kit), await statusOf(other)];

  expect(statuses).toEqual(["ok", "ok"]);
  expect(asked).toEqual([]);
  expect(others.map(({ kind }) => kind)).toEqual(["permission", "question"]);
});

test("a change by the agent itself is asked about like any other", async () => {
  const { kit, asked } = await watched({}, { mode: "bypassPermissions" });
  const content = JSON.stringify(denying);
  const written = await kit.call({ name: "Write", input: { file_path: projectFile, content } });

  const status = await statusOf(kit);

  expect([written.status, status]).toEqual(["ok", "ok"]);
  expect(asked.map(({ reason }) => reason)).toEqual([
    'permissions.deny: "Opening" added (.haft/settings.json:1)',
  ]);
});

test("a file that is not JSON any more is named, and the settings from before count", async () => {
  const { kit, host, changes } = await watched({ [userFile]: JSON.stringify(allowing) });
  await write(host, userFile, '{\n "permissions": {');

  const status = await statusOf(kit);

  expect(status).toBe("ok");
  expect(changes[0]?.changes[0]).toMatch(/^\(error\): "This is not JSON .*:2\)$/u);
});

test("a tool that is switched off stays off for agents too; what needs a start is named", async () => {
  const { kit, host, answers, changes } = await watched({ [userFile]: JSON.stringify(allowing) });
  await using child = kit.derive();
  await write(host, userFile, {
    ...allowing,
    tools: { Opening: { enabled: false } },
    maxChars: 20_000,
    env: { KEY: "hidden" },
  });
  answers.push(useNew);

  const statuses = [await statusOf(kit), await statusOf(child)];

  expect(statuses).toEqual(["denied", "denied"]);
  expect(changes[0]?.changes).toEqual([
    "tools.Opening.enabled: false added (~/.haft/settings.json:1)",
    "maxChars: 20000 added (~/.haft/settings.json:1; counts from the next start on)",
    "env.KEY: … added (~/.haft/settings.json:1; counts from the next start on)",
  ]);
});

test("without settings files nothing is watched", async () => {
  const host = memoryHost({ root: "/project", home: "/home/user", files: {} });
  await using kit = await createToolkit({ host, tools: { extra: [opening] } });
  const changes = listening(kit);
  await write(host, userFile, allowing);

  expect([await statusOf(kit), changes]).toEqual(["denied", []]);
});
