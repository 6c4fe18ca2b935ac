import { expect, test } from "vitest";
import type { Hooks } from "../environment/hooks.ts";
import { hookMs } from "../steps/before-hooks.ts";
import { settled, simpleTool, testKit } from "../../../test/support/kit.ts";

const never = async (): Promise<never> => await new Promise<never>(() => undefined);

async function hooked(hooks: Hooks) {
  let runs = 0;
  const tool = simpleTool("Counted", () => {
    runs += 1;
    return { content: "done" };
  });
  const { kit, host } = await testKit({ hooks, tools: { extra: [tool] } });
  const running = kit.call({ name: "Counted", input: {} });
  await settled();
  return { host, running, runs: () => runs };
}

test("a before-hook that never answers blocks the call once its time is over", async () => {
  const { host, running, runs } = await hooked({ before: [never] });
  host.control.advance(hookMs - 1);
  await settled();
  const early = await Promise.race([running, Promise.resolve("waiting")]);
  host.control.advance(1);

  expect(early).toBe("waiting");
  expect((await running).error).toMatchObject({
    code: "BLOCKED_BY_HOOK",
    message: expect.stringContaining("did not answer within 60 s"),
  });
  expect(runs()).toBe(0);
});

test("a before-hook that answers late counts for nothing", async () => {
  const late = Promise.withResolvers<{ readonly input: unknown }>();
  const { host, running, runs } = await hooked({ before: [async () => await late.promise] });
  host.control.advance(hookMs);
  late.resolve({ input: {} });

  expect((await running).error?.code).toBe("BLOCKED_BY_HOOK");
  await settled();
  expect(runs()).toBe(0);
});
