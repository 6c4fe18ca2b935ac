import { expect, test } from "vitest";
import { defaultLimits, limits, type Limits } from "../core/index.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";

async function limitsOf(options: Parameters<typeof testKit>[0], files = {}): Promise<Limits> {
  let seen: Limits = defaultLimits;
  const tool = simpleTool("Look", (_input, context) => {
    seen = context.service(limits);
    return { content: "" };
  });
  const { kit } = await testKit({ ...options, tools: { extra: [tool] } }, { files });
  await kit.call({ name: "Look" });
  return seen;
}

test("options take precedence over settings, and both over the defaults", async () => {
  const files = {
    "/home/user/.haft/settings.json": JSON.stringify({
      limits: { read: { lines: 10, lineChars: 20 } },
    }),
  };

  expect(await limitsOf({})).toEqual(defaultLimits);
  expect(await limitsOf({ settings: "load", limits: { read: { lines: 7 } } }, files)).toEqual({
    ...defaultLimits,
    read: { ...defaultLimits.read, lines: 7, lineChars: 20 },
  });
});

test.each([
  [{ raed: {} }, 'createToolkit: limits has no option "raed". Did you mean "read"?'],
  [
    { read: { lines: 0 } },
    "createToolkit: limits.read.lines must be a whole number above 0, not 0.",
  ],
  [{ read: 5 }, "createToolkit: limits.read must be an object of numbers, not 5."],
])("wrong limits %j are a TypeError that names them", async (given, message) => {
  const wrong: unknown = given;
  const opening = testKit({ limits: wrong as object });

  await expect(opening).rejects.toThrow(new TypeError(message));
});

test("50,000 characters of an answer are shown, or as many as the toolkit says", async () => {
  const tool = simpleTool("Say", (input) => ({
    content: "x".repeat(Number(Reflect.get(input, "n"))),
  }));
  const shown = async (n: number, options = {}) => {
    const { kit } = await testKit({ ...options, tools: { extra: [tool] } });
    return (await kit.call({ name: "Say", input: { n } })).text;
  };

  expect(await shown(50_000)).toBe("x".repeat(50_000));
  expect(await shown(50_001)).toContain("(truncated: ");
  expect(await shown(50_001, { maxChars: 60_000 })).toBe("x".repeat(50_001));
});
