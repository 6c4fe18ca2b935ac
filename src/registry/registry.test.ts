import { expect, test } from "vitest";
import {
  defineTool,
  serviceToken,
  type Tool,
  type ToolContext,
  type ToolTraits,
} from "../core/index.ts";
import { createRegistry, type Registry, type RegistryChange } from "./registry.ts";

function tool(name: string, traits: Partial<ToolTraits> = {}): Tool {
  return defineTool({
    touches: ["read"],
    ...traits,
    name,
    description: `Does ${name}.`,
    input: { type: "object" },
    run: () => ({ content: name }),
  });
}

const noContext = {} as ToolContext;

function withTools(...tools: readonly Tool[]): Registry {
  const registry = createRegistry();
  registry.registerAll(tools);
  return registry;
}

test("a registered tool is there by name and alias, in lists by name", () => {
  const registry = withTools(tool("Write"), tool("Read", { aliases: ["FileRead"] }));

  expect(registry.getNames()).toEqual(["Read", "Write"]);
  expect(registry.getAll().map(({ name }) => name)).toEqual(["Read", "Write"]);
  expect(registry.get("FileRead")).toBe(registry.get("Read"));
  expect([registry.has("Read"), registry.has("FileRead"), registry.has("read")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(registry.unregister("FileRead")).toBe(false);
  expect(registry.unregister("Read")).toBe(true);
  expect([registry.get("Read"), registry.resolve("FileRead"), registry.unregister("Read")]).toEqual(
    [undefined, undefined, false],
  );
});

test.for([
  {
    first: tool("Read"),
    second: tool("read"),
    name: "read",
    because: "casing tells nothing apart",
  },
  {
    first: tool("Read", { aliases: ["Cat"] }),
    second: tool("CAT"),
    name: "CAT",
    because: "a name an alias holds",
  },
  {
    first: tool("Read"),
    second: tool("Cat", { aliases: ["READ"] }),
    name: "READ",
    because: "an alias a name holds",
  },
  {
    first: tool("Read", { aliases: ["Show"] }),
    second: tool("Cat", { aliases: ["show"] }),
    name: "show",
    because: "two aliases",
  },
])("a collision is a TypeError: $because", ({ first, second, name }) => {
  const registry = withTools(first);
  const wanted = `Tool name "${name}" of ${second.name} (custom "option") is taken by Read (custom "option"). Rename one of them, or register it with override.`;

  expect(() => registry.register(second)).toThrow(new TypeError(wanted));
  expect(() => withTools(first, second)).toThrow(new TypeError(wanted));
  expect(() => createRegistry().registerAll([first, second], { override: true })).toThrow(
    TypeError,
  );
  expect(registry.getNames()).toEqual(["Read"]);
});

test("both sources are named in a collision", () => {
  const registry = withTools(
    tool("Read", { source: { id: "built-in", name: "haft", kind: "built-in" } }),
  );

  expect(() =>
    registry.register(tool("Read", { source: { id: "files", name: "Files", kind: "mcp" } })),
  ).toThrow('of Read (mcp "files") is taken by Read (built-in "built-in")');
});

test("a tool may repeat its own name among its aliases", () => {
  const registry = withTools(tool("Read", { aliases: ["read", "Read"] }));

  expect(registry.getNames()).toEqual(["Read"]);
  expect(registry.get("read")?.name).toBe("Read");
});

test("registerAll registers all or none", () => {
  const registry = withTools(tool("Read"));

  expect(() => registry.registerAll([tool("Grep"), tool("Read")])).toThrow(TypeError);
  expect(registry.getNames()).toEqual(["Read"]);
  expect(registry.registerAll([tool("Grep"), tool("Glob")]).map(({ name }) => name)).toEqual([
    "Grep",
    "Glob",
  ]);
});

test("override takes a name; in the same scope the old tool is gone", () => {
  const registry = withTools(tool("Read", { aliases: ["Cat"] }));
  const mine = registry.register(tool("read"), { override: true });

  expect(registry.getNames()).toEqual(["read"]);
  expect(registry.resolve("Read")).toBe(mine);
  expect(registry.resolve("Cat")).toBeUndefined();
  registry.unregister("read");
  expect(registry.getNames()).toEqual([]);
});

test("an alias that overrides another tool's name shadows that tool until it goes", () => {
  const registry = withTools(tool("Read", { aliases: ["Cat"] }), tool("Write"));
  registry.register(tool("MyRead", { aliases: ["Read"] }), { override: true });

  expect(registry.getNames()).toEqual(["MyRead", "Write"]);
  expect(registry.resolve("Read")?.name).toBe("MyRead");
  expect(registry.resolve("Cat")).toBeUndefined();
  registry.unregister("MyRead");
  expect(registry.getNames()).toEqual(["Read", "Write"]);
  expect(registry.resolve("Cat")?.name).toBe("Read");
});

test("an overridden alias stays with the newer tool, the older keeps the rest", () => {
  const registry = withTools(tool("Read", { aliases: ["Cat", "Show"] }));
  registry.register(tool("Print", { aliases: ["Cat"] }), { override: true });

  expect(["Read", "Cat", "Show"].map((name) => registry.resolve(name)?.name)).toEqual([
    "Read",
    "Print",
    "Read",
  ]);
});

test("disposing of a scope reveals what it shadowed", () => {
  const registry = withTools(tool("Read", { aliases: ["Cat"] }), tool("Write"));
  const before = registry.get("Read");
  const scope = registry.scope("server");
  const mine = scope.register(tool("Read"), { override: true });
  scope.registerAll([tool("Extra"), tool("More")]);

  expect(registry.getNames()).toEqual(["Extra", "More", "Read", "Write"]);
  expect(registry.resolve("Read")).toBe(mine);
  expect(registry.resolve("Cat")).toBeUndefined();
  scope.dispose();
  scope.dispose();
  expect(registry.getNames()).toEqual(["Read", "Write"]);
  expect(registry.resolve("Read")).toBe(before);
  expect(registry.resolve("Cat")).toBe(before);
  expect(() => scope.register(tool("Late"))).toThrow(
    new TypeError("The scope server is disposed."),
  );
  expect(registry.scope("server").register(tool("Late")).name).toBe("Late");
});

test("a scope collides like any other registration", () => {
  const registry = withTools(tool("Read"));

  expect(() => registry.scope("server").register(tool("Read"))).toThrow(TypeError);
});

test("register with a scope is the same as registering in it", () => {
  const registry = createRegistry();
  registry.register(tool("Read"), { scope: "server" });
  registry.register(tool("Grep"), { scope: "other" });

  registry.scope("server").dispose();

  expect(registry.getNames()).toEqual(["Grep"]);
});

test("scopes may go in any order: the latest one left has the name", () => {
  const registry = withTools(tool("Read"));
  const scopes = ["one", "two", "three"].map((id) => registry.scope(id));
  const [one, two, three] = scopes.map((scope) => scope.register(tool("Read"), { override: true }));

  expect(registry.resolve("Read")).toBe(three);
  scopes[1]?.dispose();
  expect(registry.resolve("Read")).toBe(three);
  scopes[2]?.dispose();
  expect(registry.resolve("Read")).toBe(one);
  expect(two).not.toBe(one);
});

test("a disabled tool keeps its names but is neither offered nor resolved", async () => {
  const registry = withTools(tool("Read", { aliases: ["Cat"] }), tool("ReadAll"));
  registry.setEnabled("Cat", false);

  expect(registry.getNames()).toEqual(["ReadAll"]);
  expect(["Read", "read", "Cat", "functions.Read"].map((name) => registry.resolve(name))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(registry.get("Read")?.name).toBe("Read");
  expect([
    registry.isEnabled("Read"),
    registry.isEnabled("ReadAll"),
    registry.isEnabled("None"),
  ]).toEqual([false, true, false]);
  expect(registry.nearest("ReadAl")).toEqual(["ReadAll"]);
  expect(() => registry.register(tool("read"))).toThrow(TypeError);
  registry.setEnabled("Read", true);
  expect(registry.resolve("Cat")?.name).toBe("Read");
  expect(() => registry.setEnabled("Nothing", true)).toThrow(
    new TypeError("No tool is called Nothing. There are: Read, ReadAll."),
  );
});

test("a tool may be registered disabled", () => {
  const registry = createRegistry();
  registry.register(tool("Read"), { enabled: false });

  expect(registry.getNames()).toEqual([]);
  expect(registry.has("Read")).toBe(true);
});

test("a tool whose service is missing is not offered, and says so when called", () => {
  const token = serviceToken("jobs");
  const registry = createRegistry({ provides: ({ id }) => id === "tasks" });
  registry.registerAll([
    tool("Jobs", { needs: [token] }),
    tool("Tasks", { needs: [serviceToken("tasks")] }),
  ]);

  expect(registry.getNames()).toEqual(["Tasks"]);
  expect(registry.resolve("Jobs")?.name).toBe("Jobs");
});

test("a snapshot is not altered by anything that happens later", async () => {
  const original = { ...tool("Read", { aliases: ["Cat"] }) };
  const registry = withTools(original, tool("Write"));
  const snapshot = registry.snapshot();
  const before = JSON.stringify(await snapshot.getDefinitions("openai"));

  registry.register(tool("Read"), { override: true });
  registry.setEnabled("Write", false);
  registry.register(tool("Grep"));
  Object.assign(original, { run: () => ({ content: "changed" }), description: "Changed." });

  expect(JSON.stringify(await snapshot.getDefinitions("openai"))).toBe(before);
  expect(snapshot.getNames()).toEqual(["Read", "Write"]);
  const kept = snapshot.resolve("Cat")?.loaded;
  expect(await kept?.run({}, noContext)).toEqual({ content: "Read" });
  expect(snapshot.resolve("Write")).toBeDefined();
  expect(snapshot.resolve("Grep")).toBeUndefined();
  expect("register" in snapshot).toBe(false);
  expect(registry.getNames()).toEqual(["Grep", "Read"]);
});

test("read-only and write subsets share every tool between them", () => {
  const registry = withTools(
    tool("Read"),
    tool("Fetch", { touches: ["connect"] }),
    tool("Write", { touches: ["read", "write"] }),
    tool("Bash", { touches: ["execute", "unknown"] }),
  );

  expect(registry.readOnly().getNames()).toEqual(["Fetch", "Read"]);
  expect(registry.write().getNames()).toEqual(["Bash", "Write"]);
});

test("a filtered registry has just the named tools and lives on its own", () => {
  const changes: RegistryChange[] = [];
  const registry = createRegistry({ onChange: (change) => changes.push(change) });
  registry.registerAll([tool("Read", { aliases: ["Cat"] }), tool("Write"), tool("Grep")]);
  registry.setEnabled("Grep", false);
  const heard = changes.length;
  const filtered = registry.createFiltered(["cat", "Grep"]);

  expect(filtered.getNames()).toEqual(["Read"]);
  expect(filtered.get("Read")).toBe(registry.get("Read"));
  expect([filtered.has("Grep"), filtered.isEnabled("Grep")]).toEqual([true, false]);
  expect(filtered.resolve("Write")).toBeUndefined();
  filtered.register(tool("Write"));
  registry.unregister("Read");
  expect(filtered.getNames()).toEqual(["Read", "Write"]);
  expect(changes.slice(heard)).toEqual([{ added: [], removed: ["Read"], changed: [] }]);
  expect(() => registry.createFiltered(["Write", "Nope", "None"])).toThrow(
    "No tool is called Nope, None.",
  );
});

test("categories and tags list what is offered", () => {
  const registry = withTools(
    tool("Read", { category: "files", tags: ["text", "file"] }),
    tool("Write", { category: "files", tags: ["file"] }),
    tool("Ping"),
  );

  expect(registry.getCategories()).toEqual(["files", "other"]);
  expect(registry.getByCategory("files").map(({ name }) => name)).toEqual(["Read", "Write"]);
  expect(registry.getByCategory("other").map(({ name }) => name)).toEqual(["Ping"]);
  expect(registry.getTags()).toEqual(["file", "text"]);
  expect(registry.getByTag("text").map(({ name }) => name)).toEqual(["Read"]);
  expect(registry.getByTag("none")).toEqual([]);
  registry.setEnabled("Read", false);
  expect(registry.getTags()).toEqual(["file"]);
});

test("every change is told once, by name", () => {
  const changes: RegistryChange[] = [];
  const late: RegistryChange[] = [];
  const registry = createRegistry({ onChange: (change) => changes.push(change) });
  registry.registerAll([tool("Write"), tool("Read")]);
  const stop = registry.subscribe((change) => late.push(change));
  registry.register(tool("Read"), { override: true });
  const scope = registry.scope("one");
  scope.registerAll([tool("Read"), tool("Grep")], { override: true });
  scope.dispose();
  registry.setEnabled("Read", false);
  registry.setEnabled("Read", false);
  registry.register(tool("Off"), { enabled: false });
  stop();
  registry.setEnabled("Read", true);
  registry.registerAll([]);

  expect(changes).toEqual([
    { added: ["Write", "Read"], removed: [], changed: [] },
    { added: [], removed: [], changed: ["Read"] },
    { added: ["Grep"], removed: [], changed: ["Read"] },
    { added: [], removed: ["Grep"], changed: ["Read"] },
    { added: [], removed: ["Read"], changed: [] },
    { added: ["Read"], removed: [], changed: [] },
  ]);
  expect(late).toEqual(changes.slice(1, 5));
});

test("a listener that throws stops neither the change nor the others", () => {
  const heard: string[] = [];
  const registry = createRegistry();
  registry.subscribe(() => {
    throw new Error("listener");
  });
  registry.subscribe(({ added }) => heard.push(...added));

  expect(() => registry.register(tool("Read"))).toThrow("listener");
  expect(registry.getNames()).toEqual(["Read"]);
  expect(heard).toEqual(["Read"]);
});

test("definitions and listings show what names, mode and rules leave", async () => {
  const registry = createRegistry({
    isHidden: (each, mode) => each.name === "Denied" || (mode === "plan" && !each.flags.readOnly),
  });
  registry.registerAll([
    tool("Read", { aliases: ["Cat"] }),
    tool("Write", { touches: ["write"] }),
    tool("Denied"),
  ]);
  await registry.prepare();

  const names = async (options: Parameters<Registry["getDefinitions"]>[1]): Promise<unknown[]> => {
    const { tools } = await registry.getDefinitions("mcp", options);
    expect(registry.listings(options).map(({ name }) => name)).toEqual(
      tools.map((each) => each["name"]),
    );
    return tools.map((each) => each["name"]);
  };

  expect(await names({})).toEqual(["Read", "Write"]);
  expect(await names({ mode: "plan" })).toEqual(["Read"]);
  expect(await names({ names: ["Write", "CAT"] })).toEqual(["Read", "Write"]);
  expect(await names({ names: ["Denied"] })).toEqual([]);
  expect(await names({ mode: "plan", isHidden: () => false })).toEqual(["Denied", "Read", "Write"]);
  await expect(registry.getDefinitions("mcp", { names: ["Nope"] })).rejects.toThrow(
    "No tool is called Nope.",
  );
});

test("asking for a mode where nothing knows what it hides is a mistake", async () => {
  const registry = withTools(tool("Read"));

  await expect(registry.getDefinitions("mcp", { mode: "plan" })).rejects.toThrow(TypeError);
});

test("listings grow as they become known and load nothing", async () => {
  const registry = withTools(tool("Read"));
  registry.register(
    defineTool({ name: "Broken", touches: [], init: () => Promise.reject(new Error("gone")) }),
  );

  expect(registry.listings()).toEqual([]);
  await registry.prepare();
  expect(registry.listings().map(({ name }) => name)).toEqual(["Read"]);
});

test("only a tool can be registered", () => {
  const impostor: Tool = JSON.parse('{"name":"Read","touches":[]}');

  expect(() => createRegistry().register(impostor)).toThrow(
    new TypeError("Only a tool made by defineTool can be registered."),
  );
});
