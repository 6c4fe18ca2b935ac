// Checkers that a workspace brings end with its trust, also in a session that was opened before.
import { expect, test } from "vitest";
import { hookWorld } from "../hooks/hook-world.ts";

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
