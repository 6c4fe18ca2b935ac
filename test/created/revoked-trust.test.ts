// Tools and commands of files end with the trust of their workspace, also in a session that was opened before.
import { expect, test } from "vitest";
import { hookWorld } from "../hooks/hook-world.ts";

const definition = {
  version: 1,
  name: "Hello",
  description: "Says hello.",
  input: { type: "object", properties: {} },
  touches: [],
  language: "shell",
};

test("a stored tool and a command are not used once trust was revoked", async () => {
  await using world = await hookWorld(
    {},
    {
      ".haft/tools/Hello/tool.json": JSON.stringify(definition),
      ".haft/tools/Hello/run.sh": "echo hello\n",
      ".haft/tools/Hello/examples.json": '[{ "input": {} }]',
      ".haft/commands/review.md": "Review it.\n",
    },
  );
  await world.trust();
  await using kit = await world.openRecorded({ mode: "bypassPermissions" });
  const hello = async () => await kit.call({ name: "Hello", input: {} });

  const before = await hello();
  const expanded = await kit.commands.expand("review");
  await (await kit.workspace.trust()).revoke();
  const after = await hello();

  expect(before.text).toBe("hello\n");
  expect(expanded.prompt).toBe("Review it.\n");
  expect(after.error).toMatchObject({
    code: "UNAVAILABLE",
    message: "Hello is disabled: the workspace is not trusted any more.",
  });
  await expect(kit.commands.expand("review")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
});

test("an agent of the workspace is not started once trust was revoked", async () => {
  const text = "---\nname: reviewer\ndescription: Reviews.\n---\nReview it.\n";
  await using world = await hookWorld({}, { ".haft/agents/reviewer.md": text });
  await world.trust();
  await using kit = await world.openRecorded();
  const before = await kit.agents.definitions();

  await (await kit.workspace.trust()).revoke();
  const after = await kit.agents.definitions();

  expect(before.agents.map(({ name }) => name)).toContain("reviewer");
  expect(after.agents.map(({ name }) => name)).not.toContain("reviewer");
  expect(after.unused).toMatchObject([{ name: "reviewer", reason: "trust" }]);
});
