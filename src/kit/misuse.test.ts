import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { simpleTool, testKit } from "../../test/support/kit.ts";
import { neededNode } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";

/** Call that the types would reject. */
function misuse(target: object, method: string, given: readonly unknown[]): unknown {
  const member: unknown = Reflect.get(target, method);
  if (typeof member !== "function") throw new Error(`There is no method ${method}.`);
  return Reflect.apply(member, target, given);
}

test.each([
  {
    options: { tools: { include: ["Read"] } },
    says: 'derive: tools must be a list of names, as in { tools: ["Read"] }, not an object.',
  },
  {
    options: { ceiling: "Read" },
    says: 'derive: ceiling must be a list of rules, as in { ceiling: ["Read(src/**)"] }, not "Read".',
  },
  {
    options: { celing: ["Read"] },
    says: 'derive has no option "celing". Did you mean "ceiling"?',
  },
  { options: null, says: "derive takes an object of options, not null." },
])("derive($options) is refused at once", async ({ options, says }) => {
  const { kit } = await testKit();

  expect(() => misuse(kit, "derive", [options])).toThrow(new TypeError(says));
});

test("a run with a model that is not one is refused at once", async () => {
  const { kit } = await testKit();
  const { startRun } = await import("../agent/index.ts");
  const model = { id: "x" };
  const error = new TypeError("A run needs a model: an object with an id and a stream function.");

  expect(() => misuse(kit, "run", [{ task: "go", model }])).toThrow(error);
  expect(() => Reflect.apply(startRun, undefined, [{ toolkit: kit, task: "go", model }])).toThrow(
    error,
  );
});

test("startRun takes no name of a model, because only a toolkit knows how to open it", async () => {
  const { kit } = await testKit();
  const { startRun } = await import("../agent/index.ts");

  expect(() =>
    Reflect.apply(startRun, undefined, [{ toolkit: kit, task: "go", model: "a:b" }]),
  ).toThrow(
    'model is the text "a:b"; a run needs the model itself: await loadModel("a:b"), from haft/agent.',
  );
});

test.each([
  {
    of: "permissions",
    method: "add",
    given: [{ rule: 7, scope: "user" }],
    says: "permissions.add: rule must be a text, not 7.",
  },
  {
    of: "permissions",
    method: "check",
    given: [{ rule: "Read", scope: "session" }],
    says: 'permissions.check: scope must be one of user, project, local, not "session".',
  },
  {
    of: "permissions",
    method: "remove",
    given: [{ rule: "Read", scop: "user" }],
    says: 'permissions.remove has no option "scop". Did you mean "scope"?',
  },
  {
    of: "tasks",
    method: "stop",
    given: [7],
    says: "id must be the id of a task, a text as tasks.list() has them, not 7.",
  },
  {
    of: "tasks",
    method: "read",
    given: ["task-1", { from: -1 }],
    says: "tasks.read: from must be a whole number from 0, not -1.",
  },
])("$of.$method($given) is refused", async ({ of, method, given, says }) => {
  const { kit } = await testKit();
  const target: unknown = Reflect.get(kit, of);

  const call = Promise.resolve(misuse(Object(target), method, given));

  await expect(call).rejects.toThrow(new TypeError(says));
});

test.each([{ event: null }, { event: "task-start" }, { event: { name: "task-start" } }])(
  "emit($event) is refused",
  async ({ event }) => {
    const { kit } = await testKit();

    expect(() => misuse(kit.events, "emit", [event])).toThrow(
      /^event must be an event, an object/u,
    );
  },
);

test.each([{ id: undefined }, { id: "" }, { id: 7 }])(
  "a scope with the id $id is refused, and its end removes no tool",
  async ({ id }) => {
    const { kit } = await testKit();
    const before = kit.registry.getNames();
    const says = /^A scope needs an id/u;

    expect(() => misuse(kit.registry, "scope", [id])).toThrow(says);
    expect(kit.registry.getNames()).toEqual(before);
  },
);

test.each([{ id: "" }, { id: 7 }])(
  "a tool registered in the scope $id is refused",
  async ({ id }) => {
    const { kit } = await testKit();
    const tool = simpleTool("Mine", () => ({ content: "" }));

    expect(() => misuse(kit.registry, "register", [tool, { scope: id }])).toThrow(
      /^A scope needs an id/u,
    );
  },
);

test("an extra tool that include leaves out is reported", async () => {
  const extra = [simpleTool("Mine", () => ({ content: "" }))];
  const { kit } = await testKit({ tools: { include: ["Read"], extra } });

  expect(kit.workspace.problems).toEqual([
    {
      severity: "warning",
      message: "tools.include leaves out Mine, which is among tools.extra.",
      hint: 'Add "Mine" to tools.include to offer it, or to tools.exclude.',
    },
  ]);
});

test.each([
  { suggests: () => "Mine the gold", why: /^suggestRule of Mine is ignored: / },
  { suggests: () => "Mine(", why: /^suggestRule of Mine is ignored: / },
  {
    suggests: () => 7,
    why: /^suggestRule of Mine is ignored: it returned something other than a text\.$/,
  },
  {
    suggests: () => {
      throw new Error("no idea");
    },
    why: /^suggestRule of Mine is ignored: no idea\.$/,
  },
])("a suggested rule that cannot be read is reported once", async ({ suggests, why }) => {
  const tool = simpleTool("Mine", () => ({ content: "" }), { touches: ["unknown"] });
  const extra = [{ ...tool, suggestRule: (): string => Reflect.apply(suggests, undefined, []) }];
  const { kit } = await testKit({ tools: { extra }, onAsk: async () => ({ kind: "once" }) });

  for (const input of [{ a: 1 }, { a: 2 }]) await kit.call({ name: "Mine", input });

  expect(kit.workspace.problems).toEqual([
    {
      severity: "warning",
      message: expect.stringMatching(why),
      hint: "Return a rule as in Bash(npm test) or Edit(src/**), or undefined.",
    },
  ]);
});

test("a suggested rule that can be read is not reported, taken or not", async () => {
  const tool = simpleTool("Mine", () => ({ content: "" }), {
    touches: ["unknown"],
    suggestRule: () => "Mine",
  });
  const other = simpleTool("Other", () => ({ content: "" }), {
    touches: ["unknown"],
    suggestRule: () => "Bash(npm test)",
  });
  const { kit } = await testKit({
    tools: { extra: [tool, other] },
    onAsk: async () => ({ kind: "once" }),
  });

  for (const name of ["Mine", "Other"]) await kit.call({ name, input: {} });

  expect(kit.workspace.problems).toEqual([]);
});

test("options that an object inherits hold as well", async () => {
  class Options {
    readonly host = memoryHost({ files: { "secret.txt": "x" } });
    get rules() {
      return { deny: ["Read(secret.txt)"] };
    }
  }
  const { createToolkit } = await import("./create-toolkit.ts");
  const heir: Options = Object.create(new Options());

  for (const options of [new Options(), heir]) {
    await using kit = await createToolkit(options);
    const { error } = await kit.call({ name: "Read", input: { file_path: "secret.txt" } });
    expect(error?.code).toBe("PERMISSION_DENIED");
  }
});

test("a rule added to the list after the toolkit opened changes nothing", async () => {
  const allow: string[] = [];
  const { kit } = await testKit({ rules: { allow } });

  allow.push("Write");

  const input = { file_path: "a.txt", content: "x" };
  expect((await kit.explain({ name: "Write", input })).decision?.kind).toBe("ask");
});

test("a tool of the minimal shape may be of a class", async () => {
  class Weather {
    readonly parameters = { type: "object" };
    #asked = 0;
    get name(): string {
      return "Weather";
    }
    get description(): string {
      return "Tells the weather.";
    }
    execute(): string {
      this.#asked += 1;
      return `rain ${this.#asked}`;
    }
  }
  const { kit } = await testKit({
    tools: { extra: [new Weather()] },
    onAsk: async () => ({ kind: "once" }),
  });

  const calls = [await kit.call({ name: "Weather" }), await kit.call({ name: "Weather" })];

  expect(calls.map(({ text }) => text)).toEqual(["rain 1", "rain 2"]);
});

/** Opens a toolkit as if the runtime had these versions. */
async function openOn(versions: Readonly<Record<string, string>>): Promise<void> {
  vi.stubGlobal("process", Object.create(process, { versions: { value: versions } }));
  try {
    await testKit({});
  } finally {
    vi.unstubAllGlobals();
  }
}

test.each(["18.20.0", "20.20.2", "22.12.9"])("a toolkit is not opened on Node %s", async (node) => {
  await expect(openOn({ node })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `haft needs Node 22.13 or newer; this is ${node}.`,
  });
});

test.each([
  { node: "22.13.0" },
  { node: "26.1.0-nightly" },
  { node: "22.6.0", bun: "1.2.0" },
  { node: "20.11.1", deno: "2.0.0" },
  {},
])("a toolkit is opened on %j", async (versions) => {
  await expect(openOn(versions)).resolves.toBeUndefined();
});

test("the package, its command and its build need the same Node", () => {
  const [major, minor] = neededNode;
  const [manifest, command, build] = ["package.json", "bin/haft.cjs", "scripts/bundle.ts"].map(
    (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"),
  );

  expect(manifest).toContain(`"node": ">=${major}.${minor}"`);
  expect(command).toContain(`var needed = [${major}, ${minor}];`);
  expect(build).toContain(`target: "node${major}.${minor}"`);
});
