import { expect, test } from "vitest";
import { offeredNames } from "../../../test/support/built-in-tools.ts";
import { cliWorld, haft } from "../../../test/support/cli.ts";

const all = offeredNames({ services: ["planning"] });

test("tools and tools list print a line for each tool", async () => {
  await using world = await cliWorld();

  const listed = await haft(["tools", "list"], { world });
  const short = await haft(["tools"], { world });

  expect({ code: listed.code, err: listed.err }).toEqual({ code: 0, err: "" });
  expect(short.out).toBe(listed.out);
  expect(
    listed.out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]),
  ).toEqual(all);
  expect(listed.out).toContain(
    "Read          reads                         Read a file: text, images, PDF and Word documents, Jupyter notebooks.",
  );
});

test("plan mode lists what it may call", async () => {
  await using world = await cliWorld();

  const { out } = await haft(["tools", "--mode", "plan"], { world });

  expect(out).toContain("Read ");
  expect(out).not.toContain("Write ");
});

test("tools list --json is a list of names, flags and touches", async () => {
  await using world = await cliWorld();

  const { out } = await haft(["tools", "list", "--json"], { world });
  const listed: unknown = JSON.parse(out);

  expect(listed).toHaveLength(all.length);
  expect(listed).toContainEqual(
    expect.objectContaining({ name: "Read", touches: ["read"], category: "files" }),
  );
});

test.each(["Read", "read", "FileRead"])("tools show %s shows Read", async (name) => {
  await using world = await cliWorld();

  const { code, out } = await haft(["tools", "show", name], { world });

  expect(code).toBe(0);
  expect(out).toMatch(/^Read \(Read file\)\n/u);
  expect(out).toContain("touches   read");
  expect(out).toContain('"file_path"');
});

test("tools search prints the best first and exits with 1 where nothing fits", async () => {
  await using world = await cliWorld();

  const found = await haft(["tools", "search", "replace", "text"], { world });
  const nothing = await haft(["tools", "search", "zzzzqqq"], { world });

  expect(found.code).toBe(0);
  expect(found.out).toMatch(/^Edit /u);
  expect(nothing).toMatchObject({
    code: 1,
    out: "",
    err: 'haft: no tool matches "zzzzqqq".\nhaft tools list shows all tools.\n',
  });
});

test.each([
  ["openai", { type: "function", function: expect.anything() }],
  ["openai-chat", { type: "function", function: expect.anything() }],
  ["openai-responses", { type: "function", name: "Bash", strict: false }],
  ["anthropic", { input_schema: expect.anything() }],
  ["gemini", { name: "Bash" }],
  ["mcp", { inputSchema: expect.anything() }],
])("tools export --format %s prints definitions in that shape", async (format, shape) => {
  await using world = await cliWorld();

  const { code, out } = await haft(["tools", "export", "--format", format], { world });
  const definitions: unknown = JSON.parse(out);

  expect(code).toBe(0);
  expect(definitions).toHaveLength(all.length - 1);
  expect(definitions).toEqual(expect.arrayContaining([expect.objectContaining(shape)]));
});

test.each([
  [
    ["lst"],
    'haft tools has no "lst". Did you mean list?',
    "It has list, show, search, export, new, test",
  ],
  [["show"], "Show which tool?", "haft tools list names them."],
  [["show", "Raed"], 'There is no tool "Raed". Did you mean Read?', "haft tools list names them."],
  [["search"], "Search for what?", "haft tools search edit a file"],
  [
    ["export", "--format", "anthropc"],
    'There is no format "anthropc". Did you mean anthropic?',
    "Formats: anthropic, openai-chat, openai-responses, gemini, mcp.",
  ],
])("tools %j is an error of usage", async (words, says, next) => {
  await using world = await cliWorld();

  const { code, out, err } = await haft(["tools", ...words], { world });

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
  expect(err).toContain(next);
});
