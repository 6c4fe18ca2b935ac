import { expect, test } from "vitest";
import { namedTool, withTools } from "../../test/registry/named-tool.ts";
import { serviceToken, type Tool } from "../core/index.ts";
import { createRegistry, type RegistryChange } from "./registry.ts";

test("a registered tool is there by name and alias, in lists by name", () => {
  const registry = withTools(namedTool("Write"), namedTool("Read", { aliases: ["FileRead"] }));

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
    first: namedTool("Read"),
    second: namedTool("read"),
    name: "read",
    because: "casing tells nothing apart",
  },
  {
    first: namedTool("Read", { aliases: ["Cat"] }),
    second: namedTool("CAT"),
    name: "CAT",
    because: "a name an alias holds",
  },
  {
    first: namedTool("Read"),
    second: namedTool("Cat", { aliases: ["READ"] }),
    name: "READ",
    because: "an alias a name holds",
  },
  {
    first: namedTool("Read", { aliases: ["Show"] }),
    second: namedTool("Cat", { aliases: ["show"] }),
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
    namedTool("Read", { source: { id: "built-in", name: "haft", kind: "built-in" } }),
  );

  expect(() =>
    registry.register(namedTool("Read", { source: { id: "files", name: "Files", kind: "mcp" } })),
  ).toThrow('of Read (mcp "files") is taken by Read (built-in "built-in")');
});

test("a tool may repeat its own name among its aliases", () => {
  const registry = withTools(namedTool("Read", { aliases: ["read", "Read"] }));

  expect(registry.getNames()).toEqual(["Read"]);
  expect(registry.get("read")?.name).toBe("Read");
});

test("registerAll registers all or none", () => {
  const registry = withTools(namedTool("Read"));

  expect(() => registry.registerAll([namedTool("Grep"), namedTool("Read")])).toThrow(TypeError);
  expect(registry.getNames()).toEqual(["Read"]);
  expect(
    registry.registerAll([namedTool("Grep"), namedTool("Glob")]).map(({ name }) => name),
  ).toEqual(["Grep", "Glob"]);
});

test("override takes a name; in the same scope the old tool is gone", () => {
  const registry = withTools(namedTool("Read", { aliases: ["Cat"] }));
  const mine = registry.register(namedTool("read"), { override: true });

  expect(registry.getNames()).toEqual(["read"]);
  expect(registry.resolve("Read")).toBe(mine);
  expect(registry.resolve("Cat")).toBeUndefined();
  registry.unregister("read");
  expect(registry.getNames()).toEqual([]);
});

test("an alias that overrides another tool's name shadows that tool until it goes", () => {
  const registry = withTools(namedTool("Read", { aliases: ["Cat"] }), namedTool("Write"));
  registry.register(namedTool("MyRead", { aliases: ["Read"] }), { override: true });

  expect(registry.getNames()).toEqual(["MyRead", "Write"]);
  expect(registry.resolve("Read")?.name).toBe("MyRead");
  expect(registry.resolve("Cat")).toBeUndefined();
  registry.unregister("MyRead");
  expect(registry.getNames()).toEqual(["Read", "Write"]);
  expect(registry.resolve("Cat")?.name).toBe("Read");
});

test("an overridden alias stays with the newer tool, the older keeps the rest", () => {
  const registry = withTools(namedTool("Read", { aliases: ["Cat", "Show"] }));
  registry.register(namedTool("Print", { aliases: ["Cat"] }), { override: true });

  expect(["Read", "Cat", "Show"].map((name) => registry.resolve(name)?.name)).toEqual([
    "Read",
    "Print",
    "Read",
  ]);
});

test("disposing of a scope reveals what it shadowed", () => {
  const registry = withTools(namedTool("Read", { aliases: ["Cat"] }), namedTool("Write"));
  const before = registry.get("Read");
  const scope = registry.scope("server");
  const mine = scope.register(namedTool("Read"), { override: true });
  scope.registerAll([namedTool("Extra"), namedTool("More")]);

  expect(registry.getNames()).toEqual(["Extra", "More", "Read", "Write"]);
  expect(registry.resolve("Read")).toBe(mine);
  expect(registry.resolve("Cat")).toBeUndefined();
  scope.dispose();
  scope.dispose();
  expect(registry.getNames()).toEqual(["Read", "Write"]);
  expect(registry.resolve("Read")).toBe(before);
  expect(registry.resolve("Cat")).toBe(before);
  expect(() => scope.register(namedTool("Late"))).toThrow(
    new TypeError("The scope server is disposed."),
  );
  expect(registry.scope("server").register(namedTool("Late")).name).toBe("Late");
});

test("a scope collides like any other registration", () => {
  const registry = withTools(namedTool("Read"));

  expect(() => registry.scope("server").register(namedTool("Read"))).toThrow(TypeError);
});

test("register with a scope is the same as registering in it", () => {
  const registry = createRegistry();
  registry.register(namedTool("Read"), { scope: "server" });
  registry.register(namedTool("Grep"), { scope: "other" });

  registry.scope("server").dispose();

  expect(registry.getNames()).toEqual(["Grep"]);
});

test("scopes may go in any order: the latest one left has the name", () => {
  const registry = withTools(namedTool("Read"));
  const scopes = ["one", "two", "three"].map((id) => registry.scope(id));
  const [one, two, three] = scopes.map((scope) =>
    scope.register(namedTool("Read"), { override: true }),
  );

  expect(registry.resolve("Read")).toBe(three);
  scopes[1]?.dispose();
  expect(registry.resolve("Read")).toBe(three);
  scopes[2]?.dispose();
  expect(registry.resolve("Read")).toBe(one);
  expect(two).not.toBe(one);
});

test("a disabled tool keeps its names but is neither offered nor resolved", async () => {
  const registry = withTools(namedTool("Read", { aliases: ["Cat"] }), namedTool("ReadAll"));
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
  expect(() => registry.register(namedTool("read"))).toThrow(TypeError);
  registry.setEnabled("Read", true);
  expect(registry.resolve("Cat")?.name).toBe("Read");
  expect(() => registry.setEnabled("Nothing", true)).toThrow(
    new TypeError("No tool is called Nothing. There are: Read, ReadAll."),
  );
});

test("a tool may be registered disabled", () => {
  const registry = createRegistry();
  registry.register(namedTool("Read"), { enabled: false });

  expect(registry.getNames()).toEqual([]);
  expect(registry.has("Read")).toBe(true);
});

test("a tool whose service is missing is not offered, and says so when called", () => {
  const token = serviceToken("jobs");
  const registry = createRegistry({ provides: ({ id }) => id === "tasks" });
  registry.registerAll([
    namedTool("Jobs", { needs: [token] }),
    namedTool("Tasks", { needs: [serviceToken("tasks")] }),
  ]);

  expect(registry.getNames()).toEqual(["Tasks"]);
  expect(registry.resolve("Jobs")?.name).toBe("Jobs");
});

test("every change is reported once, by name", () => {
  const changes: RegistryChange[] = [];
  const late: RegistryChange[] = [];
  const registry = createRegistry({ onChange: (change) => changes.push(change) });
  registry.registerAll([namedTool("Write"), namedTool("Read")]);
  const stop = registry.subscribe((change) => late.push(change));
  registry.register(namedTool("Read"), { override: true });
  const scope = registry.scope("one");
  scope.registerAll([namedTool("Read"), namedTool("Grep")], { override: true });
  scope.dispose();
  registry.setEnabled("Read", false);
  registry.setEnabled("Read", false);
  registry.register(namedTool("Off"), { enabled: false });
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

  expect(() => registry.register(namedTool("Read"))).toThrow("listener");
  expect(registry.getNames()).toEqual(["Read"]);
  expect(heard).toEqual(["Read"]);
});

test("only a tool can be registered", () => {
  const impostor: Tool = JSON.parse('{"name":"Read","touches":[]}');

  expect(() => createRegistry().register(impostor)).toThrow(
    new TypeError("Only a tool made by defineTool can be registered."),
  );
});
