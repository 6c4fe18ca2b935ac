import { expect, test } from "vitest";
import { z } from "zod";
import { ToolError, defineTool } from "../../core/index.ts";
import { settled, simpleTool, testKit } from "../../../test/support/kit.ts";

const files = { "a.txt": "one\ntwo\n", "secrets/key.txt": "hidden\n" };

test("a long answer is cut at head and tail, kept whole where Read opens it", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join("\n");
  const { kit, host } = await testKit({
    tools: { extra: [simpleTool("Long", () => ({ content: lines }), { maxChars: 2000 })] },
    dataDirectory: "/data",
  });

  const outcome = await kit.call({ name: "Long" });

  expect(outcome.text.length).toBeLessThan(2400);
  expect(outcome.text).toContain("line 0\n");
  expect(outcome.text).toContain("line 4999");
  expect(outcome.text).toContain("(truncated:");
  expect(outcome.artifact).toMatchObject({ chars: lines.length, lines: 5000 });
  const path = outcome.artifact?.path ?? "";
  expect(host.control.texts()[path]).toBe(lines);
  const opened = await kit.call({
    name: "Read",
    input: { file_path: path, offset: 2500, limit: 1 },
  });
  expect(opened.text).toContain("line 2499");
  const overwritten = await kit.call({ name: "Write", input: { file_path: path, content: "x" } });
  expect(overwritten.status).toBe("denied");
});

test("an answer of just the limit is shown whole, one character more is cut", async () => {
  const sized = simpleTool("Sized", ({ size }) => ({ content: "x".repeat(Number(size)) }), {
    maxChars: 100,
  });
  const { kit } = await testKit({ tools: { extra: [sized] }, dataDirectory: "/data" });

  expect((await kit.call({ name: "Sized", input: { size: 100 } })).artifact).toBeUndefined();
  expect((await kit.call({ name: "Sized", input: { size: 101 } })).artifact?.chars).toBe(101);
});

test("an error's long text is bounded too, and shows its end", async () => {
  const failing = simpleTool(
    "Failing",
    () => {
      throw new ToolError("COMMAND_FAILED", `${"x\n".repeat(2000)}the reason`, {
        hint: "Look at the end.",
      });
    },
    { maxChars: 500 },
  );
  const { kit } = await testKit({ tools: { extra: [failing] }, dataDirectory: "/data" });

  const outcome = await kit.call({ name: "Failing" });

  expect(outcome.text.length).toBeLessThan(900);
  expect(outcome.text).toContain("the reason\nLook at the end.");
});

test("secrets are taken out of answers, unless told otherwise", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const extra = [simpleTool("Leaky", () => ({ content: `token ${token}` }))];
  const { kit } = await testKit({ tools: { extra } });
  const { kit: open } = await testKit({ tools: { extra }, redactSecrets: false });

  expect((await kit.call({ name: "Leaky" })).text).toBe("token [redacted: GitHub token]");
  expect((await open.call({ name: "Leaky" })).text).toBe(`token ${token}`);
});

test("after-hooks see the bounded answer, may replace it and add to it, and cannot undo the call", async () => {
  const seen: string[] = [];
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Plain", () => ({ content: "plain" }))] },
    hooks: {
      after: [
        ({ outcome }) => (seen.push(outcome.text), { content: "replaced" }),
        ({ outcome }) => (seen.push(outcome.text), { context: "by the way" }),
        () => {
          throw new Error("late");
        },
      ],
    },
  });

  const outcome = await kit.call({ name: "Plain" });

  expect(seen).toEqual(["plain", "replaced"]);
  expect(outcome.status).toBe("ok");
  expect(outcome.text).toMatchInlineSnapshot(`
    "replaced
    by the way
    (A hook failed after this call: late)"
  `);
});

test.each([
  ["a number", 5],
  ["null", null],
  ["a text alone", "text"],
  ["invalid content", { content: 5 }],
  ["parts of no kind", { content: [{ type: "smell" }] }],
  ["a context that is not a text", { context: { text: "x" } }],
])("an after-hook that answers %s has failed, and the call stands", async (_name, answer) => {
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Plain", () => ({ content: "plain" }))] },
    hooks: { after: [async () => answer as never] },
  });

  const { status, text } = await kit.call({ name: "Plain" });

  expect({ status, text }).toEqual({
    status: "ok",
    text: "plain\n(A hook failed after this call: it must answer { content }, { context } or nothing.)",
  });
});

test("an after-hook may answer parts of content", async () => {
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Plain", () => ({ content: "plain" }))] },
    hooks: { after: [() => ({ content: [{ type: "text", text: "parts" }] })] },
  });

  expect((await kit.call({ name: "Plain" })).text).toBe("parts");
});

test("after-hooks see failures too, and the failure stays one", async () => {
  const { kit } = await testKit({ hooks: { after: [() => ({ context: "noted" })] } });

  const outcome = await kit.call({ name: "Read", input: { file_path: "nowhere.txt" } });

  expect(outcome).toMatchObject({ status: "failed", isError: true, error: { code: "NOT_FOUND" } });
  expect(outcome.text).toContain("noted");
});

test("a span says what ran, by the conventions for generative AI", async () => {
  const spans: unknown[] = [];
  const tracer = {
    startSpan: (
      name: string,
      options: { readonly startTime: number; readonly attributes: object },
    ) => {
      const span = { name, ...options, status: undefined as unknown, endTime: 0 };
      spans.push(span);
      return {
        setStatus: (status: unknown) => (span.status = status),
        end: (endTime: number) => {
          span.endTime = endTime;
        },
      };
    },
  };
  const { kit, host } = await testKit({ tracer }, { files });

  await kit.call({ id: "c1", name: "Read", input: { file_path: "a.txt" } });
  await kit.call({ id: "c2", name: "Read", input: { file_path: "none" } });

  expect(spans).toMatchObject([
    {
      name: "execute_tool Read",
      startTime: host.clock.now(),
      endTime: host.clock.now(),
      attributes: {
        "gen_ai.tool.name": "Read",
        "gen_ai.tool.call.id": "c1",
        "haft.decision": "allow",
      },
      status: undefined,
    },
    { attributes: { "error.type": "NOT_FOUND" }, status: { code: 2 } },
  ]);
});

test("the input a tool runs with is typed by its schema, defaults filled in", async () => {
  const typed = defineTool({
    name: "Typed",
    description: "Counts.",
    touches: [],
    input: z.object({ seconds: z.coerce.number().default(1) }),
    run: ({ seconds }) => ({ content: `${seconds + 1}` }),
  });
  const { kit } = await testKit({ tools: { extra: [typed] } });

  expect((await kit.call({ name: "Typed" })).text).toBe("2");
  expect((await kit.call({ name: "Typed", input: { seconds: 4 } })).text).toBe("5");
});

test("a resource's text is text: it is bounded like any other", async () => {
  const content = [
    { type: "resource", resource: { uri: "x:/1", text: "a".repeat(90) } },
    { type: "text", text: "b".repeat(90) },
    { type: "resource_link", uri: "x:/2", name: "two" },
  ] as const;
  const long = simpleTool("Long", () => ({ content }), { maxChars: 100 });
  const fits = simpleTool("Fits", () => ({ content }), { maxChars: 200 });
  const { kit } = await testKit({ tools: { extra: [long, fits] } });

  const cut = await kit.call({ name: "Long" });
  const whole = await kit.call({ name: "Fits" });

  expect(cut.content).toHaveLength(1);
  expect(cut.text.startsWith("aaaa")).toBe(true);
  expect(cut.text).toContain("(truncated: ");
  expect(cut.artifact).toMatchObject({ chars: 90 + 1 + 90 + 1 + "[resource x:/2]".length });
  expect(whole.content).toEqual(content);
});

const image = (chars: number) =>
  ({ type: "image", data: "A".repeat(chars), mimeType: "image/png" }) as const;

test("media beyond what any provider takes is left out and said, the rest stays", async () => {
  const content = [
    { type: "text", text: "two pictures" },
    image(8_000_000),
    image(8_000_001),
    { type: "resource", resource: { uri: "x:/1", blob: "A".repeat(8_000_001) } },
  ] as const;
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Look", () => ({ content }), { maxChars: 100 })] },
  });

  const outcome = await kit.call({ name: "Look" });

  expect(outcome.content).toHaveLength(2);
  expect(outcome.content[1]).toBe(content[1]);
  expect(outcome.content[0]).toEqual({
    type: "text",
    text: "two pictures\n(too large to show, left out: image/png of 6000000 bytes, a file x:/1 of 6000000 bytes.)",
  });
  expect(outcome.artifact).toBeUndefined();
});

test("of what a tool streamed before it was stopped, just the latest 32,768 characters are kept, from a line on", async () => {
  const streaming = simpleTool(
    "Stream",
    async (_input, { output }) => {
      output.write("half a line\n".repeat(10));
      output.write(`${"a".repeat(100)}\n`);
      output.write("b".repeat(32_700));
      return await new Promise<never>(() => undefined);
    },
    { timeoutMs: 1000 },
  );
  const { kit, host } = await testKit({ tools: { extra: [streaming] } });
  const call = kit.call({ name: "Stream" });
  await settled();
  host.control.advance(1000);
  host.control.advance(1000);

  const { text } = await call;

  expect(text).toContain(`\n${"b".repeat(32_700)}\n`);
  expect(text).not.toContain("aaa");
});

test("of many pictures the first ones are shown, and the others are counted", async () => {
  const content = Array.from({ length: 25 }, () => image(10));
  const extra = [simpleTool("Look", () => ({ content }))];
  const { kit } = await testKit({ tools: { extra } });
  const { kit: strict } = await testKit({ tools: { extra }, limits: { answer: { media: 2 } } });

  const outcome = await kit.call({ name: "Look" });
  const less = await strict.call({ name: "Look" });

  expect(outcome.content).toHaveLength(21);
  expect(outcome.content[0]).toEqual({
    type: "text",
    text: "(left out: 5 of 25 pictures and files; ask for fewer at once.)",
  });
  expect(less.content).toHaveLength(3);
});

const hiddenJson = (size: number): string =>
  JSON.stringify({ token: "[redacted: GitHub token]", text: "x".repeat(size) });

test("structured content that is too long is kept as JSON, and the answer says where", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const sized = simpleTool("Sized", ({ size }) => ({
    content: "fine",
    structuredContent: { token, text: "x".repeat(Number(size)) },
  }));
  const { kit, host } = await testKit({
    tools: { extra: [sized] },
    dataDirectory: "/data",
    limits: { answer: { structuredChars: hiddenJson(50).length } },
  });

  const fits = await kit.call({ id: "c1", name: "Sized", input: { size: 50 } });
  const long = await kit.call({ id: "c2", name: "Sized", input: { size: 51 } });

  expect(fits.structuredContent).toEqual(JSON.parse(hiddenJson(50)));
  expect(fits.text).toBe("fine");
  expect(long.structuredContent).toBeUndefined();
  expect(long.text).toMatchInlineSnapshot(`
    "fine
    (structured content left out: 97 characters of JSON, more than 96. It is in /data/artifacts/ea0135bca5e3bd81/c2-structured.txt; open parts of it with Read or Grep.)"
  `);
  const path = `${kit.storage.artifactDirectory}/c2-structured.txt`;
  expect(host.control.texts()[path]).toBe(hiddenJson(51));
  expect(long.artifact?.path).toBe(path);
});

test("a user's limit for a tool takes precedence over those of the tool and the kit", async () => {
  const long = simpleTool("Long", () => ({ content: "x".repeat(3000) }), { maxChars: 1000 });
  const extra = [long, simpleTool("constructor", () => ({ content: "x".repeat(3000) }))];
  const { kit } = await testKit({
    tools: { extra },
    maxChars: 2000,
    limits: { shownChars: { Long: 3000 } },
  });

  expect((await kit.call({ name: "Long" })).text).toHaveLength(3000);
  expect((await kit.call({ name: "constructor" })).text).toContain("(truncated: 1000 of 3000");
});

test("an answer that cannot be kept says so", async () => {
  const long = simpleTool("Long", () => ({ content: "x".repeat(300) }), { maxChars: 100 });
  const { kit, host } = await testKit({ tools: { extra: [long] }, dataDirectory: "/data" });
  host.control.fail({ operation: "writeAtomic", fails: "ENOSPC" });

  const { text, artifact } = await kit.call({ name: "Long" });

  expect(artifact).toBeUndefined();
  expect(text).toContain("200 of 300 characters left out. The rest could not be kept");
});

test("an artifact that is not the whole is not called so", async () => {
  const long = simpleTool("Long", () => ({ content: "x".repeat(300) }), { maxChars: 100 });
  const { kit } = await testKit({
    tools: { extra: [long] },
    dataDirectory: "/data",
    limits: { artifacts: { bytes: 250 } },
  });

  const { text, artifact } = await kit.call({ name: "Long" });

  expect(artifact?.missingChars).toBe(50);
  expect(text).toContain("All but the last 50 is in /data/artifacts/");
});

test("what cannot be undone is named after an answer of several parts, which stays as it is", async () => {
  const parts = [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ] as const;
  const write: { act?: () => Promise<unknown> } = {};
  const tool = simpleTool(
    "Parts",
    async () => {
      await write.act?.();
      return { content: parts };
    },
    {
      touches: ["write"],
      effects: () => [{ kind: "write", path: "closed.txt", scope: "file", change: "modify" }],
    },
  );
  const { kit, host } = await testKit(
    { tools: { extra: [tool] }, mode: "bypassPermissions", dataDirectory: "/data" },
    { files: { "closed.txt": "old" } },
  );
  const path = "/project/closed.txt";
  host.control.fail({ operation: "readFile", path, fails: "EACCES" });
  write.act = async () => await host.fs.writeAtomic(path, new TextEncoder().encode("new"));

  const { content } = await kit.call({ name: "Parts" });

  expect(content).toEqual([
    ...parts,
    { type: "text", text: expect.stringMatching(/^\(.*closed\.txt.*\)$/u) },
  ]);
});
