import { expect, test } from "vitest";
import { countLines, createdWorld } from "./created-world.ts";

test.each([
  { schema: { pattern: "(" }, because: "the pattern is not a regular expression" },
  { schema: { enum: 5 }, because: "the values are not a list" },
  { schema: { allOf: [null] }, because: "a part is not a schema" },
  { schema: { $ref: "http://other.example/x" }, because: "the reference leads nowhere" },
])("a tool with the schema $schema is not offered: $because", async ({ schema }) => {
  const input = { type: "object", properties: { path: { type: "string", ...schema } } };
  const { body, examples, ...manifest } = { ...countLines, name: "Count", input };
  await using world = await createdWorld({
    ".haft/tools/Count/tool.json": JSON.stringify({ version: 1, ...manifest }),
    ".haft/tools/Count/run.mjs": body,
    ".haft/tools/Count/examples.json": JSON.stringify(examples),
  });
  const kit = await world.open({ trust: true });

  const listed = await kit.createdTools.list();
  const outcome = await kit.call({ name: "Count", input: { path: "a.txt" } });

  const says = /^The input of Count is not a usable JSON Schema: /u;
  expect(kit.registry.getNames()).not.toContain("Count");
  expect(outcome.error?.code).toBe("UNKNOWN_TOOL");
  expect(listed).toMatchObject([{ name: "Count", problem: expect.stringMatching(says) }]);
  expect(kit.workspace.problems).toContainEqual(
    expect.objectContaining({
      file: expect.stringMatching(/\.haft\/tools\/Count\/tool\.json$/u),
      message: expect.stringContaining("is not a usable JSON Schema"),
    }),
  );
});
