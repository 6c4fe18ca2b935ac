import { expect, test } from "vitest";
import { fetched, frames, opened } from "../../test/support/http.ts";
import { nextNamed, serving } from "../../test/support/serving.ts";

test("readers get every event once, over 50 connections that break", async () => {
  const { kit, server } = await serving();
  const count = 2000;
  const emitted = Array.from({ length: count }, (_, index) => `e${index}`);
  let position = "0";
  const received: unknown[] = [];

  for (let connection = 0; connection < 50; connection += 1) {
    for (const callId of emitted.slice(connection * 40, (connection + 1) * 40)) {
      kit.events.emit({ type: "call-progress", callId, update: { message: "m" } });
    }
    const { request, answer } = await opened(server, "/events", {
      headers: { "last-event-id": position },
    });
    const wanted = connection === 49 ? count : connection * 40 + 20;
    if (received.length < wanted) {
      for await (const { name, id, data } of frames(answer)) {
        if (name !== "call-progress" || id === undefined) continue;
        received.push(data["callId"]);
        position = id;
        if (received.length === wanted) break;
      }
    }
    request.destroy();
  }

  expect(received).toEqual(emitted);
});

test("a reader without a position gets only what is new, and of one session only that", async () => {
  const { kit, server } = await serving();
  const emit = (callId: string, sessionId: string): void =>
    kit.events.emit({ type: "call-progress", callId, update: { message: "m" }, sessionId });
  emit("old", "s");
  const { answer } = await opened(server, "/events?session=s");
  const start = await frames(answer).next();
  expect(start.value).toMatchObject({ name: undefined, id: expect.stringMatching(/^\d+$/u) });
  emit("other", "t");
  emit("new", "s");

  const again = await opened(server, `/events?session=s&after=${String(start.value?.id)}`);
  const { data } = await nextNamed(again.answer, "call-progress");

  expect(data).toMatchObject({ callId: "new" });
});

test.each(["-1", "x", "1.5", "9".repeat(20)])("the position %s is refused", async (after) => {
  const { server } = await serving();

  const { status, json } = await fetched(server, `/events?after=${after}`);

  expect(status).toBe(400);
  expect(json).toMatchObject({ error: { code: "INVALID_INPUT" } });
});

const agent = {
  agentId: "a1",
  runId: "r1",
  sessionId: "s1",
  depth: 1,
  agent: "explore",
  description: "Look",
  isBackground: false,
  status: "running",
  text: "found",
  activity: "Read",
  turns: 2,
  calls: 3,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  startedAt: 1,
  lastActivityAt: 2,
};

test("events of agents come under a second name, and a break between the two loses neither", async () => {
  const { kit, server } = await serving();
  kit.events.emit({ type: "agent-start", agent });
  const whole = await opened(server, "/events?after=0");
  const names: [string | undefined, string | undefined][] = [];
  for await (const { name, id, data } of frames(whole.answer)) {
    if (!/agent/u.test(name ?? "")) continue;
    names.push([name, id]);
    if (name !== "subagent_start") continue;
    expect(data).toMatchObject({
      subagent_id: "a1",
      steps: { turns: 2, calls: 3 },
      metadata: { agent: "explore", status: "running" },
    });
    break;
  }
  const half = names[0]?.[1] ?? "";

  const { answer } = await opened(server, "/events", { headers: { "last-event-id": half } });
  kit.events.emit({ type: "agent-end", agent });
  const rest: (string | undefined)[] = [];
  for await (const { name } of frames(answer)) {
    if (!/agent/u.test(name ?? "")) continue;
    rest.push(name);
    if (name === "subagent_end") break;
  }

  expect(names.map(([name]) => name)).toEqual(["agent-start", "subagent_start"]);
  expect(rest).toEqual(["subagent_start", "agent-end", "subagent_end"]);
});
