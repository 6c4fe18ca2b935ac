import { expect, test } from "vitest";
import { createdWorld, whyNotHeld } from "./created-world.ts";

const reason = await whyNotHeld();

const definition = {
  name: "TodoWrite",
  description: "Writes.",
  input: { type: "object", properties: {} },
  touches: [],
  language: "javascript",
  body: "export default () => 1;",
  examples: [{ input: {} }],
} as const;

test.skipIf(reason !== undefined).each(["TodoWrite", "Skill", "Skill(notes)"])(
  "a created tool takes no name that the rule %s allows: it was written for another tool",
  async (rule) => {
    await using world = await createdWorld();
    const kit = await world.open({ rules: { allow: [rule] } });
    const name = rule.replace("(notes)", "");

    const { error } = await kit.call({ name: "CreateTool", input: { ...definition, name } });

    expect(error).toMatchObject({
      code: "ALREADY_EXISTS",
      message: `The rule ${rule} already allows a tool named ${name}.`,
    });
    expect(world.asks).toEqual([]);
  },
);

test.skipIf(reason !== undefined)("a rule that denies a name takes nothing", async () => {
  await using world = await createdWorld();
  const kit = await world.open({ rules: { deny: ["TodoWrite"] } });

  const outcome = await kit.call({ name: "CreateTool", input: definition });

  expect(outcome.status).toBe("ok");
});
