import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { Effect, EffectKind, Tool } from "../core/index.ts";
import { gate, settled, simpleTool, testKit, type Gate } from "../../test/support/kit.ts";

/** Tools that log their start and end, and wait at a gate in between. */
function stage(): {
  readonly log: string[];
  readonly gates: Map<string, Gate>;
  readonly tool: (name: string, effects: readonly Effect[], flags?: Tool["flags"]) => Tool;
} {
  const log: string[] = [];
  const gates = new Map<string, Gate>();
  return {
    log,
    gates,
    tool(name, effects, flags) {
      gates.set(name, gate());
      const touches: EffectKind[] = [...new Set(effects.map(({ kind }) => kind))];
      return simpleTool(
        name,
        async () => {
          log.push(`${name} starts`);
          await gates.get(name)?.passed;
          log.push(`${name} ends`);
          return { content: name };
        },
        { touches, effects: () => effects, ...(flags === undefined ? {} : { flags }) },
      );
    },
  };
}

const readTree: Effect = { kind: "read", path: ".", scope: "tree" };
const unknown: Effect = { kind: "unknown", because: "a command", origin: "Bash" };
const write = (path: string): Effect => ({ kind: "write", path, scope: "file", change: "modify" });
const read = (path: string): Effect => ({ kind: "read", path, scope: "file" });

test("a turn of Glob, Grep, Edit, Glob, Grep, Bash runs as four groups in program order", async () => {
  const { log, gates, tool } = stage();
  const names = ["A_Glob", "A_Grep", "Change", "B_Glob", "B_Grep", "Command"];
  const effects = [[readTree], [readTree], [write("a.txt")], [readTree], [readTree], [unknown]];
  const extra = names.map((name, index) => tool(name, effects[index] ?? []));
  const { kit } = await testKit({ tools: { extra }, mode: "bypassPermissions" });

  const outcomes = kit.callAll(names.map((name) => ({ name })));
  const groups: string[][] = [];
  for (let done = 0; done < names.length;) {
    await settled();
    const running = log.filter((line) => line.endsWith("starts")).slice(done);
    groups.push(running.map((line) => line.split(" ")[0] ?? ""));
    done += running.length;
    for (const name of groups.at(-1) ?? []) gates.get(name)?.open();
  }

  expect(groups).toEqual([["A_Glob", "A_Grep"], ["Change"], ["B_Glob", "B_Grep"], ["Command"]]);
  expect((await outcomes).map(({ text }) => text)).toEqual(names);
});

test.for([
  {
    one: [write("a.txt")],
    other: [write("b.txt")],
    together: true,
    because: "two edits of different files",
  },
  {
    one: [write("a.txt")],
    other: [write("a.txt")],
    together: false,
    because: "two edits of one file",
  },
  {
    one: [write("a.txt")],
    other: [read("a.txt")],
    together: false,
    because: "a read sees the write before it",
  },
  {
    one: [read("a.txt")],
    other: [write("a.txt")],
    together: false,
    because: "a read must not see the write after it",
  },
  { one: [read("a.txt")], other: [read("a.txt")], together: true, because: "reads change nothing" },
  {
    one: [write("d")],
    other: [write("d/x.txt")],
    together: false,
    because: "a parent decides whether the child can be there",
  },
  {
    one: [write("d/x.txt")],
    other: [write("dx.txt")],
    together: true,
    because: "names that merely begin alike are apart",
  },
  {
    one: [unknown],
    other: [readTree],
    together: false,
    because: "the unknown may change anything",
  },
  {
    one: [unknown],
    other: [{ kind: "interact" }],
    together: true,
    because: "showing something changes no file",
  },
  {
    one: [{ kind: "interact" }],
    other: [{ kind: "interact" }],
    together: false,
    because: "a person is shown one thing after the other",
  },
  {
    one: [{ kind: "connect", host: "a" }],
    other: [{ kind: "connect", host: "a" }],
    together: true,
    because: "requests are apart",
  },
  {
    one: [{ kind: "connect", host: "a" }],
    other: [unknown],
    together: false,
    because: "the unknown may be what is asked for",
  },
  {
    one: [{ kind: "delegate", agent: "x" }],
    other: [{ kind: "delegate", agent: "y" }],
    together: true,
    because: "agents work side by side",
  },
  {
    one: [{ kind: "delegate", agent: "x" }],
    other: [write("a.txt")],
    together: false,
    because: "an agent may be looking at it",
  },
  {
    one: [{ kind: "delegate", agent: "x" }],
    other: [
      {
        kind: "execute",
        argv: ["ls"],
        assigns: [],
        via: [],
        consequences: "listed",
        span: { start: 0, end: 2 },
      },
    ],
    together: false,
    because: "a program may be looking at what an agent changes",
  },
  {
    one: [{ kind: "unknown", because: "server", origin: "mcp__a" }],
    other: [{ kind: "unknown", because: "server", origin: "mcp__b" }],
    together: true,
    because: "two servers do not see each other",
  },
  {
    one: [{ kind: "unknown", because: "server", origin: "mcp__a" }],
    other: [{ kind: "unknown", because: "server", origin: "mcp__a" }],
    together: false,
    because: "calls to one server keep their order",
  },
  {
    one: [{ kind: "unknown", because: "server", origin: "mcp__a" }],
    other: [unknown],
    together: false,
    because: "a command may be what the server watches",
  },
] satisfies { one: Effect[]; other: Effect[]; together: boolean; because: string }[])(
  "$because: together is $together",
  async ({ one, other, together }) => {
    const { log, gates, tool } = stage();
    const extra = [tool("One", one), tool("Other", other)];
    const { kit } = await testKit({ tools: { extra }, mode: "bypassPermissions" });

    const outcomes = kit.callAll([{ name: "One" }, { name: "Other" }]);
    await settled();
    const started = [...log];
    for (const each of gates.values()) each.open();
    await outcomes;

    expect(started.toSorted()).toEqual(together ? ["One starts", "Other starts"] : ["One starts"]);
    expect(log.toSorted()).toEqual(["One ends", "One starts", "Other ends", "Other starts"]);
  },
);

test("a tool that declares itself unsafe to run with others runs alone", async () => {
  const { log, gates, tool } = stage();
  const extra = [tool("One", []), tool("Alone", [], { concurrencySafe: false }), tool("Other", [])];
  const { kit } = await testKit({ tools: { extra } });

  const outcomes = kit.callAll([{ name: "One" }, { name: "Alone" }, { name: "Other" }]);
  await settled();
  const first = [...log];
  gates.get("One")?.open();
  await settled();
  const second = log.slice(first.length);
  for (const each of gates.values()) each.open();
  await outcomes;

  expect(first).toEqual(["One starts"]);
  expect(second).toEqual(["One ends", "Alone starts"]);
});

test("at most ten calls run at once, and the eleventh starts when one ends", async () => {
  const { log, gates, tool } = stage();
  const names = Array.from({ length: 12 }, (_, index) => `T${index}`);
  const { kit } = await testKit({ tools: { extra: names.map((name) => tool(name, [])) } });

  const outcomes = kit.callAll(names.map((name) => ({ name })));
  await settled();
  const atFirst = log.length;
  gates.get("T3")?.open();
  await settled();
  const afterOne = log.slice(atFirst);
  for (const each of gates.values()) each.open();

  expect(atFirst).toBe(10);
  expect(afterOne).toEqual(["T3 ends", "T10 starts"]);
  expect((await outcomes).map(({ status }) => status)).toEqual(names.map(() => "ok"));
});

test("aborting settles every call of the turn, also those that had not started", async () => {
  const { log, tool } = stage();
  const extra = [tool("One", [unknown]), tool("Other", [unknown]), tool("Third", [unknown])];
  const { kit } = await testKit({ tools: { extra }, mode: "bypassPermissions" }, { now: "real" });
  const controller = new AbortController();

  const outcomes = kit.callAll([{ name: "One" }, { name: "Other" }, { name: "Third" }], {
    signal: controller.signal,
  });
  await settled();
  controller.abort();

  expect((await outcomes).map(({ status, error }) => [status, error?.code])).toEqual([
    ["aborted", "ABORTED"],
    ["aborted", "ABORTED"],
    ["aborted", "ABORTED"],
  ]);
  expect(log).toEqual(["One starts"]);
});

test("effects are taken again after the calls before it have run", async () => {
  let target = "a.txt";
  const seen: string[] = [];
  const extra = [
    simpleTool("Turn", () => ((target = "b.txt"), { content: "" }), { touches: ["unknown"] }),
    simpleTool("Follow", () => ({ content: "" }), {
      touches: ["read"],
      effects: () => {
        seen.push(target);
        return [read(target)];
      },
    }),
  ];
  const { kit } = await testKit({ tools: { extra }, mode: "bypassPermissions" });

  const [, followed] = await kit.callAll([{ name: "Turn" }, { name: "Follow" }]);

  expect(followed?.effects).toEqual([{ kind: "read", path: "/project/b.txt", scope: "file" }]);
  expect(seen.at(-1)).toBe("b.txt");
});

test("a call whose effects turn out to meet an earlier call waits for it", async () => {
  const { log, gates, tool } = stage();
  let looks = 0;
  const shifty = simpleTool(
    "Shifty",
    () => {
      log.push("Shifty starts");
      return { content: "" };
    },
    { touches: ["read"], effects: () => [read((looks += 1) === 1 ? "other.txt" : "a.txt")] },
  );
  const { kit } = await testKit({
    tools: { extra: [tool("Change", [write("a.txt")]), shifty] },
    mode: "bypassPermissions",
  });

  const outcomes = kit.callAll([{ name: "Change" }, { name: "Shifty" }]);
  await settled();
  gates.get("Change")?.open();
  await outcomes;

  expect(log).toEqual(["Change starts", "Change ends", "Shifty starts"]);
});

test("calls made one by one keep their order where they ask for it", async () => {
  const { log, gates, tool } = stage();
  const extra = [
    tool("One", [write("a.txt")]),
    tool("Other", [read("a.txt")]),
    tool("Free", [read("a.txt")]),
  ];
  const { kit } = await testKit({ tools: { extra }, mode: "bypassPermissions" });

  const one = kit.call({ name: "One" }, { inOrder: true });
  const other = kit.call({ name: "Other" }, { inOrder: true });
  const free = kit.call({ name: "Free" });
  await settled();
  const started = [...log];
  for (const each of gates.values()) each.open();
  await Promise.all([one, other, free]);

  expect(started.toSorted()).toEqual(["Free starts", "One starts"]);
  expect(log.indexOf("Other starts")).toBeGreaterThan(log.indexOf("One ends"));
});

test("a call that cannot be judged yet waits for all before it, one that is wrong in itself for none", async () => {
  const { log, gates, tool } = stage();
  const unclear = simpleTool(
    "Unclear",
    () => {
      log.push("Unclear starts");
      return { content: "" };
    },
    {
      touches: ["read"],
      // Until the previous call has run, this call would do something that it may not do.
      effects: () => [log.includes("Change ends") ? read("b.txt") : write("b.txt")],
    },
  );
  const wrong = simpleTool("Wrong", () => ({ content: "" }), { touches: [] });
  const { kit } = await testKit({
    tools: { extra: [tool("Change", [write("a.txt")]), unclear, wrong] },
    mode: "bypassPermissions",
  });

  const change = kit.call({ name: "Change" }, { inOrder: true });
  const judged = kit.call({ name: "Unclear" }, { inOrder: true });
  const refused = await kit.call({ name: "Wrong", input: [1] }, { inOrder: true });
  await settled();
  const before = [...log];
  gates.get("Change")?.open();
  await Promise.all([change, judged]);

  expect(refused.error?.code).toBe("INVALID_INPUT");
  expect(before).toEqual(["Change starts"]);
  expect(log).toEqual(["Change starts", "Change ends", "Unclear starts"]);
  expect((await judged).status).toBe("ok");
});

test("calls in order leave no listener of theirs on what could abort them", async () => {
  const signals: AbortSignal[] = [];
  const { kit } = await testKit({
    onAsk: async (_ask, { signal }) => {
      if (signal !== undefined) signals.push(signal);
      return { kind: "once" };
    },
  });
  const call = { name: "Write", input: { file_path: "n.txt", content: "x" } };
  await kit.call(call, { inOrder: true });
  const [signal] = signals;
  if (signal === undefined) throw new TypeError("The question came without a signal.");
  const before = getEventListeners(signal, "abort").length;

  for (let round = 0; round < 5; round += 1) await kit.call(call, { inOrder: true });

  expect(new Set(signals).size).toBe(1);
  expect(getEventListeners(signal, "abort")).toHaveLength(before);
  // The one environment shared by all calls of the kit.
  expect(before).toBe(1);
});

test("an answer about the rest of a turn holds for the calls that wait behind the one asked about", async () => {
  const asked: string[] = [];
  const { kit } = await testKit({
    onAsk: async ({ tool: name }) => {
      asked.push(name);
      return { kind: "deny-all", reason: "enough" };
    },
  });
  const call = { name: "Write", input: { file_path: "n.txt", content: "x" } };

  const outcomes = await kit.callAll([call, call, call]);

  expect(outcomes.map(({ error }) => error?.message)).toEqual(
    Array(3).fill("The user said no: enough"),
  );
  expect(asked).toEqual(["Write"]);
});
