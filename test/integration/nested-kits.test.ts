import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createToolkit, defineTool, type Kit } from "../../src/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

leaveNothing();

const at = temporaryFolder("nested-kits");

/** Has another kit on the same workspace write a file during its own call, which declares the same write. */
function passingOn(inner: () => Kit) {
  return defineTool({
    name: "PassOn",
    description: "Lets another kit write a file.",
    touches: ["write"],
    input: { type: "object" },
    effects: () => [{ kind: "write", path: "a.txt", scope: "file", change: "modify" }],
    run: async () => {
      const { status, error } = await inner().call({
        name: "Write",
        input: { file_path: "a.txt", content: "inner" },
      });
      return { content: error?.message ?? status };
    },
  });
}

test("a second kit that a tool calls changes the paths that the tool's own call holds", async () => {
  mkdirSync(at("work"));
  writeFileSync(at("work/a.txt"), "old");
  const options = {
    workspace: at("work"),
    dataDirectory: at("data"),
    mode: "bypassPermissions",
  } as const;
  const inner = await createToolkit(options);
  const outer = await createToolkit({ ...options, tools: { extra: [passingOn(() => inner)] } });
  await inner.call({ name: "Read", input: { file_path: "a.txt" } });

  const outcome = await outer.call({ name: "PassOn", input: {} });

  expect(outcome.text).toBe("ok");
  expect(readFileSync(at("work/a.txt"), "utf8")).toBe("inner");
  await outer.dispose();
  await inner.dispose();
});
