import { expect, test } from "vitest";
import { namedTool, withTools } from "../../test/registry/named-tool.ts";
import { defineTool, type ToolContext } from "../core/index.ts";
import { createRegistry, type Registry, type RegistryChange } from "./registry.ts";

const noContext = {} as ToolContext;

test("a snapshot is not altered by anything that happens later", async () => {
  const original = { ...namedTool("Read", { aliases: ["Cat"] }) };
  const registry = withTools(original, namedTool("Write"));
  const snapshot = registry.snapshot();
  const before = JSON.stringify(await snapshot.getDefinitions("openai"));

  registry.register(namedTool("Read"), { override: true });
  registry.setEnabled("Write", false);
  registry.register(namedTool("Grep"));
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
    namedTool("Read"),
    namedTool("Fetch", { touches: ["connect"] }),
    namedTool("Write", { touches: ["read", "write"] }),
    namedTool("Bash", { touches: ["execute", "unknown"] }),
  );

  expect(registry.readOnly().getNames()).toEqual(["Fetch", "Read"]);
  expect(registry.write().getNames()).toEqual(["Bash", "Write"]);
});

test("a filtered registry has just the named tools and lives on its own", () => {
  const changes: RegistryChange[] = [];
  const registry = createRegistry({ onChange: (change) => changes.push(change) });
  registry.registerAll([
    namedTool("Read", { aliases: ["Cat"] }),
    namedTool("Write"),
    namedTool("Grep"),
  ]);
  registry.setEnabled("Grep", false);
  const heard = changes.length;
  const filtered = registry.createFiltered(["cat", "Grep"]);

  expect(filtered.getNames()).toEqual(["Read"]);
  expect(filtered.get("Read")).toBe(registry.get("Read"));
  expect([filtered.has("Grep"), filtered.isEnabled("Grep")]).toEqual([true, false]);
  expect(filtered.resolve("Write")).toBeUndefined();
  filtered.register(namedTool("Write"));
  registry.unregister("Read");
  expect(filtered.getNames()).toEqual(["Read", "Write"]);
  expect(changes.slice(heard)).toEqual([{ added: [], removed: ["Read"], changed: [] }]);
  expect(() => registry.createFiltered(["Write", "Nope", "None"])).toThrow(
    "No tool is called Nope, None.",
  );
});

test("categories and tags list what is offered", () => {
  const registry = withTools(
    namedTool("Read", { category: "files", tags: ["text", "file"] }),
    namedTool("Write", { category: "files", tags: ["file"] }),
    namedTool("Ping"),
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

test("definitions and listings show what names, mode and rules leave", async () => {
  const registry = createRegistry({
    isHidden: (each, mode) => each.name === "Denied" || (mode === "plan" && !each.flags.readOnly),
  });
  registry.registerAll([
    namedTool("Read", { aliases: ["Cat"] }),
    namedTool("Write", { touches: ["write"] }),
    namedTool("Denied"),
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
  const registry = withTools(namedTool("Read"));

  await expect(registry.getDefinitions("mcp", { mode: "plan" })).rejects.toThrow(TypeError);
});

test("listings grow as they become known and load nothing", async () => {
  const registry = withTools(namedTool("Read"));
  registry.register(
    defineTool({ name: "Broken", touches: [], init: () => Promise.reject(new Error("gone")) }),
  );

  expect(registry.listings()).toEqual([]);
  await registry.prepare();
  expect(registry.listings().map(({ name }) => name)).toEqual(["Read"]);
});
