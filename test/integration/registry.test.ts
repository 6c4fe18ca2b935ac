import { expect, test } from "vitest";
import { createRegistry, type EffectKind, type HaftEvent, type Tool } from "../../src/index.ts";
import { tool, world } from "./world.ts";
import { offeredNames } from "../support/built-in-tools.ts";

const says = (name: string, text = name, traits: Parameters<typeof tool>[2] = {}): Tool =>
  tool(name, () => ({ content: text }), traits);

/** Kinds of effects that leave everything as it is. */
const harmless: ReadonlySet<EffectKind> = new Set(["read", "connect", "interact"]);
const changesNothing = (kinds: readonly EffectKind[]): boolean =>
  kinds.every((kind) => harmless.has(kind));
/** Tools that plan mode refuses whatever their input is: those that write, and start nothing. */
const onlyChangesFiles = (kinds: readonly EffectKind[]): boolean =>
  kinds.includes("write") && !kinds.includes("execute");

test("register, unregister, has, get, getAll, getNames: also while a kit is in use, and told as events", async () => {
  const events: HaftEvent[] = [];
  const { kit } = await world({
    onEvent: (event) => events.push(event),
    deferral: { threshold: false },
  });
  const { registry } = kit;

  registry.registerAll([says("Zeta", "z", { aliases: ["last"] }), says("Alpha")]);
  const called = await kit.call({ name: "LAST" });
  const names = registry.getNames();
  const isGone = registry.unregister("Zeta");

  expect(called).toMatchObject({ tool: "Zeta", text: "z" });
  expect(names).toEqual([...names].toSorted());
  expect(registry.getAll().map(({ name }) => name)).toEqual(registry.getNames());
  expect([registry.has("Alpha"), registry.has("Zeta"), registry.get("Zeta"), isGone]).toEqual([
    true,
    false,
    undefined,
    true,
  ]);
  expect(registry.unregister("Zeta")).toBe(false);
  expect((await kit.call({ name: "Zeta" })).error?.code).toBe("UNKNOWN_TOOL");
  const changes = events.filter((event) => event.type === "tools-change");
  expect(changes.slice(-2)).toMatchObject([
    { added: ["Zeta", "Alpha"], removed: [] },
    { added: [], removed: ["Zeta"] },
  ]);
});

test.for([
  ["the same name", says("Read")],
  ["a name in another casing", says("rEAD")],
  ["an alias that is a name", says("Other", "", { aliases: ["Grep"] })],
  ["a name that is an alias", says("FileRead")],
] as const)("%s is a collision unless override, and leaves all as it was", async ([, twin]) => {
  const { kit } = await world();
  const before = JSON.stringify(await kit.definitions("mcp"));

  expect(() => kit.registry.register(twin)).toThrow(TypeError);
  expect(() => kit.registry.registerAll([says("Fine"), twin])).toThrow(TypeError);

  expect(kit.registry.has("Fine")).toBe(false);
  expect(JSON.stringify(await kit.definitions("mcp"))).toBe(before);
  kit.registry.register(twin, { override: true });
  expect((await kit.call({ name: twin.name })).status).toBe("ok");
});

test("a scope's tools go together and reveal what they shadowed", async () => {
  const { kit } = await world({}, { files: { "a.txt": "real" } });
  const before = JSON.stringify(await kit.definitions("openai"));
  const scope = kit.registry.scope("session-1");
  scope.registerAll([says("Read", "shadow"), says("Extra")], { override: true });

  const shadowed = await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  scope.dispose();
  const revealed = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect(shadowed.text).toBe("shadow");
  expect(revealed.text).toContain("real");
  expect(kit.registry.has("Extra")).toBe(false);
  expect(JSON.stringify(await kit.definitions("openai"))).toBe(before);
  expect(() => scope.register(says("Late"))).toThrow(TypeError);
});

test("a snapshot holds definitions and executors that later changes cannot alter", async () => {
  const registry = createRegistry();
  const given = { ...says("Kept", "first", { tags: ["one"] }) };
  registry.register(given);
  const snapshot = registry.snapshot();
  const before = JSON.stringify(await snapshot.getDefinitions("anthropic"));

  registry.register(says("Kept", "second"), { override: true });
  registry.register(says("New"));
  Object.assign(given, { description: "changed", run: () => ({ content: "changed" }) });
  registry.unregister("New");
  registry.setEnabled("Kept", false);

  expect(JSON.stringify(await snapshot.getDefinitions("anthropic"))).toBe(before);
  expect(snapshot.getNames()).toEqual(["Kept"]);
  const kept = await snapshot.get("Kept")?.load();
  expect(await kept?.run({}, {} as never)).toEqual({ content: "first" });
});

test("a disabled tool is neither offered nor called, and keeps its name", async () => {
  const { kit } = await world({ tools: { extra: [says("Toggle")] } });

  kit.registry.setEnabled("Toggle", false);
  const off = await kit.call({ name: "Toggle" });
  const names = (await kit.definitions("mcp")).tools.map((each) => each["name"]);
  kit.registry.setEnabled("Toggle", true);

  expect(off.error?.code).toBe("UNKNOWN_TOOL");
  expect(names).not.toContain("Toggle");
  expect(() => kit.registry.register(says("Toggle"))).toThrow(TypeError);
  expect((await kit.call({ name: "Toggle" })).status).toBe("ok");
});

test("filtered, read-only and write subsets are registries of their own", async () => {
  const { kit } = await world();
  const { registry } = kit;

  const some = registry.createFiltered(["grep", "FileRead"]);
  some.register(says("Own"));

  expect(some.getNames()).toEqual(["Grep", "Own", "Read"]);
  expect(registry.has("Own")).toBe(false);
  expect(registry.readOnly().getNames()).toEqual(
    offeredNames({ services: ["toolSearch"], touches: changesNothing }),
  );
  expect(registry.write().getNames()).toEqual(
    offeredNames({ touches: (kinds) => !changesNothing(kinds) }),
  );

  expect(() => registry.createFiltered(["Nope"])).toThrow(TypeError);
});

test("categories, tags and search find what is offered, however it is asked for", async () => {
  const extra = [
    says("Deploy", "", { category: "ops", tags: ["prod", "slow"], searchHint: "ship release" }),
    says("Rollback", "", { category: "ops", tags: ["prod"], description: "Takes a release back." }),
  ];
  const { kit } = await world({ tools: { extra } });
  const { registry } = kit;

  expect(registry.getCategories()).toContain("ops");
  expect(registry.getByCategory("ops").map(({ name }) => name)).toEqual(["Deploy", "Rollback"]);
  expect(registry.getTags()).toEqual(expect.arrayContaining(["prod", "slow"]));
  expect(registry.getByTag("slow").map(({ name }) => name)).toEqual(["Deploy"]);
  expect((await registry.search("ship"))[0]?.name).toBe("Deploy");
  expect((await registry.search("file contents by regular expression"))[0]?.name).toBe("Grep");
  expect(await registry.search("")).toEqual([]);
});

test("a bare deny hides a tool, and so does a mode that refuses all it does; both refuse it too", async () => {
  const { kit } = await world(
    { rules: { deny: ["Write", "Later"] }, deferral: { threshold: false } },
    { files: { "a.txt": "x" } },
  );
  kit.registry.register(says("Later"));
  const offered = async (mode?: "plan"): Promise<readonly unknown[]> =>
    (await kit.definitions("mcp", mode === undefined ? {} : { mode })).tools.map(
      (each) => each["name"],
    );

  expect(await offered()).toEqual(
    offeredNames({ variants: false }).filter((name) => name !== "Write"),
  );
  expect(await offered("plan")).toEqual(
    offeredNames({ variants: false, touches: (kinds) => !onlyChangesFiles(kinds) }),
  );

  kit.setMode("plan");
  expect(await offered()).toEqual(await offered("plan"));
  for (const name of ["Later", "Write"]) {
    const outcome = await kit.call({ name, input: { file_path: "n", content: "" } });
    expect(outcome.error?.code).toBe("PERMISSION_DENIED");
  }
});

test("rules by alias hold for tools registered after the kit was made", async () => {
  const { kit } = await world({ rules: { deny: ["secondName"], allow: ["Third"] } });
  kit.registry.register(says("Second", "ran", { aliases: ["secondName"] }));
  kit.registry.register(says("Third", "ran", { touches: ["unknown"] }));

  expect((await kit.call({ name: "Second" })).error?.code).toBe("PERMISSION_DENIED");
  expect((await kit.call({ name: "Third" })).status).toBe("ok");
});

test("definitions are the same bytes in whatever order tools were registered", async () => {
  const tools = ["Delta", "alpha", "Beta", "Öl-free", "gamma"].map((name) =>
    says(name.replace("Ö", "O")),
  );
  const one = createRegistry();
  one.registerAll(tools);
  const other = createRegistry();
  for (const each of [...tools].toReversed()) other.register(each);

  for (const format of ["openai", "anthropic", "gemini", "mcp"] as const) {
    expect(JSON.stringify(await one.getDefinitions(format))).toBe(
      JSON.stringify(await other.getDefinitions(format)),
    );
  }
});
