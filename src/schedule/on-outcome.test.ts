import { expect, test } from "vitest";
import { gate, simpleTool, testKit } from "../../test/support/kit.ts";

test("each outcome of a turn is reported with its index when its call ends", async () => {
  const door = gate();
  const slow = simpleTool("Slow", async () => {
    await door.passed;
    return { content: "slow" };
  });
  const quick = simpleTool("Quick", () => ({ content: "quick" }));
  const { kit } = await testKit({ tools: { extra: [slow, quick] } });
  const ended: unknown[] = [];

  const outcomes = await kit.callAll(
    [
      { id: "same", name: "Slow" },
      { id: "same", name: "Quick" },
    ],
    {
      onOutcome(index, { text }) {
        ended.push([index, text]);
        door.open();
        throw new Error("a listener that fails harms nobody");
      },
    },
  );

  expect(ended).toEqual([
    [1, "quick"],
    [0, "slow"],
  ]);
  expect(outcomes.map(({ text }) => text)).toEqual(["slow", "quick"]);
  await expect(kit.callAll([], { onOutcomes: () => undefined } as never)).rejects.toThrow(
    TypeError,
  );
});
