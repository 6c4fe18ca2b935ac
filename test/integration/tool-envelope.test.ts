import { createHash } from "node:crypto";
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
import { scenes } from "../support/agent-world.ts";

const core = ["Bash", "Edit", "Glob", "Grep", "Read", "ToolSearch", "Write", "tool_call"];

function echo(name: string, input: Record<string, unknown> = { text: { type: "string" } }): Tool {
  return defineTool({
    name,
    description: `Handle the case of ${name.replaceAll("_", " ")} and file its forms.`,
    source: { id: "office", name: "office", kind: "mcp" },
    input: { type: "object", properties: input, additionalProperties: false },
    touches: [],
    run: (given) => ({ content: `${name} got ${JSON.stringify(given)}` }),
  });
}

const office = Array.from({ length: 60 }, (_, index) => echo(`office_task_${index}`));

type GivenSettings = NonNullable<ToolkitOptions["settings"]>;

async function envelopeKit(
  extra: readonly Tool[] = [],
  options: ToolkitOptions = {},
): Promise<Kit> {
  return await createToolkit({
    host: memoryHost(),
    tools: { extra: [...office, ...extra], exclude: ["WebFetch"] },
    deferral: { calls: "envelope" },
    ...options,
  });
}

async function blockHash(kit: Kit): Promise<string> {
  const { tools } = await kit.definitions("anthropic", { sessionId: "s" });
  return createHash("sha256").update(JSON.stringify(tools)).digest("hex");
}

const envelope = (name: unknown, given?: unknown, id = "call_1") => ({
  id,
  name: "tool_call",
  input: given === undefined ? { name } : { name, arguments: given },
});

describe("calls through an envelope", () => {
  test("keep the tools of a request the same over 50 turns of searches, calls and reconnects", async () => {
    await using kit = await envelopeKit();
    const server = kit.registry.scope("mail");
    server.register(echo("SendMail"));
    const first = await blockHash(kit);
    const hashes = new Set<string>();
    const options = { sessionId: "s" };

    for (let turn = 0; turn < 50; turn += 1) {
      const query = `select:office_task_${turn}`;
      const found = await kit.call({ name: "ToolSearch", input: { query } }, options);
      expect(found.text).toContain('input: {"type":"object"');
      const call = envelope(`office_task_${turn}`, { text: `${turn}` }, `call_${turn}`);
      const [outcome] = await kit.callAll([call], options);
      expect(outcome).toMatchObject({
        id: `call_${turn}`,
        tool: `office_task_${turn}`,
        status: "ok",
        text: `office_task_${turn} got {"text":"${turn}"}`,
      });
      await kit.call({ name: `office_task_${turn}`, input: {} }, options);
      if (turn % 10 === 0) {
        const again = kit.registry.scope("calendar");
        again.register(echo("ListDates"));
        hashes.add(await blockHash(kit));
        again.dispose();
      }
      hashes.add(await blockHash(kit));
    }
    server.dispose();
    for (const { name } of office.slice(0, 59)) kit.registry.unregister(name);
    hashes.add(await blockHash(kit));

    expect([...hashes]).toEqual([first]);
    expect(kit.deferral.active("s")).toEqual(core);
    expect(kit.deferral.isDeferred("office_task_59", "s")).toBe(true);
  });

  test("run through every step under the name of the tool inside", async () => {
    const events: HaftEvent[] = [];
    const seen: string[] = [];
    await using kit = await envelopeKit([], {
      rules: { deny: ["office_task_1"], ask: ["office_task_2"] },
      hooks: { before: [({ tool }) => void seen.push(tool)] },
      onAsk: async ({ tool }) => {
        seen.push(`asked ${tool}`);
        return { kind: "deny" };
      },
      onEvent: (event) => void events.push(event),
    });

    const ran = await kit.call(envelope("office_task_3", { text: "x" }));
    const denied = await kit.call(envelope("office_task_1", {}));
    const asked = await kit.call(envelope("office_task_2", {}));
    const wrong = await kit.call(envelope("office_task_3", { nope: 1 }));
    const written = await kit.call(envelope("Write", { file_path: "a.txt", content: "a\n" }));

    expect([ran, denied, asked, wrong].map(({ tool, status }) => [tool, status])).toEqual([
      ["office_task_3", "ok"],
      ["office_task_1", "denied"],
      ["office_task_2", "denied"],
      ["office_task_3", "failed"],
    ]);
    expect(wrong.error?.code).toBe("INVALID_INPUT");
    expect(seen).toContain("office_task_3");
    expect(seen).toContain("asked office_task_2");
    expect(seen).not.toContain("tool_call");
    expect(written.tool).toBe("Write");
    const starts = events.flatMap((event) =>
      event.type === "call-start" ? [event.call.name] : [],
    );
    expect(starts).not.toContain("tool_call");
    expect(await kit.explain(envelope("office_task_1", {}))).toMatchObject({
      tool: "office_task_1",
      decision: { kind: "deny" },
    });
    expect(await kit.reconcile(envelope("office_task_3", {}))).toBe("repeatable");
    expect((await kit.preview(envelope("office_task_3", {}))).tool).toBe("office_task_3");
  });

  test("are undone as calls of the tool inside", async () => {
    const host = memoryHost();
    await using kit = await envelopeKit([], { host, rules: { allow: ["Write"] } });

    await kit.call(envelope("Write", { file_path: "a.txt", content: "a\n" }, "w"));
    const [entry] = await kit.history();
    await kit.undo({ call: "w" });

    expect(entry).toMatchObject({ callId: "w", tool: "Write" });
    expect(await kit.call({ name: "Read", input: { file_path: "a.txt" } })).toMatchObject({
      isError: true,
    });
  });

  test.for([
    ["an unknown name", envelope("office_task_600", {}), "UNKNOWN_TOOL", "office_task_600"],
    ["itself", envelope("tool_call", {}), "INVALID_INPUT", "tool_call cannot call itself."],
    ["itself in another style", envelope("ToolCall", {}), "INVALID_INPUT", "tool_call"],
    ["no name", { name: "tool_call", input: {} }, "INVALID_INPUT", "name"],
    ["a name that is not a text", envelope(7, {}), "INVALID_INPUT", "name"],
    [
      "two names",
      { name: "tool_call", input: { name: "Read", tool: "Write" } },
      "INVALID_INPUT",
      "tool",
    ],
    [
      "a call that was cut off",
      { ...envelope("office_task_1", {}), incomplete: true },
      "INVALID_INPUT",
      "not complete JSON",
    ],
    ["a list", { name: "tool_call", input: ["office_task_1"] }, "INVALID_INPUT", ""],
  ] as const)("refuse %s", async ([, call, code, words]) => {
    await using kit = await envelopeKit();

    const { error, text, isError } = await kit.call(call);

    expect(isError).toBe(true);
    expect(error?.code).toBe(code);
    expect(text).toContain(words);
  });

  test.for([
    { name: "office_task_1", arguments: '{"text":"x"}' },
    { tool: "office_task_1", args: { text: "x" } },
    '{"name":"office_task_1","arguments":{"text":"x"}}',
    { name: "OfficeTask1", input: { text: "x" } },
  ])("are understood as %j", async (input) => {
    await using kit = await envelopeKit();

    const { tool, text } = await kit.call({ name: "tool_call", input });

    expect(tool).toBe("office_task_1");
    expect(text).toBe('office_task_1 got {"text":"x"}');
  });

  test("are not opened where a rule denies tool_call, and found tools join the list there", async () => {
    await using kit = await envelopeKit([], { rules: { deny: ["tool_call"] } });

    const outcome = await kit.call(envelope("office_task_1", {}));
    await kit.call({ name: "ToolSearch", input: { query: "select:office_task_2" } });

    expect(outcome).toMatchObject({ tool: "tool_call", status: "denied" });
    expect(kit.deferral.active()).toContain("office_task_2");
    expect(kit.deferral.active()).not.toContain("tool_call");
  });

  test("cannot reach a tool that a derived kit does not have", async () => {
    await using kit = await envelopeKit();
    await using child = kit.derive({ tools: ["Read", "ToolSearch", "tool_call", "office_task_1"] });

    expect((await child.call(envelope("office_task_1", {}))).status).toBe("ok");
    expect((await child.call(envelope("office_task_2", {}))).error?.code).toBe("UNKNOWN_TOOL");
  });

  test("reach the model of a run as results of the ids that its provider gave", async () => {
    await using kit = await envelopeKit();
    const model = scenes({
      file: [
        { calls: [{ name: "ToolSearch", input: { query: "select:office_task_5" } }] },
        { calls: [{ name: "tool_call", input: { name: "office_task_5", arguments: {} } }] },
        { text: "Done." },
      ],
    });

    const { messages, status } = await kit.run({ task: "file", model }).result;

    expect(status).toBe("done");
    const offered = model.requests.map(({ tools }) => JSON.stringify(tools));
    expect(new Set(offered).size).toBe(1);
    const called = messages.flatMap((message) =>
      message.role === "assistant" && Array.isArray(message.content)
        ? message.content.flatMap((part) => (part.type === "tool-call" ? [part.id] : []))
        : [],
    );
    const answered = messages.flatMap((message) =>
      message.role === "tool" ? message.content.map(({ callId }) => callId) : [],
    );
    expect(answered).toEqual(called);
    expect(JSON.stringify(messages)).toContain("office_task_5 got {}");
  });

  test("are offered only with the option, and only while tools are deferred", async () => {
    await using growing = await envelopeKit([], { deferral: { calls: "growing" } });
    await using never = await envelopeKit([], {
      deferral: { calls: "envelope", threshold: false },
    });
    await using few = await envelopeKit([], {
      tools: { extra: [] },
      deferral: { calls: "envelope" },
    });

    for (const kit of [growing, never, few])
      expect(kit.deferral.active()).not.toContain("tool_call");
    expect(few.listings().map(({ name }) => name)).not.toContain("tool_call");
    await expect(envelopeKit([], { deferral: { calls: "both" as never } })).rejects.toThrow(
      TypeError,
    );
  });
});

async function answerTo(kit: Kit, query: string): Promise<string> {
  return (await kit.call({ name: "ToolSearch", input: { query } })).text;
}

describe("schemas in the answer of a search", () => {
  test("are bounded, the best first, and say how to see the others", async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `field_${index}`,
        { type: "string", description: "z".repeat(30) },
      ]),
    );
    const big = Array.from({ length: 10 }, (_, index) => echo(`ledger_${index}`, wide));
    await using kit = await envelopeKit(big);

    const all = await answerTo(kit, "ledger");
    const one = await answerTo(kit, "select:ledger_9");

    expect(all.length).toBeLessThan(16_000);
    expect(all).toMatch(/too long to show here; search for select:ledger_\d/u);
    expect(one).toContain('"field_99":{"type":"string"');
    expect(one).toContain("Call them with tool_call");
  });

  test("lose their texts before they are left out, but no property named like one", async () => {
    const title = { type: "string", description: "d".repeat(20_000) };
    const huge = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`field_${index}`, { type: "string" }]),
    );
    await using kit = await envelopeKit([echo("TitleMaker", { title }), echo("Huge", huge)]);

    const text = await answerTo(kit, "select:TitleMaker");

    expect(text).toContain('"properties":{"title":{"type":"string"}}');
    expect(text).not.toContain("ddd");
    expect(await answerTo(kit, "select:Huge")).toMatch(/too long to show; properties field_0, /u);
    expect((await answerTo(kit, "select:Huge")).length).toBeLessThan(3000);
  });

  test("show invisible characters as escapes, in one line", async () => {
    const text = { type: "string", description: "a\u202Eb\nSYSTEM: c\u{E0041}" };
    await using kit = await envelopeKit([echo("Odd", { text })]);

    const answer = await answerTo(kit, "select:Odd");

    expect(answer).toContain(String.raw`a\u202eb\nSYSTEM: c\udb40\udc41`);
  });
});

describe("the settings toolSearch", () => {
  test("choose the calls and the threshold; the option counts more", async () => {
    const settings = { toolSearch: { calls: "envelope", threshold: 20 } } as const;
    const tools = { extra: office, exclude: ["WebFetch"] };
    const open = async (deferral: ToolkitOptions["deferral"] = {}): Promise<Kit> =>
      await createToolkit({ host: memoryHost(), settings, tools, deferral });
    await using set = await open();
    await using off = await open({ threshold: false });
    await using growing = await open({ calls: "growing" });

    expect(set.deferral.active()).toEqual(core);
    expect(off.deferral.active()).toContain("office_task_1");
    expect(growing.deferral.active()).toEqual(core.filter((name) => name !== "tool_call"));
    expect([set, off, growing].flatMap(({ workspace }) => workspace.problems)).toEqual([]);
  });

  test("report a wrong value and keep the default", async () => {
    const toolSearch = { calls: "both", threshold: true } as never;
    await using kit = await createToolkit({
      host: memoryHost(),
      settings: { toolSearch },
      tools: { extra: office, exclude: ["WebFetch"] },
    });

    expect(kit.workspace.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("toolSearch.calls"),
      expect.stringContaining("toolSearch.threshold"),
    ]);
    expect(kit.deferral.active()).toEqual(core.filter((name) => name !== "tool_call"));
  });
});

const sized = (contextTokens: number): GivenSettings => ({
  models: {
    default: "big",
    aliases: { big: "script:plan.json" },
    catalog: { "script:plan.json": { contextTokens } },
  },
  toolSearch: { threshold: "auto:10%" },
});

async function openWith(settings: GivenSettings): Promise<Kit> {
  return await createToolkit({ host: memoryHost(), settings, tools: { extra: office } });
}

describe("a threshold in tokens", () => {
  test("defers tools that take more than the share of the context", async () => {
    await using large = await openWith(sized(1_000_000));
    await using small = await openWith(sized(50_000));

    expect(large.workspace.problems).toEqual([]);
    expect(large.deferral.isDeferred("office_task_1")).toBe(false);
    expect(small.deferral.isDeferred("office_task_1")).toBe(true);
  });

  test("counts tools where the size is not known", async () => {
    const settings = { toolSearch: { threshold: "auto:10%" } } as const;
    await using kit = await openWith(settings);
    await using few = await createToolkit({
      host: memoryHost(),
      settings,
      tools: { include: ["Read", "ToolSearch"], extra: [echo("One")] },
    });

    expect(kit.deferral.isDeferred("office_task_1")).toBe(true);
    expect(few.deferral.isDeferred("One")).toBe(false);
  });

  test.for(["auto:101%", "auto:x%", "10%", "auto:-1%"])("refuses %s", async (threshold) => {
    const given = { host: memoryHost(), deferral: { threshold: threshold as never } };

    await expect(createToolkit(given)).rejects.toThrow(TypeError);
  });
});
