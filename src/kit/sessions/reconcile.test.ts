import { expect, test } from "vitest";
import { simpleTool, testKit } from "../../../test/support/kit.ts";

const edit = { file_path: "a.txt", old_string: "one", new_string: "two" };

test("a call that the journal has as done took effect", async () => {
  const { kit } = await testKit({ mode: "acceptEdits" }, { files: { "/project/a.txt": "one\n" } });
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  const { status } = await kit.call({ id: "c1", name: "Edit", input: edit });

  expect(status).toBe("ok");
  expect(await kit.reconcile({ id: "c1", name: "Edit", input: edit })).toBe("done");
});

test("a file tool that the journal does not know changed nothing", async () => {
  const { kit } = await testKit({ mode: "acceptEdits" }, { files: { "/project/a.txt": "one\n" } });

  expect(await kit.reconcile({ id: "c1", name: "Edit", input: edit })).toBe("not-done");
});

test.each([
  { content: "new", found: "done" },
  { content: "other", found: "not-done" },
])("Write of $content to a file with the content new: $found", async ({ content, found }) => {
  const { kit } = await testKit({}, { files: { "/project/a.txt": "new" } });

  const call = { id: "c1", name: "Write", input: { file_path: "a.txt", content } };

  expect(await kit.reconcile(call)).toBe(found);
});

test.each([
  { name: "Read", input: { file_path: "a.txt" }, found: "repeatable" },
  { name: "Push", input: {}, found: "unknown" },
  { name: "Nothing", input: {}, found: "unknown" },
  // It cannot have run, so running it only gives the model its error.
  { name: "Read", input: { file_path: 7, more: [] }, found: "not-done" },
])("$name with $input: $found", async ({ name, input, found }) => {
  const push = simpleTool("Push", () => ({ content: "" }), { touches: ["unknown"] });
  const { kit } = await testKit(
    { tools: { extra: [push] } },
    { files: { "/project/a.txt": "one\n" } },
  );

  expect(await kit.reconcile({ id: "c1", name, input })).toBe(found);
});

test("a tool that looks may only read", async () => {
  const tool = simpleTool("Push", () => ({ content: "" }), {
    touches: ["unknown"],
    reconcile: async (_input, { host }) => {
      await host.fs.writeAtomic("/project/new.txt", new Uint8Array());
      return "done";
    },
  });
  const { kit, host } = await testKit({ tools: { extra: [tool] } });

  expect(await kit.reconcile({ id: "c1", name: "Push", input: {} })).toBe("unknown");
  await expect(host.fs.stat("/project/new.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  { answer: "unknown", found: "unknown", because: "the tool knows that it may be half done" },
  { answer: undefined, found: "done", because: "the tool leaves it to the journal" },
] as const)("a call in the journal is $found: $because", async ({ answer, found }) => {
  const tool = simpleTool(
    "Stamp",
    async (_input, { host }) => {
      await host.fs.writeAtomic("/project/stamp.txt", new Uint8Array([1]));
      return { content: "" };
    },
    {
      touches: ["write"],
      effects: () => [
        { kind: "write", path: "/project/stamp.txt", scope: "file", change: "create" },
      ],
      reconcile: async () => answer,
    },
  );
  const { kit } = await testKit({ mode: "acceptEdits", tools: { extra: [tool] } });
  const { status } = await kit.call({ id: "c1", name: "Stamp", input: {} }, { sessionId: "s" });

  expect(status).toBe("ok");
  expect(await kit.reconcile({ id: "c1", name: "Stamp", input: {} }, { sessionId: "s" })).toBe(
    found,
  );
});

test("another session's call of the same id says nothing about this one", async () => {
  const { kit } = await testKit({ mode: "acceptEdits" }, { files: { "/project/a.txt": "one\n" } });
  await kit.call({ name: "Read", input: { file_path: "a.txt" } }, { sessionId: "s" });
  await kit.call({ id: "c1", name: "Edit", input: edit }, { sessionId: "s" });
  const again = { id: "c1", name: "Edit", input: edit };

  expect(await kit.reconcile(again, { sessionId: "s" })).toBe("done");
  expect(await kit.reconcile(again, { sessionId: "another" })).toBe("not-done");
});
