import { expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { gate, settled, simpleTool, testKit } from "../../test/support/kit.ts";

const files = { "a.txt": "one\n" };
const write = { name: "Write", input: { file_path: "new.txt", content: "x" } };
const connecting = simpleTool("Connect", () => ({ content: "a page", trust: "untrusted" }), {
  touches: ["connect"],
  effects: () => [{ kind: "connect", host: "example.com" }],
});

test("a child does not do what its parent may no longer do", async () => {
  const { kit } = await testKit({ mode: "acceptEdits" }, { files });
  const grandchild = kit.derive().derive();

  kit.setMode("plan");

  expect((await grandchild.call(write)).error?.code).toBe("PERMISSION_DENIED");
});

test("a rule saved for a child answers its next call", async () => {
  let asks = 0;
  const { kit } = await testKit({
    onAsk: async ({ suggestion = "" }) => {
      asks += 1;
      return { kind: "save", rule: suggestion, scope: "session" };
    },
  });
  const child = kit.derive();

  await child.call(write);
  await child.call(write);

  expect(asks).toBe(1);
});

test.each([
  { ceiling: ["Read(src/**)"], call: ["Read", "src/a.txt"], is: "ok", because: "it is named" },
  { ceiling: ["Read(src/**)"], call: ["Read", "a.txt"], is: "denied", because: "it is not" },
  { ceiling: ["Read", "Edit"], call: ["Write", "b.txt"], is: "ok", because: "Edit names writes" },
  { ceiling: [], call: ["Read", "a.txt"], is: "denied", because: "nothing is named" },
] as const)("with the ceiling $ceiling $call is $is: $because", async (given) => {
  const { kit } = await testKit(
    { mode: "acceptEdits" },
    { files: { ...files, "src/a.txt": "two\n" } },
  );
  const [name, file_path] = given.call;
  const input = name === "Write" ? { file_path, content: "x" } : { file_path };

  const outcome = await kit.derive({ ceiling: given.ceiling }).call({ name, input });

  expect(outcome.status).toBe(given.is);
});

test("a ceiling allows nothing by itself, and no misspelt rule", async () => {
  const { kit } = await testKit({ mode: "plan" });
  const child = kit.derive({ ceiling: ["Edit"] });

  expect((await child.call(write)).error?.code).toBe("PERMISSION_DENIED");
  expect(() => kit.derive({ ceiling: ["Reda"] })).toThrow(/^ceiling: Reda cannot be read: /u);
});

test("a tool registered with a child reaches nobody above", async () => {
  const { kit } = await testKit({}, { files });
  const child = kit.derive();

  child.registry.register(simpleTool("Extra", () => ({ content: "extra" })));
  child.registry.register(
    simpleTool("Read", () => ({ content: "not the file" })),
    { override: true },
  );

  expect(kit.registry.has("Extra")).toBe(false);
  const { text } = await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  expect(text).toContain("one");
});

test("a child's session has taken in what its parent's has", async () => {
  const { kit } = await testKit(
    { mode: "bypassPermissions", tools: { extra: [connecting] } },
    { files },
  );
  await kit.call({ name: "Connect" });
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect((await kit.derive().call({ name: "Connect" })).error?.code).toBe("APPROVAL_REQUIRED");
});

test("a mode that the settings disable is disabled for a child too", async () => {
  const settings = { permissions: { disableBypassPermissionsMode: "disable" } } as const;
  const { kit } = await testKit({ settings });

  expect(() => kit.derive({ mode: "bypassPermissions" })).toThrow(/disable/u);
});

test("what a child changes on a host of its own is undone there", async () => {
  const other = memoryHost({ files });
  const { kit, host } = await testKit({ mode: "acceptEdits" }, { files });
  const child = kit.derive({ host: other });

  const { undo } = await child.call(write);
  expect(undo?.level).toBe("full");
  expect(host.control.texts()["/project/new.txt"]).toBeUndefined();

  await child.undo();
  expect(other.control.texts()["/project/new.txt"]).toBeUndefined();
  await child.dispose();
});

test("a parent's end waits for what its children run", async () => {
  const door = gate();
  let ended = false;
  const tool = simpleTool("Slow", async () => {
    await door.passed;
    ended = true;
    return { content: "" };
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });
  const running = kit.derive().call({ name: "Slow" });
  await settled();

  const disposed = kit.dispose().then(() => ended);
  door.open();

  expect(await disposed).toBe(true);
  expect((await running).status).toBe("aborted");
});

test("a disposed kit touches no file any more", async () => {
  const { kit } = await testKit({ mode: "acceptEdits" });
  await kit.call(write);
  await kit.dispose();

  await expect(kit.undo()).rejects.toThrow(TypeError);
  await expect(kit.redo()).rejects.toThrow(TypeError);
  await expect(kit.history()).rejects.toThrow(TypeError);
});
