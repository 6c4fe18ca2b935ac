import { expect, test } from "vitest";
import { world } from "./world.ts";

/** Shift_JIS: two words of which a byte is that of a backslash, a backslash, and a line that stays. */
const before = Buffer.from("955c8ea6205c20945c97cd0d0a8abf8e9a0d0a", "hex");

const patch = [
  "*** Begin Patch",
  "*** Update File: a.txt",
  "@@",
  "-\u8868\u793A \\ \u80FD\u529B",
  "+\u80FD\u529B / \u8868\u793A",
  "*** End Patch",
].join("\n");

test.for([
  {
    name: "Edit",
    input: {
      file_path: "a.txt",
      old_string: "\u8868\u793A \\ \u80FD\u529B",
      new_string: "\u80FD\u529B / \u8868\u793A",
    },
  },
  { name: "ApplyPatch", input: { patch } },
])("undo of $name in an older encoding brings back every byte, redo what it left", async (call) => {
  const { kit, host } = await world({ mode: "bypassPermissions" }, { files: { "a.txt": before } });
  const now = async (): Promise<string> =>
    Buffer.from((await host.fs.readFile("/project/a.txt")).bytes).toString("hex");
  const after = "945c97cd202f20955c8ea60d0a8abf8e9a0d0a";

  const unread = await kit.call(call);
  const shown = await kit.call({ name: "Read", input: { file_path: "a.txt", encoding: "sjis" } });
  const changed = await kit.call(call);

  expect(unread).toMatchObject({ status: "failed", error: { code: "NOT_READ" } });
  expect(shown.text).toContain("\u8868\u793A \\ \u80FD\u529B\n");
  expect(changed).toMatchObject({ status: "ok" });
  expect(await now()).toBe(after);

  await kit.undo({ call: changed.id });
  expect(await now()).toBe(before.toString("hex"));
  await kit.redo();
  expect(await now()).toBe(after);
  await kit.dispose();
});

test("what a call changed in an older encoding is shown in its history, where it is refused and in a preview", async () => {
  const { kit, host } = await world({ mode: "bypassPermissions" }, { files: { "a.txt": before } });
  await kit.call({ name: "Read", input: { file_path: "a.txt", encoding: "sjis" } });
  const call = { name: "ApplyPatch", input: { patch } };
  const { preview } = await kit.preview(call);
  const { id } = await kit.call(call);

  const [difference] = await kit.diff(id);
  await host.fs.append("/project/a.txt", Buffer.from("8abf8e9a0d0a", "hex"));
  const refused: unknown = await kit.undo().catch((error: unknown) => error);

  const lines = "-\u8868\u793A \\ \u80FD\u529B\r\n+\u80FD\u529B / \u8868\u793A\r\n";
  expect(difference).toMatchObject({
    encoding: "shift_jis",
    diff: expect.stringContaining(lines),
  });
  expect(preview).toMatchObject({ diff: expect.stringContaining("+\u80FD\u529B / \u8868") });
  expect(refused).toMatchObject({
    code: "STALE_READ",
    data: { conflicts: [{ changedSince: expect.stringContaining("+\u6F22\u5B57") }] },
  });
  await kit.dispose();
});
