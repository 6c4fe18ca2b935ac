import { describe, expect, test } from "vitest";
import { aRun, called, done, sessionWorld } from "../../../test/support/sessions.ts";
import { userMessage } from "../messages/messages.ts";
import type { ProcessNames } from "./claims.ts";

const world = sessionWorld();

describe("steps", () => {
  test("with a recorded result do not run again, scoped by run and agent", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    const child = await store.begin(aRun("r2", { agentId: "child" }));
    let count = 0;
    const work = async (): Promise<number> => (count += 1);

    const results = [
      await log.steps.run("llm:1", work),
      await log.steps.run("llm:1", work),
      await child.log.steps.run("llm:1", work),
    ];

    expect(results).toEqual([1, 1, 2]);
  });

  test("of one turn are recorded as soon as each is known", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    const missing: (readonly string[])[] = [];
    await log.steps.run("tool:b", async () => "B");

    const broken = log.steps.runAll<string>(["tool:a", "tool:b"], async (keys, record) => {
      missing.push(keys);
      record("tool:a", "A");
      throw new Error("killed");
    });
    await expect(broken).rejects.toThrow("killed");
    const results = await log.steps.runAll<string>(
      ["tool:a", "tool:b", "tool:c"],
      async (keys, record) => {
        missing.push(keys);
        record("tool:c", "C");
      },
    );

    expect(missing).toEqual([["tool:a"], ["tool:c"]]);
    expect(results).toEqual(["A", "B", "C"]);
  });

  test("a result of undefined is recorded too", async () => {
    const store = await world.open();
    await store.create({ sessionId: "s" });
    const { log } = await store.begin(aRun("r1"));
    let count = 0;
    const work = async (): Promise<void> => void (count += 1);

    await log.steps.run("x", work);
    await log.steps.run("x", work);

    expect(count).toBe(1);
  });
});

const processes = (running: readonly string[]): ProcessNames => ({
  own: "1/a/x",
  isRunning: (name: string) => running.includes(name),
});

describe("a running session", () => {
  test("is not continued by another process, and is named as running", async () => {
    const first = await world.open({ processes: { ...processes([]), own: "77/b/x" } });
    await first.create({ sessionId: "s" });
    await first.begin(aRun("r1"));
    const second = await world.open({ processes: processes(["77/b/x"]) });

    expect((await second.get("s"))?.status).toBe("running");
    await expect(second.begin(aRun("r2"))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "The session s is still running in process 77.",
      hint: "Wait until it ends, end that process, or fork the session.",
    });
    await expect(second.delete("s")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  test("is not continued by another store of the same process", async () => {
    const first = await world.open({ processes: processes(["1/a/x"]) });
    await first.create({ sessionId: "s" });
    const { end } = await first.begin(aRun("r1"));
    const second = await world.open({ processes: processes(["1/a/x"]) });

    await expect(second.begin(aRun("r2"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await end(done);
    await expect(second.begin(aRun("r2"))).resolves.toMatchObject({ runId: "r2" });
  });

  test("is interrupted once its process is gone, and its steps can be read", async () => {
    const first = await world.open({ processes: { ...processes([]), own: "77/b/x" } });
    await first.create({ sessionId: "s" });
    const { log } = await first.begin(aRun("r1"));
    await log.append([userMessage("go"), called("c1")]);
    await log.steps.run("tool:c1", async () => "result");
    const second = await world.open({ processes: processes([]) });

    expect((await second.get("s"))?.status).toBe("interrupted");
    const { before: interrupted } = await second.begin(aRun("r2", { task: "" }));
    expect(interrupted).toMatchObject({ runId: "r1", task: "fix the test", model: "fake:m" });
    expect(interrupted?.step("tool:c1")).toBe("result");
    expect(interrupted?.step("tool:c2")).toBeUndefined();
    expect(await second.get("s")).toMatchObject({ status: "running", task: "fix the test" });
  });

  test("where processes cannot be seen, counts as running until its lease ends", async () => {
    let now = 1000;
    const first = await world.open({ now: () => now });
    await first.create({ sessionId: "s" });
    await first.begin(aRun("r1"));
    const second = await world.open({ now: () => now });

    await expect(second.begin(aRun("r2"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    now += 60_001;
    await expect(second.begin(aRun("r2"))).resolves.toMatchObject({ runId: "r2" });
  });

  test("that continued elsewhere takes nothing more from the first process", async () => {
    let now = 1000;
    const first = await world.open({ now: () => now });
    await first.create({ sessionId: "s" });
    const { log, end } = await first.begin(aRun("r1"));
    now += 60_001;
    const second = await world.open({ now: () => now });
    await second.begin(aRun("r2"));

    await expect(log.append([userMessage("late")])).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "The session s was continued elsewhere.",
    });
    await end(done);
    expect((await second.get("s"))?.status).toBe("running");
  });
});
