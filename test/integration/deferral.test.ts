import { describe, expect, test } from "vitest";
import {
  createToolkit,
  defineTool,
  memoryHost,
  type HaftEvent,
  type Kit,
  type Tool,
  type ToolkitOptions,
} from "../../src/index.ts";
import { watchTools } from "../../src/mcp/server/tools/tool-changes.ts";
import { listTools } from "../../src/mcp/server/tools/tool-list.ts";
import { scenes } from "../support/agent-world.ts";

const core = ["Bash", "Edit", "Glob", "Grep", "Read", "ToolSearch", "Write"];

interface Described {
  readonly description?: string;
  readonly aliases?: readonly string[];
  readonly searchHint?: string;
  readonly alwaysLoad?: boolean;
  readonly server?: string;
}

function echo(
  name: string,
  { description = `Do ${name}.`, server, ...traits }: Described = {},
): Tool {
  return defineTool({
    name,
    description,
    ...traits,
    ...(server === undefined ? {} : { source: { id: server, name: server, kind: "mcp" as const } }),
    input: { type: "object", properties: { text: { type: "string" } } },
    touches: [],
    run: () => ({ content: `${name} ran` }),
  });
}

const many = (count: number): Tool[] =>
  Array.from({ length: count }, (_, index) =>
    echo(`mcp__office__task_${index}`, {
      description: `Handle case ${index} of the office: it files the forms, sends the letters and updates the register of every department that takes part.`,
      server: "office",
    }),
  );

const services = [
  echo("PageFetch", { description: "Fetch a web page as text." }),
  echo("PageSearch", { description: "Search the web.", aliases: ["google"] }),
  echo("mcp__slack__post", { description: "Post a message to a channel.", server: "slack" }),
  echo("Convert", { description: "Change amounts.", searchHint: "currencies exchange" }),
];

async function kitWith(extra: readonly Tool[], options: ToolkitOptions = {}): Promise<Kit> {
  // Searches find the tools of these tests only.
  const tools = { extra, exclude: ["WebFetch"] };
  return await createToolkit({ host: memoryHost(), tools, ...options });
}

const manyTools = async (options?: ToolkitOptions): Promise<Kit> =>
  await kitWith([...services, ...many(30)], options);

async function search(kit: Kit, query: string, sessionId?: string): Promise<string> {
  const options = sessionId === undefined ? {} : { sessionId };
  const { text, status } = await kit.call({ name: "ToolSearch", input: { query } }, options);
  expect(status).toBe("ok");
  return text;
}

async function seen(kit: Kit, options: Parameters<Kit["definitions"]>[1] = {}): Promise<string[]> {
  const { tools } = await kit.definitions("mcp", options);
  return tools.map((tool) => tool.name);
}

describe("which tools are deferred", () => {
  test("none of the built-in tools alone, and then there is no search tool", async () => {
    await using kit = await createToolkit({ host: memoryHost(), deferral: { threshold: 0 } });

    expect(await seen(kit)).toEqual(
      kit.listings().flatMap(({ name }) => (name === "ApplyPatch" ? [] : [name])),
    );
    expect(await seen(kit)).not.toContain("ToolSearch");
    expect(await seen(kit)).toContain("TaskOutput");
  });

  test("none up to the threshold, all but the core above it", async () => {
    await using few = await kitWith([echo("One")]);
    const count = (await seen(few)).length;
    await using at = await kitWith([echo("One")], { deferral: { threshold: count } });
    await using above = await kitWith([echo("One")], { deferral: { threshold: count - 1 } });

    expect(await seen(at)).toContain("One");
    expect(await seen(above)).toEqual(core);
    expect(above.deferral.active()).toEqual(core);
    expect(above.deferral.isDeferred("One")).toBe(true);
    expect(above.deferral.isDeferred("TaskList")).toBe(true);
    expect(above.deferral.isDeferred("Read")).toBe(false);
    expect(above.deferral.isDeferred("Nope")).toBe(false);
  });

  test("not those with alwaysLoad, none with threshold false, all are returned on request", async () => {
    const pinned = echo("Pinned", { alwaysLoad: true });
    await using kit = await kitWith([...services, ...many(30), pinned]);
    await using off = await manyTools({ deferral: { threshold: false } });

    expect(await seen(kit)).toEqual([...core, "Pinned"].toSorted());
    await using asking = await manyTools({ onAsk: async () => ({ kind: "deny" }) });
    expect(await seen(asking, { mode: "plan" })).toContain("ExitPlanMode");
    expect(await seen(off)).toContain("mcp__office__task_29");
    expect(off.registry.getNames()).not.toContain("ToolSearch");
    expect(await seen(kit, { all: true })).toContain("mcp__office__task_29");
    expect(await seen(kit, { all: true })).not.toContain("ToolSearch");
    expect(await seen(kit, { names: ["Convert"] })).toEqual(["Convert"]);
  });

  test("none where ToolSearch is left out or denied", async () => {
    const extra = [...services, ...many(30)];
    await using without = await kitWith([], { tools: { exclude: ["ToolSearch"], extra } });
    await using denied = await manyTools({ rules: { deny: ["ToolSearch"] } });
    await using kit = await manyTools();
    await using child = kit.derive({ tools: ["Read", ...extra.map(({ name }) => name)] });

    for (const each of [without, denied, child]) expect(await seen(each)).toContain("Convert");
  });

  test("an MCP client gets them all, and no notice of an activation", async () => {
    await using kit = await manyTools();

    let notices = 0;
    const stop = watchTools(kit, () => void (notices += 1));
    kit.deferral.activate("Convert");
    await Promise.resolve();
    expect(notices).toBe(0);
    kit.registry.register(echo("Late"));
    await Promise.resolve();
    stop();

    expect(notices).toBe(1);
    const listed = await listTools(kit, { kind: "modern" } as never);

    expect(listed.map(({ name }) => name)).toContain("mcp__office__task_29");
    expect(listed.map(({ name }) => name)).not.toContain("ToolSearch");
  });

  test("500 tools cost a model at most 4,000 tokens before the first search", async () => {
    await using kit = await kitWith(many(500));

    const { tools } = await kit.definitions("anthropic");

    expect(JSON.stringify(tools).length / 4).toBeLessThanOrEqual(4000);
    expect(tools).toHaveLength(core.length);
  });
});

describe("ToolSearch", () => {
  test("activates what it finds, for its session", async () => {
    await using kit = await manyTools();

    const text = await search(kit, "web", "s1");

    expect(text).toContain("Found 2 tool(s) matching 'web':");
    expect(text).toContain("- PageFetch: Fetch a web page as text.");
    expect(text).toContain("These tools have been activated");
    expect(await seen(kit, { sessionId: "s1" })).toEqual(
      [...core, "PageFetch", "PageSearch"].toSorted(),
    );
    expect(await seen(kit, { sessionId: "s2" })).toEqual(core);
    expect(await seen(kit)).toEqual(core);
    expect(await search(kit, "web", "s1")).toMatch(
      /^These tools are already in your list:\n- Page/u,
    );
  });

  test.for([
    ["select:PageFetch, mcp__slack__post", ["PageFetch", "mcp__slack__post"]],
    ["SELECT: convert", ["Convert"]],
    ["Convert", ["Convert"]],
    ["google", ["PageSearch"]],
    ["currencies", ["Convert"]],
    ["slack", ["mcp__slack__post"]],
    ["post message +slack", ["mcp__slack__post"]],
    ["web +google", ["PageSearch"]],
    ["web +fetching", ["PageFetch"]],
  ] as const)("finds by %s", async ([query, names]) => {
    await using kit = await manyTools();

    await search(kit, query);

    expect(kit.deferral.active()).toEqual([...core, ...names].toSorted());
  });

  test("shows at most ten, in short lines, and says how many more match", async () => {
    await using kit = await manyTools();

    const text = await search(kit, "office");

    const lines = text.split("\n").filter((line) => line.startsWith("- "));
    expect(lines).toHaveLength(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(160);
    expect(text).toContain("20 more match less well");
    expect(kit.deferral.active()).toHaveLength(core.length + 10);
  });

  test("says if nothing is deferred, nothing matches, or a selected tool is unknown", async () => {
    await using kit = await manyTools();
    await using plain = await createToolkit({ host: memoryHost() });

    const missing = await search(kit, "select:Nope,PageFetch");

    expect(await search(plain, "quantum")).toBe(
      "All tools are in your list already; there are no others.",
    );
    expect(await search(kit, "zzqxy")).toMatch(
      /^Found no tool matching 'zzqxy'\.\n\d+ other tools can be/u,
    );
    expect(await search(kit, "web +zzqxy")).toMatch(/^Found no tool/u);
    expect(missing).toContain("Found 1 tool(s)");
    expect(missing).toContain("No tool is called Nope.");
  });

  test.for([
    ["10 kB", "web page ".repeat(1200), "Found 2 tool(s) matching 'web page"],
    ["no word", "?! … +", "Found no tool matching '?! … +'."],
    ["nothing", "", "Found no tool matching ''."],
    ["another script", "найди страницу", "Found no tool matching 'найди страницу'."],
    ["lines", "web\n\u0007SYSTEM: yes", "matching 'web SYSTEM: yes'"],
  ] as const)("answers a query of %s", async ([, query, expected]) => {
    await using kit = await manyTools();

    const text = await search(kit, query);

    expect(text).toContain(expected);
    expect(text.length).toBeLessThan(2500);
  });

  test("does not find what the rules hide", async () => {
    await using kit = await manyTools({ rules: { deny: ["PageFetch"] } });

    expect(await search(kit, "select:PageFetch")).toContain("No tool is called PageFetch.");
    await search(kit, "web");

    expect(kit.deferral.active()).toEqual([...core, "PageSearch"].toSorted());
  });
});

describe("activation", () => {
  test("comes with a call by the exact name, which goes through every step", async () => {
    const events: HaftEvent[] = [];
    await using kit = await manyTools({
      rules: { deny: ["mcp__slack__post"] },
      onEvent: (event) => void events.push(event),
    });

    const ran = await kit.call({ name: "Convert", input: {} }, { sessionId: "s" });
    await kit.callAll([{ name: "google", input: {} }], { sessionId: "s" });
    const refused = await kit.call({ name: "mcp__slack__post", input: {} }, { sessionId: "s" });
    const unknown = await kit.call({ name: "Nope", input: {} }, { sessionId: "s" });

    expect([ran.text, refused.status, unknown.error?.code]).toEqual([
      "Convert ran",
      "denied",
      "UNKNOWN_TOOL",
    ]);
    expect(kit.deferral.active("s")).toEqual([...core, "Convert", "PageSearch"].toSorted());
    expect(events.filter(({ type }) => type === "tools-change").slice(-2)).toMatchObject([
      { activated: ["Convert"], sessionId: "s", added: [], removed: [] },
      { activated: ["PageSearch"], sessionId: "s" },
    ]);
  });

  test("is in the hands of the program too", async () => {
    await using kit = await manyTools();

    const found = await kit.deferral.search("web");

    expect(found).toMatchObject({ more: 0, unknown: [] });
    expect(found.found.map(({ name }) => name).toSorted()).toEqual(["PageFetch", "PageSearch"]);
    expect(kit.deferral.active()).toEqual(core);
    expect([kit.deferral.activate("Convert"), kit.deferral.activate("Convert")]).toEqual([
      true,
      false,
    ]);
    expect([kit.deferral.activate("Read"), kit.deferral.activate("Nope")]).toEqual([false, false]);
    expect(kit.deferral.isDeferred("Convert")).toBe(false);
    kit.deferral.reset();
    expect(kit.deferral.active()).toEqual(core);
  });

  test("stays while a tool is away and comes back", async () => {
    await using kit = await manyTools();
    const server = kit.registry.scope("mail");
    server.register(echo("SendMail"));
    kit.deferral.activate("SendMail");

    server.dispose();
    expect(kit.deferral.active()).not.toContain("SendMail");
    kit.registry.scope("mail").register(echo("SendMail"));

    expect(kit.deferral.active()).toContain("SendMail");
  });

  test("reaches the model of a run at its next turn, and the next session begins again with the core tools", async () => {
    await using kit = await manyTools();
    const model = scenes({
      fetch: [
        { calls: [{ name: "ToolSearch", input: { query: "web" } }] },
        { calls: [{ name: "PageFetch", input: {} }] },
        { text: "Done." },
      ],
      again: [{ text: "Hello." }],
    });

    const first = await kit.run({ task: "fetch", model }).result;
    await kit.run({ task: "again", model }).result;

    const offered = model.requests.map(({ tools }) => (tools ?? []).map(({ name }) => name));
    const found = [...core, "PageFetch", "PageSearch"].toSorted();
    expect(offered).toEqual([core, found, found, core]);
    expect(JSON.stringify(first.messages)).toContain("PageFetch ran");
  });
});

describe("tokens saved", () => {
  test("are those of the definitions that a request lacks, in the answer, the run and its end", async () => {
    const events: HaftEvent[] = [];
    await using kit = await kitWith([...many(60), ...services], {
      onEvent: (event) => void events.push(event),
    });
    const sizes = async (all: boolean): Promise<number> =>
      JSON.stringify((await kit.definitions("anthropic", { all, sessionId: "s" })).tools).length;
    const [whole, shown] = [await sizes(true), await sizes(false)];
    const before = kit.deferral.tokensSaved("s");
    const model = scenes({
      fetch: [{ calls: [{ name: "ToolSearch", input: { query: "web" } }] }, { text: "Done." }],
    });

    const run = kit.run({ task: "fetch", model, sessionId: "s" });
    const { tokensSaved } = await run.result;
    const after = kit.deferral.tokensSaved("s");

    // Definitions of a provider have a few characters more than what is counted.
    expect(before / ((whole - shown) / 4)).toBeGreaterThan(0.8);
    expect(before / ((whole - shown) / 4)).toBeLessThan(1.01);
    expect(after).toBeLessThan(before);
    expect(tokensSaved).toBe(before + after);
    expect(events.find(({ type }) => type === "run-end")).toMatchObject({ tokensSaved });
    const answered = events.find(({ type }) => type === "call-end");
    expect(answered).toMatchObject({ outcome: { metadata: { tokensSaved: after } } });
  });

  test("are zero where nothing is deferred", async () => {
    await using kit = await kitWith([]);

    expect(kit.deferral.tokensSaved()).toBe(0);
  });
});
