import { expect, test } from "vitest";
import { pluginWorld, wholePlugin } from "./plugin-world.ts";

/** A plugin whose hook refuses every Write. */
const guard = {
  ...wholePlugin("guard"),
  "scripts/check.sh": "#!/bin/sh\ncat > /dev/null\necho 'Not here.' >&2\nexit 2\n",
};

test("a plugin of an untrusted workspace does not switch off the user's plugin of its name", async () => {
  await using world = await pluginWorld();
  const own = await world.write("own", guard);
  const other = await world.write("other", wholePlugin("guard"));
  const first = await world.open();
  await (await first.plugins.review({ from: own, scope: "user" })).accept();
  await (await first.plugins.review({ from: other, scope: "project" })).accept();

  const kit = await world.open({ rules: { allow: ["Write"] } });
  const outcome = await kit.call({ name: "Write", input: { file_path: "a.txt", content: "a" } });

  expect(outcome.text).toContain("Not here.");
  expect(outcome.status).not.toBe("ok");
  expect(await world.read("workspace/a.txt")).toBeUndefined();
});
