import { expect, test } from "vitest";
import { anyTool, requestOf, unknownOf } from "../../../test/policy/policy-world.ts";
import { decide } from "../decide/decide.ts";
import { compileCeiling } from "./ceiling-entries.ts";

const anchors = { base: "/ws", cwd: "/ws", home: "/home/ada" };

test.each([
  { entry: "mcp__*", tool: "mcp__git__log", is: "allow", because: "it is a tool of a server" },
  { entry: "mcp__*", tool: "AnyTool", is: "deny", because: "that is not a tool of a server" },
  { entry: "mcp__g*", tool: "mcp__git__log", is: "allow", because: "its name begins so" },
  { entry: "mcp__h*", tool: "mcp__git__log", is: "deny", because: "its name does not" },
  { entry: "mcp__git__*", tool: "mcp__git__log", is: "allow", because: "it is of the server" },
  { entry: "mcp__git__*", tool: "mcp__gitx__log", is: "deny", because: "it is of another" },
  { entry: "mcp__git__l*", tool: "mcp__git__log", is: "allow", because: "its name begins so" },
  { entry: "mcp__git__p*", tool: "mcp__git__log", is: "deny", because: "its name does not" },
  { entry: "TodoWrite", tool: "mcp__git__log", is: "deny", because: "it permits nothing" },
])("$entry as a ceiling: $tool is $is, $because", ({ entry, tool, is }) => {
  const { rules } = compileCeiling([entry], anchors, { known: ["AnyTool"] });
  const origin = tool.startsWith("mcp__") ? tool.split("__", 2).join("__") : tool;
  const request = requestOf([unknownOf(origin)], {
    tool: { ...anyTool, name: tool },
    mode: "bypassPermissions",
    ceilings: [{ kind: "only", name: "the skill", rules }],
  });

  expect(decide(request).kind).toBe(is);
});

test.each([
  { entry: "Bash(", kind: "unreadable" },
  { entry: "Reed", kind: "unknown" },
  { entry: "TodoWrite", kind: "elsewhere" },
  { entry: "LSP", kind: "elsewhere" },
  { entry: "Bash(a; b)", kind: "useless" },
])("$entry permits nothing, as it is $kind, and takes no other with it", ({ entry, kind }) => {
  const { rules, problems } = compileCeiling(["Read", entry], anchors, { known: ["Read"] });

  expect(problems).toMatchObject([{ entry, kind }]);
  expect(rules.rules.map(({ ref }) => ref.rule)).toEqual(["Read"]);
});
