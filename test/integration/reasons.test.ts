import { expect, test } from "vitest";
import { simpleTool, testKit } from "../support/kit.ts";

test("the rule of an edit is the one about writing", async () => {
  const { kit, host } = await testKit({ mode: "acceptEdits" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("one\n"));
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  const input = { file_path: "a.txt", old_string: "one", new_string: "two" };
  const { decision } = await kit.call({ name: "Edit", input });

  expect(decision).toMatchObject({
    kind: "allow",
    rule: { rule: expect.stringMatching(/write/u) },
    trail: [{ effect: { kind: "read" } }, { effect: { kind: "write" } }],
  });
});

test("the rule of a command is the one about what is not known of it", async () => {
  const write = { kind: "write", path: "/project/a", scope: "file", change: "modify" } as const;
  const runs = { kind: "unknown", because: "It can run arbitrary code.", origin: "Maker" } as const;
  const maker = simpleTool("Maker", () => ({ content: "made" }), {
    touches: ["read", "write", "unknown"],
    effects: () => [{ kind: "read", path: "/project/b", scope: "file" }, write, runs],
  });
  const rules = { allow: ["Edit(/a)", "Maker"] };
  const { kit } = await testKit({ rules, tools: { extra: [maker] } });

  const { decision } = await kit.call({ name: "Maker", input: {} });

  expect(decision).toMatchObject({ kind: "allow", rule: { rule: "Maker" } });
});

const read = (path: string) =>
  simpleTool(
    "Look",
    async (_input, { host }) => {
      const { bytes } = await host.fs.readFile(path);
      return { content: new TextDecoder().decode(bytes) };
    },
    { touches: ["read"] },
  );

test("a first tool that only reads is not asked about, and reads nothing outside", async () => {
  const files = { "/project/a.txt": "inside", "/project/b/secret.txt": "kept", "/etc/c": "no" };

  const inside = await testKit({ tools: { extra: [read("/project/a.txt")] } }, { files });
  const outside = await testKit({ tools: { extra: [read("/etc/c")] } }, { files });
  const denied = await testKit(
    { tools: { extra: [read("/project/b/secret.txt")] }, rules: { deny: ["Read(/b/**)"] } },
    { files },
  );

  expect(await inside.kit.call({ name: "Look", input: {} })).toMatchObject({
    status: "ok",
    text: "inside",
    decision: { kind: "allow" },
  });
  expect((await outside.kit.call({ name: "Look", input: {} })).error?.code).toBe(
    "UNDECLARED_EFFECT",
  );
  expect((await denied.kit.call({ name: "Look", input: {} })).text).not.toContain("kept");
});

test("what a server says of its tools is not believed: they are asked about", async () => {
  const remote = simpleTool("Remote", () => ({ content: "read" }), {
    touches: ["read"],
    source: { kind: "mcp", id: "server", name: "Server" },
  });
  const { kit } = await testKit({ tools: { extra: [remote] } });

  expect((await kit.call({ name: "Remote", input: {} })).error?.code).toBe("APPROVAL_REQUIRED");
});
