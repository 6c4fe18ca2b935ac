import { expect, test } from "vitest";
import { defineTool } from "../core/index.ts";
import { nearestNames } from "./nearest.ts";
import { registeredTool } from "./registered-tool.ts";

const tools = [
  ["Read", ["FileRead"]],
  ["Write", []],
  ["Edit", []],
  ["Grep", []],
  ["Glob", []],
  ["TodoWrite", []],
  ["mcp__github__create_issue", []],
].map(([name, aliases]) =>
  registeredTool(
    defineTool({
      name: String(name),
      aliases: aliases as string[],
      description: "",
      touches: [],
      input: { type: "object" },
      run: () => ({ content: "" }),
    }),
    undefined,
  ),
);

test.for([
  { name: "Raed", near: ["Read"], because: "two letters changed places" },
  { name: "ReadFile", near: ["Read"], because: "the name stands inside" },
  { name: "file_reader", near: ["Read"], because: "an alias is near" },
  { name: "Grpe", near: ["Grep"], because: "close by letters" },
  { name: "Writ", near: ["Write", "Edit", "TodoWrite"], because: "the closest comes first" },
  { name: "todo-write-list", near: ["TodoWrite", "Write"], because: "style does not count" },
  {
    name: "create_issue",
    near: ["mcp__github__create_issue"],
    because: "a server's tool without its server",
  },
  { name: "functions.Raed", near: ["Read"], because: "a namespace does not count" },
  { name: "CompletelyDifferent", near: [], because: "nothing is near" },
  { name: "", near: [], because: "an empty name is near to nothing" },
  { name: "!!", near: [], because: "nor are signs" },
])("near to $name is $near: $because", async ({ name, near }) => {
  expect(await nearestNames(name, tools)).toEqual(near);
});

test("three names at most, equal ones by name", async () => {
  const alike = ["Tool4", "Tool2", "Tool3", "Tool1"].map((name) =>
    registeredTool(
      defineTool({ name, description: "", touches: [], input: {}, run: () => ({ content: "" }) }),
      undefined,
    ),
  );

  expect(await nearestNames("Tool9", alike)).toEqual(["Tool1", "Tool2", "Tool3"]);
});
