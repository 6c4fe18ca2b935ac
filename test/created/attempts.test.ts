import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { attemptsWorld, type AttemptsWorld } from "./attempts-world.ts";
import { attempts } from "./attempts.ts";
import { tried } from "../support/law-runs.ts";

test("there are at least 60 attempts, each with a name of its own", () => {
  expect(attempts.length).toBeGreaterThanOrEqual(60);
  expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length);
});

for (const name of ["bwrap", "landlock"] as const) {
  const driver = drivers.find((each) => each.name === name);
  const result = driver === undefined ? undefined : await probeDriver(driver);
  describe.skipIf(result?.works !== true)(`confined by ${name}`, () => {
    let world: AttemptsWorld;
    beforeAll(async () => {
      world = await attemptsWorld(name);
    });
    afterAll(async () => await world[Symbol.asyncDispose]());

    test.each(tried(attempts))("$name: $because", async ({ name: tool, gaps = [], fails }) => {
      const before = world.state();
      const outcome = await world.kit.call({ name: tool, input: {} });
      const answer = `${outcome.text}${JSON.stringify(outcome.metadata)}`;
      const evidence = await world.evidence(before, answer);

      expect(outcome.metadata?.["sandbox"]).toMatchObject({ provider: name, network: "enforced" });
      expect(fails !== true || outcome.status === "failed").toBe(true);
      const open = JSON.stringify(outcome.metadata?.["sandbox"]);
      if (gaps.some((gap) => open.includes(`"${gap}"`))) return;
      expect({ evidence, text: outcome.text }).toEqual({ evidence: [], text: outcome.text });
    });
  });
}
