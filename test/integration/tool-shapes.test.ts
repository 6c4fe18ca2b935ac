import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createToolkit,
  defineTool,
  fromMinimalTool,
  memoryHost,
  serviceToken,
  type EffectKind,
} from "../../src/index.ts";
import { callTool, toolContract } from "../../src/testing/index.ts";
import { tool, world } from "./world.ts";

describe("flags", () => {
  const kinds: readonly EffectKind[] = [
    "interact",
    "read",
    "connect",
    "delegate",
    "write",
    "execute",
    "unknown",
  ];

  test.for([
    [
      "nothing",
      [],
      {
        readOnly: true,
        destructive: false,
        idempotent: true,
        openWorld: false,
        concurrencySafe: true,
      },
    ],
    [
      "read",
      ["read"],
      {
        readOnly: true,
        destructive: false,
        idempotent: true,
        openWorld: false,
        concurrencySafe: true,
      },
    ],
    ["connect", ["connect"], { readOnly: true, destructive: false, openWorld: true }],
    [
      "write",
      ["write"],
      {
        readOnly: false,
        destructive: true,
        idempotent: false,
        openWorld: false,
        concurrencySafe: false,
      },
    ],
    [
      "execute",
      ["execute"],
      { readOnly: false, destructive: true, openWorld: true, concurrencySafe: false },
    ],
    ["delegate", ["delegate"], { readOnly: false, destructive: true, openWorld: true }],
    ["unknown", ["unknown"], { readOnly: false, destructive: true, openWorld: true }],
  ] as const)("follow from touching %s", async ([, touches, flags]) => {
    const { kit } = await world({
      tools: { extra: [tool("T", () => ({ content: "" }), { touches })] },
    });

    expect(kit.registry.get("T")?.flags).toMatchObject(flags);
  });

  test("a tool only ever makes them stricter", async () => {
    const lenient = {
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
      concurrencySafe: true,
    };
    const strict = {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
      concurrencySafe: false,
    };
    for (const kind of kinds) {
      const flagsOf = async (flags: object | undefined) => {
        const traits = { touches: [kind], ...(flags === undefined ? {} : { flags }) };
        const { kit } = await world({
          tools: { extra: [tool("T", () => ({ content: "" }), traits)] },
        });
        return kit.registry.get("T")?.flags;
      };

      expect(await flagsOf(lenient)).toEqual(await flagsOf(undefined));
      expect(await flagsOf(strict)).toEqual(strict);
    }
  });

  test("MCP hints say the same", async () => {
    const { kit } = await world();
    const { tools } = await kit.definitions("mcp");
    const hints = Object.fromEntries(tools.map((each) => [each["name"], each["annotations"]]));

    expect(hints["Read"]).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
    expect(hints["Edit"]).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints["Bash"]).toMatchObject({ readOnlyHint: false, openWorldHint: true });
  });
});

describe("the minimal shape", () => {
  const shape = {
    name: "weather",
    description: "Tells the weather.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: async (given: Readonly<Record<string, unknown>>) =>
      `sunny in ${String(given["city"])}`,
  };

  test("one call makes a tool of it; what it touches may be said", async () => {
    const host = memoryHost();
    const kit = await createToolkit({
      host,
      tools: { extra: [fromMinimalTool(shape, { touches: [] })] },
    });

    const outcome = await kit.call({ name: "weather", input: { city: "Bern" } });

    expect(outcome).toMatchObject({ status: "ok", text: "sunny in Bern" });
    expect((await kit.call({ name: "weather", input: {} })).error?.code).toBe("INVALID_INPUT");
  });

  test("a class instance with a method execute keeps its self", async () => {
    class Weather {
      readonly name = "weather";
      readonly description = "Tells the weather.";
      readonly parameters = shape.parameters;
      readonly #sky = "rain";
      async execute(): Promise<string> {
        return this.#sky;
      }
    }
    const { kit } = await world({
      tools: { extra: [fromMinimalTool(new Weather(), { touches: [] })] },
    });

    expect((await kit.call({ name: "weather", input: { city: "Bern" } })).text).toBe("rain");
  });

  test("one that cannot be run is a mistake when the toolkit is opened", async () => {
    const dead = { ...shape, execute: 5 as never };

    await expect(world({ tools: { extra: [dead] } })).rejects.toThrow(
      new TypeError("Tool weather: execute must be a function, not 5."),
    );
  });

  test("an answer that is not a text is a failure of the tool", async () => {
    const odd = fromMinimalTool(
      { ...shape, execute: (async () => undefined) as never },
      { touches: [] },
    );
    const { kit } = await world({ tools: { extra: [odd] } });

    const outcome = await kit.call({ name: "weather", input: { city: "Bern" } });

    expect(outcome).toMatchObject({
      isError: true,
      error: { code: "TOOL_FAILED", hint: expect.any(String) },
    });
  });
});

describe("misuse is a TypeError, early", () => {
  const good = {
    name: "Good",
    description: "d",
    touches: [],
    input: z.object({}),
    run: () => ({ content: "" }),
  };

  test.for([
    ["a name with a space", { name: "no good" }],
    ["no name", { name: "" }],
    ["an alias that is not a name", { aliases: ["a b"] }],
    ["touches left out", { touches: undefined }],
    ["touches of no kind", { touches: ["fly"] }],
    ["a deadline of no time", { timeoutMs: 0 }],
    ["run left out", { run: undefined }],
    ["input left out", { input: undefined }],
    ["description left out", { description: undefined }],
    ["effects that are not a function", { effects: [] }],
    ["output that is not a schema", { output: 7 }],
  ] as const)("%s", ([, change]) => {
    expect(() => defineTool({ ...good, ...change } as never)).toThrow(TypeError);
  });
});

describe("haft/testing", () => {
  const counter = serviceToken<{ count: number }>("counter");
  const honest = defineTool({
    name: "Honest",
    description: "Writes one file.",
    touches: ["write"],
    input: z.object({ path: z.string() }),
    effects: ({ path }) => [{ kind: "write", path, scope: "file", change: "any" }],
    run: async ({ path }, { host }) => {
      await host.fs.writeAtomic(`/project/${path}`, new TextEncoder().encode("x"));
      return { content: "written" };
    },
  });
  const liar = defineTool({
    ...honest,
    effects: () => [],
    input: z.object({ path: z.string() }),
    name: "Liar",
  });

  test("a tool that lies about its effects fails its author's test", async () => {
    await expect(callTool(honest, { path: "a" })).resolves.toMatchObject({ text: "written" });
    await expect(callTool(liar, { path: "a" })).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
    });
    const broken = toolContract(liar, [{ name: "a file", input: { path: "a" } }]).map(
      async (check) => await check.run(),
    );
    expect((await Promise.allSettled(broken)).some(({ status }) => status === "rejected")).toBe(
      true,
    );
  });

  test("a tool whose service is missing is not offered", async () => {
    const needy = tool("Needy", () => ({ content: "" }), { needs: [counter] });
    const { kit } = await world({ tools: { extra: [needy] } });

    expect(kit.registry.getNames()).not.toContain("Needy");
  });
});
