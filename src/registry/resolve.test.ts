import { expect, test } from "vitest";
import { namedTool } from "../../test/registry/named-tool.ts";
import { createRegistry } from "./registry.ts";

const resolutions = [
  { name: "Read", tool: "Read", because: "its name" },
  { name: "FileRead", tool: "Read", because: "its alias" },
  { name: "read", tool: "Read", because: "another casing" },
  { name: "FILEREAD", tool: "Read", because: "another casing of an alias" },
  { name: "file_read", tool: "Read", because: "snake case of an alias" },
  { name: "todo_write", tool: "TodoWrite", because: "snake case" },
  { name: "todo-write", tool: "TodoWrite", because: "kebab case" },
  { name: "todoWrite", tool: "TodoWrite", because: "camel case" },
  { name: "TODO_WRITE", tool: "TodoWrite", because: "shouted" },
  { name: "functions.Read", tool: "Read", because: "OpenAI's namespace" },
  {
    name: "functions.read_file",
    tool: undefined,
    because: "no tool of that name in the namespace",
  },
  { name: "default_api:Read", tool: "Read", because: "Gemini's namespace" },
  { name: "default_api.todo_write", tool: "TodoWrite", because: "a namespace and a style" },
  { name: "tools/Read", tool: "Read", because: "a path-like namespace" },
  { name: "tool::Read", tool: "Read", because: "a namespace with two colons" },
  { name: "mcp__haft__Read", tool: "Read", because: "we, as a client's server" },
  { name: "mcp_haft_read", tool: "Read", because: "we, in another client's style" },
  { name: "haft.Read", tool: "Read", because: "we, in a third style" },
  { name: "functions.mcp__haft__Read", tool: "Read", because: "two namespaces" },
  {
    name: "mcp__github__create_issue",
    tool: "mcp__github__create_issue",
    because: "a server's tool",
  },
  {
    name: "github.create_issue",
    tool: "mcp__github__create_issue",
    because: "a server's tool without mcp",
  },
  {
    name: "mcp_github_create_issue",
    tool: "mcp__github__create_issue",
    because: "single underscores",
  },
  { name: "create_issue", tool: undefined, because: "the server is not said" },
  { name: "github.Read", tool: undefined, because: "another server's Read is not ours" },
  { name: " Read ", tool: "Read", because: "spaces around" },
  { name: '"Read"', tool: "Read", because: "quotes around" },
  { name: "Read<|channel|>commentary", tool: "Read", because: "a channel token leaked" },
  { name: "functions.Read:3", tool: "Read", because: "a call index leaked" },
  { name: "Read()", tool: "Read", because: "written as a function" },
  { name: "Re ad", tool: "Read", because: "squashed" },
  { name: "Reads", tool: undefined, because: "near is not the same" },
  { name: "functions.", tool: undefined, because: "a namespace alone" },
  { name: "", tool: undefined, because: "nothing" },
  { name: "__proto__", tool: undefined, because: "a key of objects is not a tool" },
  { name: "constructor", tool: undefined, because: "nor is another" },
  { name: "list_items", tool: "list_items", because: "the exact name of two that differ in style" },
  { name: "listItems", tool: "listItems", because: "the other exact name" },
  { name: "LISTITEMS", tool: "listItems", because: "casing of the one" },
  { name: "list-items", tool: undefined, because: "either could be meant" },
];

const resolving = createRegistry();
resolving.registerAll([
  namedTool("Read", { aliases: ["FileRead"] }),
  namedTool("TodoWrite"),
  namedTool("mcp__github__create_issue", { source: { id: "github", name: "github", kind: "mcp" } }),
  namedTool("list_items"),
  namedTool("listItems"),
]);

test.for(resolutions)("$name is $tool: $because", ({ name, tool: expected }) => {
  expect(resolving.resolve(name)?.name).toBe(expected);
  expect(resolving.snapshot().resolve(name)?.name).toBe(expected);
});
