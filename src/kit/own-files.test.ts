import { expect, test } from "vitest";
import { simpleTool, testKit } from "../../test/support/kit.ts";

const big = simpleTool("Big", ({ letter }) => ({ content: String(letter).repeat(60_000) }));

test.each([
  ["the trust record", "trust.json"],
  ["the log", "events.db"],
  ["the sessions", "sessions.db"],
  ["the latest messages", "sessions.db-wal"],
  ["the journal", "journal/format.json"],
])("no tool reads or writes %s, in any mode", async (_name, file) => {
  // The workspace contains the data directory, which is where this matters most.
  const { kit } = await testKit({ mode: "bypassPermissions", workspace: "/" });
  await kit.call({ name: "Write", input: { file_path: "/project/a.txt", content: "x" } });
  const file_path = `${kit.storage.directory}/${file}`;

  const read = await kit.call({ name: "Read", input: { file_path } });
  const written = await kit.call({ name: "Write", input: { file_path, content: "{}" } });

  expect([read.error?.code, written.error?.code]).toEqual([
    "PERMISSION_DENIED",
    "PERMISSION_DENIED",
  ]);
});

test("no tool writes the rules that people saved", async () => {
  const { kit } = await testKit({ mode: "bypassPermissions", workspace: "/" });
  const file_path = `${kit.storage.directory}/saved-rules.json`;

  const { error } = await kit.call({ name: "Write", input: { file_path, content: "{}" } });

  expect(error?.code).toBe("PERMISSION_DENIED");
});

test("what is kept is no reason to ask about a program that meets it on its way", async () => {
  const searching = simpleTool("Search", () => ({ content: "" }), {
    touches: ["read", "execute"],
    effects: () => [
      { kind: "read", path: "/", scope: "tree" },
      {
        kind: "execute",
        argv: ["grep", "-r", "x", "/"],
        assigns: [],
        via: [],
        consequences: "listed",
        span: { start: 0, end: 11 },
      },
    ],
  });
  const { kit } = await testKit({ mode: "bypassPermissions", tools: { extra: [searching] } });

  expect((await kit.call({ name: "Search" })).status).toBe("ok");
});

test("an answer kept whole can be read, not changed, and is never replaced", async () => {
  const { kit } = await testKit({ mode: "bypassPermissions", tools: { extra: [big] } });
  const first = await kit.call({ id: "same", name: "Big", input: { letter: "a" } });
  const second = await kit.call({ id: "same", name: "Big", input: { letter: "b" } });
  const file_path = first.artifact?.path ?? "";

  const read = await kit.call({ name: "Read", input: { file_path } });
  const written = await kit.call({ name: "Write", input: { file_path, content: "x" } });

  expect(second.artifact?.path).not.toBe(first.artifact?.path);
  expect(read.text).toContain("aaa");
  expect(written.error?.code).toBe("PERMISSION_DENIED");
});

test("a call with a very long id keeps its answer under a name that a disk takes", async () => {
  const { kit } = await testKit({ tools: { extra: [big] } });

  const { artifact } = await kit.call({
    id: "x".repeat(5000),
    name: "Big",
    input: { letter: "a" },
  });

  expect(artifact?.path.split("/").at(-1)?.length).toBeLessThan(200);
});
