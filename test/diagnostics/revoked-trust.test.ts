// Checkers that a workspace brings end with its trust, also in a session that was opened before.
import { expect, test } from "vitest";
import { hookWorld } from "../hooks/hook-world.ts";
import { fakeServer } from "./checks-world.ts";

const checker = {
  name: "lint",
  command: ["/bin/sh", "-c", 'grep -Hn BAD "$@"; true', "sh", "{files}"],
  files: ["*.txt"],
};

test("a checker of the workspace does not start once trust was revoked", async () => {
  await using world = await hookWorld(
    {},
    {
      ".haft/settings.json": JSON.stringify({ diagnostics: { checkers: [checker] } }),
      "a.txt": "one\n",
      "b.txt": "one\n",
    },
  );
  await world.trust();
  await using kit = await world.openRecorded({ rules: { allow: ["Edit"] } });
  const write = async (file_path: string) =>
    await kit.call({ name: "Write", input: { file_path, content: "BAD\n", overwrite: true } });

  const before = await write("a.txt");
  await (await kit.workspace.trust()).revoke();
  const after = await write("b.txt");

  expect(before.text).toContain("New since this edit");
  expect(after.status).toBe("ok");
  expect(after.text).not.toContain("New since this edit");
});

test("a language server of the workspace that runs already ends once trust was revoked", async () => {
  const fake = { command: fakeServer("pull"), files: ["*.txt"] };
  await using world = await hookWorld(
    {},
    {
      ".haft/settings.json": JSON.stringify({ diagnostics: { servers: { fake } } }),
      "a.txt": "BAD\n",
    },
  );
  await world.trust();
  await using kit = await world.openRecorded();
  const input = { operation: "diagnostics", file_path: "a.txt" };
  const stateOf = async () =>
    (await kit.doctor()).checks.find(({ name }) => name === "diagnostics")?.text;

  const before = await kit.call({ name: "LSP", input });
  const running = await stateOf();
  await (await kit.workspace.trust()).revoke();
  const after = await kit.call({ name: "LSP", input });

  expect(before.text).toContain("bad: BAD");
  expect(after.error).toMatchObject({
    code: "PERMISSION_DENIED",
    message: expect.stringContaining("the workspace is not trusted any more"),
  });
  expect(running).toContain("server fake: runs");
  expect(await stateOf()).not.toContain("runs");
});
